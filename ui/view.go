package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

// View gives the screen with the modes that go with it. A frame in which nothing
// changed is the string of the last one.
func (m *Model) View() tea.View {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "offstage · " + task.Collapsed(task.Count(m.snap.Tasks))
	return v
}

// draw puts the panes together: exactly h lines, none wider than w cells.
func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	if m.w < 20 || m.h < 3 {
		return m.tiny()
	}
	l := m.lay
	rows := make([]string, m.h)
	if l.panel.h > 0 {
		place(rows, l.panel, m.panel.View())
	}
	if l.rule >= 0 {
		rows[l.rule] = m.theme.panel.Rule.On(strings.Repeat(m.mark("─"), m.w))
	}
	if l.upper.h > 0 {
		m.drawUpper(rows)
	}
	if m.over != noOverlay {
		m.drawPage(rows)
	}
	if l.hint >= 0 {
		rows[l.hint] = m.hintLine()
	}
	for i := range rows {
		if m.w < 40 { // a fixed part may not fit
			rows[i] = panel.Cut(rows[i], m.w)
		}
	}
	return strings.Join(rows, "\n")
}

func (m *Model) drawUpper(rows []string) {
	l := m.lay
	switch {
	case m.console != nil && l.side:
		left, right := l.panel.w, strings.Split(m.console.View(), "\n")
		bar := m.theme.panel.Rule.On(m.mark("│"))
		for i := 0; i < l.upper.h; i++ {
			row := panel.Pad(rows[i], left) + bar
			if i < len(right) {
				row += right[i]
			}
			rows[i] = row
		}
	case m.console != nil:
		place(rows, l.upper, m.console.View())
	default:
		place(rows, l.upper, m.window(m.upperLines(l.upper.w, l.upper.h), l.upper.h, m.over == noOverlay))
	}
}

// upperLines is what stands above the panel while no console is open.
func (m *Model) upperLines(w, h int) []string {
	if s, ok := m.shownSession(); ok {
		return m.sessionLines(s, w, h)
	}
	if m.empty() {
		return m.emptyLines(w, h)
	}
	return nil
}

// drawPage puts the page on top over its place; beside a list the list stays.
func (m *Model) drawPage(rows []string) {
	r := m.pageRect()
	lines := strings.Split(m.window(m.pageLines(r.w), r.h, true), "\n")
	for i := 0; i < r.h; i++ {
		text := ""
		if i < len(lines) {
			text = lines[i]
		}
		if r.x > 0 {
			text = panel.Pad(rows[r.y+i], r.x-1) + m.theme.panel.Rule.On(m.mark("│")) + text
		}
		rows[r.y+i] = text
	}
}

// pageRect is where the page on top stands: the help has the whole body.
func (m *Model) pageRect() rect {
	if m.over != overHelp {
		return m.lay.page
	}
	h := m.h
	if m.lay.hint >= 0 {
		h--
	}
	return rect{0, 0, m.w, h}
}

func (m *Model) pageLines(w int) []string {
	switch m.over {
	case overHelp:
		return m.helpLines(w)
	case overDetails:
		return m.detailLines(w)
	case overCard:
		return m.cardLines(w)
	}
	return nil
}

// window cuts lines to h rows from the scroll place on, with marks of how many
// lines are above and below.
func (m *Model) window(lines []string, h int, scrolls bool) string {
	if len(lines) <= h || h <= 0 {
		if scrolls {
			m.scroll = 0
		}
		return m.ascii(strings.Join(lines[:min(len(lines), max(h, 0))], "\n"))
	}
	top := 0
	if scrolls {
		m.scroll = max(0, min(m.scroll, len(lines)-h))
		top = m.scroll
	}
	shown := append([]string(nil), lines[top:top+h]...)
	dim := m.theme.panel.Dim
	if top > 0 && h > 2 {
		shown[0] = "   " + dim.On("↑ "+count(top+1, "more line", "more lines"))
	}
	if rest := len(lines) - top - h; rest > 0 && h > 1 {
		shown[h-1] = "   " + dim.On("↓ "+count(rest+1, "more line", "more lines"))
	}
	return m.ascii(strings.Join(shown, "\n"))
}

// tiny is a window in which nothing else has room: the count, and no more.
func (m *Model) tiny() string {
	rows := make([]string, m.h)
	rows[0] = m.ascii(panel.Cut(task.Collapsed(task.Count(m.snap.Tasks)), m.w))
	return strings.Join(rows, "\n")
}

func (m *Model) mark(s string) string {
	if m.o.ASCII {
		return panel.ASCII(s)
	}
	return s
}

func (m *Model) ascii(s string) string { return m.mark(s) }

func place(rows []string, r rect, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i >= r.h || r.y+i >= len(rows) {
			return
		}
		rows[r.y+i] = line
	}
}
