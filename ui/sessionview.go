package ui

import (
	"strconv"

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
	title := panel.TitlePaint(s, running, st)
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
		" " + both(w-2, name, title, panel.SessionWords(s, m.now, running), panel.SessionPaint(s, running, st)),
		" " + both(w-2, where, st.Dim, which, st.Dim),
	}
}

// goToAgent shows the pane of the agent whose session is selected: that of the
// open task, of the row under the cursor, or of the session view (A12).
func (m *Model) goToAgent() tea.Cmd {
	s, ok := m.agentSession()
	switch {
	case !ok:
		m.say("No agent session is selected.")
	case s.Pane == "" || m.o.GoToPane == nil:
		m.say("The terminal of this agent is not known here.")
	default:
		return m.fx.launch("At the agent's pane", func() error { return m.o.GoToPane(s.Pane) })
	}
	return nil
}

// agentSession is the session of the open task, else the one that is shown.
func (m *Model) agentSession() (task.Session, bool) {
	if t, ok := m.task(m.open); ok && m.open != "" {
		for _, s := range m.snap.Sessions {
			if s.ID == t.Session {
				return s, true
			}
		}
	}
	return m.shownSession()
}
