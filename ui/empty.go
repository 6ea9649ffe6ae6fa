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

// labelled is the width of the page's left column.
const labelled = 12

// emptyLines is the page that stands there when no task does (A2): what this
// is, where it looks, whom it found, and what to try. It stands in the middle
// of a large window and gives up its air first in a small one.
func (m *Model) emptyLines(w, h int) []string {
	bw := min(w-4, 70)
	left := max(2, (w-bw)/2)
	if w < 100 {
		left = min(3, left)
		bw = min(w-left-2, 74)
	}
	airy := h >= 20
	body := m.emptyBody(bw, airy)
	if !airy && len(body) > h {
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

func (m *Model) emptyBody(w int, airy bool) []string {
	st := m.theme.panel
	title := "Nothing is running offstage"
	if !m.loaded {
		title = "Looking for background tasks…"
	}
	if m.o.Where != "" && m.loaded {
		title += " in " + m.home(m.o.Where)
	}
	out := []string{st.Strong.On(panel.Cut(title, w))}
	for _, row := range panel.Wrap("What an agent leaves running appears here by itself: its output as it comes, its tests, and a Stop that stops.", w, 3) {
		out = append(out, st.Dim.On(row))
	}
	gap := func() {
		out = append(out, "")
		if airy {
			out = append(out, "")
		}
	}
	gap()
	if m.trouble != "" {
		for _, row := range panel.Wrap(panel.Clean(m.trouble), w, 3) {
			out = append(out, st.Amber.On(row))
		}
		gap()
	}
	out = append(out, m.emptyFound(w)...)
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
// elsewhere.
func (m *Model) emptyFound(w int) []string {
	var out []string
	label := "Looking in"
	for _, p := range m.snap.Looked {
		what := "nothing there"
		if p.Found {
			what = "no session"
			if p.Sessions > 0 {
				what = count(p.Sessions, "session", "sessions")
			}
		}
		out = append(out, m.emptyRow(label, m.home(p.Path), agentName(p.Source)+" · "+what, w, p.Found))
		label = ""
	}
	label = "Sessions"
	for i, s := range m.snap.Sessions {
		if i == 4 {
			out = append(out, m.emptyRow("", count(len(m.snap.Sessions)-i, "more", "more")+" · s steps through them", "", w, false))
			break
		}
		name := panel.Clean(s.Title)
		if name == "" {
			name = m.home(s.Cwd)
		}
		out = append(out, m.emptySession(label, name, s, w))
		label = ""
	}
	if len(m.snap.Sessions) == 0 && m.loaded {
		out = append(out, m.emptyRow(label, "none found in this project", "", w, false))
	}
	if n := m.snap.Elsewhere; n > 0 {
		verb := "task runs"
		if n > 1 {
			verb = "tasks run"
		}
		out = append(out, m.emptyRow("Elsewhere", count(n, verb, verb)+" in other projects", "A shows them", w, true))
	}
	for _, t := range m.snap.Troubles {
		for i, row := range panel.Wrap(panel.Clean(t.Text), max(w-labelled, 10), 3) {
			l := ""
			if i == 0 {
				l = "Trouble"
			}
			out = append(out, m.theme.panel.Dim.On(panel.Pad(l, labelled))+m.theme.panel.Amber.On(row))
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
		return p.On(panel.Cut(text, w))
	}
	return st.Dim.On(panel.Pad(label, labelled)) + both(w-labelled, text, p, right, st.Dim)
}

func (m *Model) emptySession(label, name string, s task.Session, w int) string {
	st := m.theme.panel
	words := panel.SessionWords(s, m.now, 0)
	if w < 50 {
		return both(w, name, st.Text, words, panel.SessionPaint(s, st))
	}
	return st.Dim.On(panel.Pad(label, labelled)) + both(w-labelled, name, st.Text, words, panel.SessionPaint(s, st))
}
