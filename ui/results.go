package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

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
		if c.Kind == string(task.Workflow) && !m.o.ASCII {
			mark = task.WorkflowMark
		}
		bar, tp := " ", st.Text
		if m.focus == onUpper && i == m.card {
			bar, tp = st.Accent.On("▌"), st.Strong
		}
		title := panel.Clean(c.Title)
		if c.Kind == "continuation" {
			title += " · background continuation"
		}
		head, room := bar+mp.On(mark)+" ", w-3-panel.Width(mark)
		if c.Kind == string(task.Workflow) {
			out = append(out, longTitle(head, title, room, tp, ago(c.At, m.now), st)...)
		} else {
			out = append(out, head+both(room, title, tp, ago(c.At, m.now), st.Dim))
		}
		for _, row := range panel.Wrap(strings.TrimSpace(panel.Clean(c.Text)), w-6, 2) {
			out = append(out, "   "+st.Dim.On(row))
		}
	}
	return out
}

// longTitle is the title of a workflow's card, whose figures stand at its end: where
// it is too long it goes on below.
func longTitle(head, title string, w int, p panel.Paint, at string, st panel.Styles) []string {
	room := w - panel.Width(at) - 2
	rows := panel.Wrap(title, max(room, 8), 4)
	out := []string{head + both(w, rows[0], p, at, st.Dim)}
	for _, row := range rows[1:] {
		out = append(out, "    "+p.On(panel.Cut(row, w-2)))
	}
	return out
}

// cardKeys act while the session view has the focus.
func cardKeys() []Key {
	step := func(n int) func(*Model) tea.Cmd {
		return does(func(m *Model) { m.card = max(0, min(m.card+n, len(m.cards())-1)) })
	}
	return []Key{
		{ID: "card.down", Keys: []string{"down", "j"}, Words: "Next result", do: step(1)},
		{ID: "card.up", Keys: []string{"up", "k"}, Words: "Previous result", do: step(-1)},
		{ID: "card.read", Keys: []string{"enter"}, Words: "Read the result in full; without one, go to the agent's pane", Hint: "read", do: func(m *Model) tea.Cmd {
			if len(m.cards()) == 0 {
				return m.goToAgent()
			}
			m.over, m.scroll = overCard, 0
			return nil
		}},
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
		rows := panel.Wrap(panel.Clean(para), max(min(w, readable)-4, 10), 2000)
		if len(rows) == 0 {
			rows = []string{""}
		}
		for _, row := range rows {
			out = append(out, "  "+row)
		}
	}
	return out
}
