package ui

import "offstage/panel"

// rect is a part of the window in cells.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// layout says where everything stands.
type layout struct {
	// upper is the console, or the session view; panel the list; page where a page
	// on top goes.
	upper, panel, page rect
	// rule is the row of the hairline above the panel, −1 where there is none.
	rule int
	// hint is the row of the key hints, −1 in a window too low for it.
	hint int
	// side: list and console stand side by side, with a hairline between them.
	side bool
	mode panel.Mode
}

// want is what the layout has to find room for.
type want struct {
	w, h                int
	console             bool
	collapsed, empty    bool
	session             int  // lines of the session view
	reading             bool // it has the focus, and so the larger part
	sideBySide, stacked int
	rows                func(panel.Mode) int // lines that the panel would fill
}

// headLines is how many lines say who works where: the least of a session view.
const headLines = 2

// arrange finds the place of everything in a window (B1).
func arrange(n want) layout {
	l := layout{hint: n.h - 1, rule: -1}
	body := n.h - 1
	if n.h < 6 {
		l.hint, body = -1, n.h
	}
	switch {
	case n.console && (n.w < n.stacked || n.h < 12):
		l.upper = rect{0, 0, n.w, body}
	case n.console && n.w >= n.sideBySide && !n.collapsed && !n.empty:
		lw := min(max(n.w*3/10, 36), 48)
		l.side = true
		l.panel = rect{0, 0, lw, body}
		l.upper = rect{lw + 1, 0, n.w - lw - 1, body}
	case n.console:
		l.mode = panel.OpenRow
		l.below(n, body, min(n.rows(panel.OpenRow), max(body/3, 2)))
	case n.empty:
		l.upper = rect{0, 0, n.w, body}
	case n.collapsed:
		l.mode = panel.Collapsed
		l.below(n, body, 1)
	default:
		least := min(n.session, body/3)
		switch {
		case body < 9:
			least = 0
		case body < 14:
			least = min(n.session, headLines)
		}
		most := max(body-least-1, min(body, 2))
		if n.reading {
			most = max(min(most, body-n.session-1), body/3, 2)
		}
		l.below(n, body, min(n.rows(panel.List), most))
	}
	l.page = l.upper
	if l.page.h < 10 || l.page.w < 40 {
		l.page = rect{0, 0, n.w, body}
	}
	return l
}

// below gives the panel the last ph rows of the body and the rest, behind a
// hairline, to the upper pane.
func (l *layout) below(n want, body, ph int) {
	if ph >= body-1 {
		l.panel = rect{0, 0, n.w, body}
		return
	}
	l.panel = rect{0, body - ph, n.w, ph}
	l.rule = body - ph - 1
	l.upper = rect{0, 0, n.w, l.rule}
}

// settle gives every pane its size; it follows each message.
func (m *Model) settle() {
	m.lay = arrange(want{
		w: m.w, h: m.h, console: m.console != nil, collapsed: m.collapsed, empty: m.empty(),
		session: m.sessionHeight(), reading: m.focus == onUpper, sideBySide: m.o.SideBySide, stacked: m.o.Stacked,
		rows: func(mode panel.Mode) int { return m.panel.Want(mode, m.w) },
	})
	l := m.lay
	m.panel.SetMode(l.mode)
	m.panel.SetFocus(m.focus == onList && m.over == noOverlay)
	m.panel.SetSize(l.panel.w, l.panel.h)
	if m.console != nil {
		m.console.SetSize(l.upper.w, l.upper.h)
	}
}
