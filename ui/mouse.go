package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/panel"
)

// clicks tells a double and a triple click from single ones.
type clicks struct {
	x, y, n int
	at      time.Time
}

// clickGap is the longest time between the clicks of a double click.
const clickGap = 400 * time.Millisecond

// click acts on the left button; at is when it was pressed.
func (m *Model) click(e tea.Mouse, at time.Time) tea.Cmd {
	if e.Button != tea.MouseLeft {
		return nil
	}
	if c := &m.clicks; c.x == e.X && c.y == e.Y && at.Sub(c.at) < clickGap && c.n < 3 {
		c.n, c.at = c.n+1, at
	} else {
		m.clicks = clicks{x: e.X, y: e.Y, n: 1, at: at}
	}
	switch {
	case m.over != noOverlay && m.pageRect().holds(e.X, e.Y):
		return nil
	case m.over != noOverlay:
		m.over, m.scroll = noOverlay, 0
		return nil
	case m.console != nil && m.lay.upper.holds(e.X, e.Y):
		m.focus = onUpper
		return m.consoleMouse(e, console.MousePress)
	case m.lay.panel.holds(e.X, e.Y):
		return m.clickPanel(e)
	}
	m.dropQuestion()
	return m.closeConsole()
}

func (m *Model) clickPanel(e tea.Mouse) tea.Cmd {
	a, used := m.panel.Mouse(e.X-m.lay.panel.x, e.Y-m.lay.panel.y)
	if !used {
		m.dropQuestion()
		return m.closeConsole()
	}
	if _, ok := a.(panel.Toggle); ok && m.console != nil && !m.lay.side && !m.collapsed {
		return m.closeConsole() // the folded list under a console unfolds
	}
	if m.console == nil || m.lay.side {
		m.focus = onList
	}
	return m.do(a)
}

func (m *Model) drag(e tea.Mouse) tea.Cmd {
	if m.console == nil || m.over != noOverlay || e.Button != tea.MouseLeft {
		return nil
	}
	return m.consoleMouse(e, console.MouseDrag)
}

func (m *Model) release(e tea.Mouse) tea.Cmd {
	if m.console == nil || m.over != noOverlay {
		return nil
	}
	return m.consoleMouse(e, console.MouseRelease)
}

func (m *Model) consoleMouse(e tea.Mouse, kind console.MouseKind) tea.Cmd {
	a, _ := m.console.Mouse(console.MouseEvent{
		X: e.X - m.lay.upper.x, Y: e.Y - m.lay.upper.y, Kind: kind, Button: console.LeftButton, Clicks: m.clicks.n,
	})
	return m.doConsole(a)
}

// wheelRows is how many rows one notch moves.
const wheelRows = 3

// turn carries out the notches of one frame on the pane under the pointer.
func (m *Model) turn(w wheelNews) {
	switch {
	case m.over != noOverlay:
		m.scroll = max(0, m.scroll+w.n*wheelRows)
	case m.console != nil && m.lay.upper.holds(w.x, w.y):
		ev := console.MouseEvent{X: w.x - m.lay.upper.x, Y: w.y - m.lay.upper.y, Kind: console.WheelDown, Notches: w.n}
		if w.n < 0 {
			ev.Kind, ev.Notches = console.WheelUp, -w.n
		}
		m.console.Mouse(ev)
	case m.lay.panel.holds(w.x, w.y):
		if m.panel.Wheel(w.n) != nil {
			m.dropQuestion()
		}
	default:
		m.scroll = max(0, m.scroll+w.n)
	}
}
