package ui

import (
	"strconv"
	"time"

	"offstage/panel"
	"offstage/task"
)

// onTitle says that the title of a session is under the cursor and no console open.
func (m *Model) onTitle() bool {
	_, ok := m.panel.OnHeading()
	return ok && m.open == ""
}

// sessionDetails is all that is known of a session (A12).
func (m *Model) sessionDetails(s task.Session, w int) []string {
	st := m.theme.panel
	out := []string{" " + both(w-2, panel.SessionTitle(s), st.Strong, "Session", st.Dim), ""}
	for _, f := range m.sessionFields(s) {
		out = append(out, field(f, w, st)...)
	}
	return out
}

func (m *Model) sessionFields(s task.Session) []known {
	st := m.theme.panel
	var own []task.Task
	for _, t := range m.snap.Tasks {
		if t.Session == s.ID {
			own = append(own, t)
		}
	}
	c := task.Count(own)
	pid := ""
	if s.PID > 0 {
		pid = strconv.Itoa(s.PID)
	}
	return []known{
		{"State", panel.SessionWords(s, m.now, c.Running), panel.SessionPaint(s, c.Running, st)},
		{"Trouble", s.Trouble, st.Amber},
		{"Tasks", task.Collapsed(c), st.Text},
		{"Agent", joined(" ", agentName(s.Agent), s.Version), st.Text},
		{"Process", pid, st.Text},
		{"Pane", s.Pane, st.Text},
		{"Folder", m.home(s.Cwd), st.Text},
		{"Branch", s.Branch, st.Text},
		{"Started", m.since(s.StartedAt), st.Text},
		{"Last news", m.since(s.UpdatedAt), st.Text},
		{"Transcript", m.home(s.Transcript), st.Text},
		{"Went on from", s.Continues, st.Text},
		{"ID", s.ID, st.Text},
	}
}

// since is a time as a person reads it: how long ago.
func (m *Model) since(at time.Time) string { return ago(at, m.now) }
