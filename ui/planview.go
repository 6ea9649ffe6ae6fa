package ui

import (
	"strconv"

	"offstage/panel"
	"offstage/task"
)

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
