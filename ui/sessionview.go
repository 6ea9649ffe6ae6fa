package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

// The session view (A12) stands above the panel while no console is open: who
// works where, since when, the agent's own plan, its finished sub-agents.

// shownSession is the session of the view: the one that was stepped to, else
// that of the selected row, else the only one.
func (m *Model) shownSession() (task.Session, bool) {
	id := m.session
	if id == "" {
		id = m.panel.Session()
	}
	for _, s := range m.snap.Sessions {
		if s.ID == id {
			return s, true
		}
	}
	if !m.empty() && len(m.snap.Sessions) > 0 && m.session == "" && m.panel.Session() == "" {
		return m.snap.Sessions[0], true
	}
	return task.Session{}, false
}

// stepSession goes n sessions on; from the empty page to the first, and past
// the last one back to it.
func (m *Model) stepSession(n int) {
	all := m.snap.Sessions
	if m.console != nil {
		return // the view is not on the screen
	}
	if len(all) == 0 {
		m.say("No agent session was found.")
		return
	}
	at := -1
	if s, ok := m.shownSession(); ok {
		for i := range all {
			if all[i].ID == s.ID {
				at = i
			}
		}
	} else if n < 0 {
		at = len(all)
	}
	at += n
	m.scroll, m.card = 0, 0
	switch {
	case m.empty() && (at < 0 || at >= len(all)):
		m.session = ""
	default:
		m.session = all[(at+len(all))%len(all)].ID
	}
}

func (m *Model) sessionHeight() int {
	if m.console != nil {
		return 0
	}
	s, ok := m.shownSession()
	if !ok {
		return 0
	}
	n := 3
	if len(s.Plan.Entries) > 0 {
		n += 2 + len(s.Plan.Entries)
	}
	return n + 3*len(s.Cards) + len(m.troubleLines(s, min(m.w, readable)))
}

// readable is the widest that plan and results are set: beyond it the eye loses
// the row.
const readable = 104

// sessionLines is the view on w cells. Where it does not fit into h rows the
// plan leaves out what is done; where there is next to no room, all but the head
// is left to the keys. While the view has the focus the selected result is kept
// in sight.
func (m *Model) sessionLines(s task.Session, w, h int) []string {
	out, results := m.sessionWhole(s, w, false)
	if len(out) > h {
		out, results = m.sessionWhole(s, w, true)
	}
	if m.focus == onUpper {
		at := results + len(m.cardRows(s.Cards[:min(m.card, len(s.Cards))], min(w, readable)))
		m.scroll = max(min(m.scroll, at-1), at+4-h)
		return out
	}
	if h <= headLines+1 {
		out = out[:min(len(out), headLines)]
	}
	return out
}

// sessionWhole is all of the view; results is the line where the results start.
func (m *Model) sessionWhole(s task.Session, w int, short bool) (out []string, results int) {
	out = m.sessionHead(s, w)
	w = min(w, readable)
	if plan := m.planLines(s.Plan, w, short); len(plan) > 0 {
		out = append(append(out, ""), plan...)
	}
	results = len(out) + 1
	if cards := m.cardRows(s.Cards, w); len(cards) > 0 {
		out = append(append(out, ""), cards...)
	}
	return append(out, m.troubleLines(s, w)...), results
}

// troubleLines say what could not be read: of this session, then of any source.
func (m *Model) troubleLines(s task.Session, w int) (out []string) {
	texts := []string{s.Trouble}
	for _, t := range m.snap.Troubles {
		texts = append(texts, t.Text)
	}
	for _, text := range texts {
		for i, row := range panel.Wrap(panel.Clean(text), w-4, 3) {
			if i == 0 && len(out) == 0 {
				out = append(out, "")
			}
			out = append(out, "   "+m.theme.panel.Amber.On(row))
		}
	}
	return out
}

func (m *Model) sessionHead(s task.Session, w int) []string {
	st := m.theme.panel
	running := 0
	for _, t := range m.snap.Tasks {
		if t.Session == s.ID && !t.Status.Ended() && !t.Foreground {
			running++
		}
	}
	title := st.Strong
	if running > 0 {
		title = st.Alive
	}
	name := agentName(s.Agent)
	if s.Title != "" {
		name += " · " + panel.Clean(s.Title)
	}
	where := m.home(s.Cwd)
	if s.Branch != "" {
		where += " · " + panel.Clean(s.Branch)
	}
	which := ""
	if n := len(m.snap.Sessions); n > 1 {
		for i := range m.snap.Sessions {
			if m.snap.Sessions[i].ID == s.ID {
				which = strconv.Itoa(i+1) + " of " + strconv.Itoa(n) + " sessions"
			}
		}
	}
	return []string{
		" " + both(w-2, name, title, panel.SessionWords(s, m.now, running), panel.SessionPaint(s, st)),
		" " + both(w-2, where, st.Dim, which, st.Dim),
	}
}

// planLines are the agent's own task list: done, at work, to come; what waits
// for another entry is dim and says for which.
func (m *Model) planLines(p task.Plan, w int, short bool) []string {
	var entries []task.Entry
	done := map[string]bool{}
	subjects := map[string]string{}
	for _, e := range p.Entries {
		if e.Status == task.Deleted {
			continue
		}
		entries = append(entries, e)
		done[e.ID] = e.Status == task.Completed
		subjects[e.ID] = e.Subject
	}
	if len(entries) == 0 {
		return nil
	}
	n := 0
	for _, d := range done {
		if d {
			n++
		}
	}
	st := m.theme.panel
	out := []string{" " + st.Strong.On("Plan") + " " + st.Dim.On(strconv.Itoa(n)+"/"+strconv.Itoa(len(entries)))}
	for _, e := range entries {
		if short && e.Status == task.Completed {
			continue
		}
		out = append(out, m.planRow(e, done, subjects, w))
	}
	if p.Skipped > 0 {
		out = append(out, "   "+st.Dim.On(count(p.Skipped, "entry", "entries")+" in a form that could not be read"))
	}
	return out
}

func (m *Model) planRow(e task.Entry, done map[string]bool, subjects map[string]string, w int) string {
	st := m.theme.panel
	text, p, mark, markPaint := panel.Clean(e.Subject), st.Text, "○", st.Dim
	waits := ""
	for _, id := range e.BlockedBy {
		if s, known := subjects[id]; known && !done[id] {
			waits = "waits for " + panel.Clean(s)
			break
		}
	}
	switch {
	case e.Status == task.Completed:
		p, mark, markPaint = st.Dim, "✓", st.Good
	case e.Status == task.InProgress:
		p, mark, markPaint = st.Strong, "▸", st.Accent
		if e.ActiveForm != "" {
			text = panel.Clean(e.ActiveForm)
		}
	case waits != "":
		p = st.Dim
	}
	if w < m.o.Stacked {
		waits = "" // dim says that it waits; for what is said where there is room
	}
	return " " + markPaint.On(mark) + " " + both(w-4, text, p, waits, st.Dim)
}

// cards are the results of the shown session, newest first.
func (m *Model) cards() []task.Card {
	if m.console != nil {
		return nil
	}
	s, ok := m.shownSession()
	if !ok {
		return nil
	}
	return s.Cards
}

func (m *Model) cardRows(cards []task.Card, w int) []string {
	st := m.theme.panel
	var out []string
	for i, c := range cards {
		mark, mp := "✓", st.Good
		if c.Failed {
			mark, mp = "✘", st.Bad
		}
		bar, tp := " ", st.Text
		if m.focus == onUpper && i == m.card {
			bar, tp = st.Accent.On("▌"), st.Strong
		}
		title := panel.Clean(c.Title)
		if c.Kind == "continuation" {
			title += " · background continuation"
		}
		out = append(out, bar+mp.On(mark)+" "+both(w-4, title, tp, ago(c.At, m.now), st.Dim))
		for _, row := range panel.Wrap(strings.TrimSpace(panel.Clean(c.Text)), w-6, 2) {
			out = append(out, "   "+st.Dim.On(row))
		}
	}
	return out
}

// cardKeys act while the session view has the focus.
func cardKeys() []Key {
	step := func(n int) func(*Model) tea.Cmd {
		return does(func(m *Model) { m.card = max(0, min(m.card+n, len(m.cards())-1)) })
	}
	return []Key{
		{Keys: []string{"down", "j"}, Words: "Next result", do: step(1)},
		{Keys: []string{"up", "k"}, Words: "Previous result", do: step(-1)},
		{Keys: []string{"enter"}, Words: "Read the result in full", Hint: "read", do: does(func(m *Model) {
			if len(m.cards()) > 0 {
				m.over, m.scroll = overCard, 0
			}
		})},
	}
}

// cardLines is one result in full.
func (m *Model) cardLines(w int) []string {
	cards := m.cards()
	if m.card >= len(cards) {
		return nil
	}
	c, st := cards[m.card], m.theme.panel
	out := []string{" " + both(w-2, panel.Clean(c.Title), st.Strong, ago(c.At, m.now), st.Dim), ""}
	for _, para := range strings.Split(c.Text, "\n") {
		rows := panel.Wrap(panel.Clean(para), max(w-4, 10), 2000)
		if len(rows) == 0 {
			rows = []string{""}
		}
		for _, row := range rows {
			out = append(out, "  "+row)
		}
	}
	return out
}
