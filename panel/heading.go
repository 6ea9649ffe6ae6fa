package panel

import (
	"slices"
	"strconv"

	"offstage/task"
)

// The titles of sessions are rows (A7, A12): they are selected as tasks are,
// folded and unfolded, and Enter leads to the agent's own pane where it is known.

// heading is the selected title.
func (m *Model) heading() (item, bool) {
	for _, it := range m.items {
		if it.id == m.sel && it.kind == heading {
			return it, true
		}
	}
	return item{}, false
}

// OnHeading gives the session whose title is selected.
func (m *Model) OnHeading() (task.Session, bool) {
	it, ok := m.heading()
	return it.session, ok
}

// openHeading goes to the agent where its pane is known, else folds.
func (m *Model) openHeading() Action {
	it, ok := m.heading()
	switch {
	case !ok:
		return nil
	case it.session.Pane != "":
		return Agent{it.session.ID}
	case len(it.under) > 0:
		return m.unfoldSession()
	}
	return m.foldSession()
}

// foldSession folds the selected session, or workflow; on one of its rows it goes
// to the title first.
func (m *Model) foldSession() Action {
	if a, ok := m.foldFlow(); ok {
		return a
	}
	if it, ok := m.heading(); ok {
		m.fold(it.session.ID, true)
		return Moved{}
	}
	title := headingID(m.Session())
	if _, card := m.preview(); card || m.index() < 0 || !slices.ContainsFunc(m.items, func(it item) bool { return it.id == title }) {
		return nil
	}
	m.Select(title)
	return Moved{}
}

// unfoldSession shows the rows of the selected session, or workflow.
func (m *Model) unfoldSession() Action {
	if t, agent, ok := m.flow(); ok && !agent {
		return m.setTree(t.ID, true)
	}
	it, ok := m.heading()
	if !ok || len(it.under) == 0 {
		return nil
	}
	m.fold(it.session.ID, false)
	return Moved{}
}

func (m *Model) fold(session string, on bool) {
	if on {
		m.folded[session] = true
	} else {
		delete(m.folded, session)
	}
	m.rebuild()
}

// clickHeading selects a title; a click on the selected one folds or unfolds it.
func (m *Model) clickHeading(it item) Action {
	if it.id == m.sel {
		m.fold(it.session.ID, len(it.under) == 0)
		return Moved{}
	}
	m.Select(it.id)
	return Moved{}
}

// reveal unfolds the session that a task is folded in.
func (m *Model) reveal(id string) {
	for _, it := range m.items {
		if slices.ContainsFunc(it.under, func(u item) bool { return u.id == id }) {
			m.fold(it.session.ID, false)
			return
		}
	}
}

// everyRow are the rows of the list, those of folded sessions too.
func (m *Model) everyRow() []item {
	var out []item
	for _, it := range m.items {
		out = append(append(out, it), it.under...)
	}
	return out
}

// folded says what a heading stands for: "3 tasks".
func folded(n int) string {
	if n == 1 {
		return "1 task"
	}
	return strconv.Itoa(n) + " tasks"
}

// noTask is said where a key needs a task and a session is selected.
func (m *Model) noTask() Action {
	if _, ok := m.heading(); ok {
		return Say{"Select one of the tasks under this title."}
	}
	if p, ok := m.preview(); ok {
		return Say{"Select the row of its task for that: " + Clean(p.Owner) + "."}
	}
	return nil
}

// headingHints are the keys that act on a title.
func (m *Model) headingHints() []Binding {
	it, ok := m.heading()
	if !ok {
		return nil
	}
	var out []Binding
	for _, b := range m.keys {
		switch {
		case b.ID == "list.open" && it.session.Pane != "":
			b.Hint = "agent"
		case b.ID == "list.unfold" && len(it.under) > 0:
			b.Hint = "unfold"
		case b.ID == "list.fold_session" && len(it.under) == 0:
			b.Hint = "fold"
		default:
			continue
		}
		out = append(out, b)
	}
	return out
}
