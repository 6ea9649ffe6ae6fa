package console

import "strings"

// geometry is how the cells are shared out; made by measure.
type geometry struct {
	header, strips, rule, footer, body int
	// text is the width of the output itself, time that of the time column, bar
	// that of the scrollbar with its blank.
	text, time, bar int
}

// measure shares out the cells. A short component loses the hairline, a tiny
// one all but the rows (tui principle: the chrome knows its place).
func (m *Model) measure() {
	g := geometry{header: 1, rule: 1, footer: 1}
	switch {
	case m.h < tinyBelow:
		g = geometry{}
	case m.h < shortBelow:
		g.rule = 0
	case m.narrow():
		g.header = 2
	case m.w >= wideFrom && m.h >= 24 && m.task.Command != "":
		g.header = 2
	}
	wanted := len(m.strips())
	if m.stopOf().Phase == StopNone && m.h < shortBelow {
		wanted = min(wanted, 1)
	}
	g.strips = max(min(wanted, m.h-g.header-g.rule-g.footer-1), 0)
	g.body = max(m.h-g.header-g.strips-g.rule-g.footer, 0)
	if !m.narrow() {
		g.bar = 2
		if m.timeMode() != timeOff && m.hasTimes() {
			g.time = timeCells
		}
	}
	g.text = max(m.w-2-g.time-g.bar, 1)
	m.geo = g
}

// bodyY is the first line of the body.
func (m *Model) bodyY() int { return m.geo.header + m.geo.strips + m.geo.rule }

// touch says that the view may have changed.
func (m *Model) touch() { m.view, m.fresh = "", false }

// View gives exactly h lines, none wider than w cells. Unchanged, it is the same
// string as before.
func (m *Model) View() string {
	if m.fresh {
		return m.view
	}
	m.view, m.fresh = m.draw(), true
	return m.view
}

func (m *Model) draw() string {
	m.zones = m.zones[:0]
	if m.h <= 0 || m.w <= 0 {
		return ""
	}
	lines := make([]string, 0, m.h)
	if m.task.ID == "" {
		return strings.Repeat("\n", m.h-1)
	}
	m.measure()
	lines = append(lines, m.headerLines()...)
	lines = append(lines, m.stripLines(m.geo.header, m.geo.strips, m.strips())...)
	if m.geo.rule > 0 {
		lines = append(lines, painted(m.look.rule, strings.Repeat(m.set.rule, m.w)))
	}
	lines = m.bodyLines(lines)
	if m.geo.footer > 0 {
		lines = append(lines, m.footer(m.h-1))
	}
	if m.w < 3 {
		m.narrowest(lines)
	}
	return strings.Join(lines, "\n")
}

// narrowest blanks lines in a component that is too narrow for any margin.
func (m *Model) narrowest(lines []string) {
	for i := range lines {
		lines[i] = ""
	}
}
