package ui

import (
	"strings"

	"offstage/panel"
	"offstage/task"
)

// commands are the three that give the empty page something to show (A2).
var commands = [][2]string{
	{"offstage demo", "real commands as tasks, to look around"},
	{"offstage --files DIR", "any folder of log files"},
	{"offstage -A", "every project on this machine"},
}

const (
	wordmark   = "o f f s t a g e"
	aboutWords = "What an agent leaves running appears here by itself: its output as it comes, its tests, and a Stop that stops."
)

// labelled is the width of the page's left column.
const labelled = 12

// emptyLines is the page that stands there when no task does (A2): what this
// is, where it looks, whom it found, and what to try. It stands in the middle
// of a large window; in a small one it gives up its air, then its prose.
func (m *Model) emptyLines(w, h int) []string {
	bw := min(w-4, 70)
	left := max(2, (w-bw)/2)
	if w < 100 {
		left = min(3, left)
		bw = min(w-left-2, 74)
	}
	body := m.emptyBody(bw, h)
	if len(body) > h {
		body = without(body)
	}
	var out []string
	if free := h - len(body); free > 1 {
		for i := 0; i < free*2/5; i++ {
			out = append(out, "")
		}
	}
	margin := strings.Repeat(" ", left)
	for _, row := range body {
		if row != "" {
			row = margin + row
		}
		out = append(out, row)
	}
	return out
}

func without(rows []string) []string {
	var out []string
	for _, r := range rows {
		if r != "" {
			out = append(out, r)
		}
	}
	return out
}

func (m *Model) emptyBody(w, h int) []string {
	airy, tight := h >= 22, h < 16
	st := m.theme.panel
	title := "Nothing is running offstage"
	if !m.loaded {
		title = "Looking for background tasks…"
	}
	switch {
	case !m.loaded:
	case m.everywhere:
		title += " on this machine"
	case m.o.Where != "":
		title += " in " + m.home(m.o.Where)
	}
	var out []string
	if airy {
		out = append(out, st.Accent.On(wordmark), st.Rule.On(strings.Repeat("─", w)), "")
	}
	for _, row := range panel.Wrap(title, w, 2) {
		out = append(out, st.Strong.On(row))
	}
	about := aboutWords
	if tight {
		about = ""
	}
	for _, row := range panel.Wrap(about, w, 4) {
		out = append(out, st.Dim.On(row))
	}
	gap := func() { out = append(out, "") }
	gap()
	if m.trouble != "" {
		for _, row := range panel.Wrap(panel.Clean(m.trouble), w, 3) {
			out = append(out, st.Amber.On(row))
		}
		gap()
	}
	for i, part := range m.emptyFound(w, tight) {
		if i > 0 && airy {
			out = append(out, "")
		}
		out = append(out, part...)
	}
	gap()
	for _, c := range commands {
		out = append(out, m.emptyCommand(c, w))
	}
	return out
}

func (m *Model) emptyCommand(c [2]string, w int) string {
	st := m.theme.panel
	const col = 24
	if w < 50 {
		return st.Link.On(panel.Cut(c[0], w))
	}
	return st.Link.On(c[0]) + strings.Repeat(" ", max(col-panel.Width(c[0]), 2)) + st.Dim.On(panel.Cut(c[1], w-col))
}

// emptyFound says where it looks, which sessions it found, and what runs
// elsewhere: each a part of its own.
func (m *Model) emptyFound(w int, tight bool) [][]string {
	parts := [][]string{m.emptyPlaces(w, tight), m.emptySessions(w), m.emptyElsewhere(w), m.emptyTroubles(w)}
	var kept [][]string
	for _, p := range parts {
		if len(p) > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

func (m *Model) emptyPlaces(w int, tight bool) (out []string) {
	label := "Looking in"
	for _, p := range m.snap.Looked {
		if tight && !p.Found {
			continue
		}
		what := "nothing there"
		if p.Found {
			what = "no session"
			if p.Sessions > 0 {
				what = count(p.Sessions, "session", "sessions")
			}
		}
		if w >= 50 {
			what = agentName(p.Source) + " · " + what
		}
		out = append(out, m.emptyRow(label, m.home(p.Path), what, w, p.Found))
		label = ""
	}
	return out
}

// emptySessionsMax is how many sessions the page names.
const emptySessionsMax = 4

func (m *Model) emptySessions(w int) (out []string) {
	label := "Sessions"
	for i, s := range m.snap.Sessions {
		if i == emptySessionsMax {
			return append(out, m.emptyRow("", count(len(m.snap.Sessions)-i, "more", "more")+" · s steps through them", "", w, false))
		}
		name := panel.Clean(s.Title)
		if name == "" {
			name = m.home(s.Cwd)
		}
		out = append(out, m.emptySession(label, name, s, w))
		label = ""
	}
	if len(out) == 0 && m.loaded {
		out = append(out, m.emptyRow(label, "none found in this project", "", w, false))
	}
	return out
}

func (m *Model) emptyElsewhere(w int) []string {
	n, st := m.snap.Elsewhere, m.theme.panel
	if n <= 0 {
		return nil
	}
	words := count(n, "task runs", "tasks run") + " in other projects"
	key := m.theme.key.On("A") + st.Dim.On(" shows them")
	if w < 50 {
		return []string{panel.Cut(words, w), key}
	}
	gap := w - labelled - panel.Width(words) - panel.Width(key)
	return []string{st.Dim.On(panel.Pad("Elsewhere", labelled)) + words + spaces(gap) + key}
}

func (m *Model) emptyTroubles(w int) (out []string) {
	st := m.theme.panel
	for _, t := range m.snap.Troubles {
		label := "Trouble"
		for _, row := range panel.Wrap(panel.Clean(t.Text), max(w-labelled, 10), 3) {
			out = append(out, st.Dim.On(panel.Pad(label, labelled))+st.Amber.On(row))
			label = ""
		}
	}
	return out
}

func (m *Model) emptyRow(label, text, right string, w int, found bool) string {
	st := m.theme.panel
	p := st.Text
	if !found {
		p = st.Dim
	}
	if w < 50 {
		return both(w, text, p, right, st.Dim)
	}
	return st.Dim.On(panel.Pad(label, labelled)) + both(w-labelled, text, p, right, st.Dim)
}

func (m *Model) emptySession(label, name string, s task.Session, w int) string {
	st := m.theme.panel
	words := panel.SessionWords(s, m.now, 0)
	if panel.Width(words)+panel.Width(name)+2 > w-labelled {
		words = panel.SessionState(s, 0)
	}
	if w < 50 {
		return both(w, name, st.Text, words, panel.SessionPaint(s, 0, st))
	}
	return st.Dim.On(panel.Pad(label, labelled)) + both(w-labelled, name, st.Text, words, panel.SessionPaint(s, 0, st))
}
