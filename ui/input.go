package ui

import (
	tea "charm.land/bubbletea/v2"
)

// filter stands between the terminal and the program. Wheel turns go to the
// mailbox, so that a flick of hundreds of notches is a few frames and stops with
// the finger; a click gets its time.
func (fx *effects) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch e := msg.(type) {
	case tea.MouseClickMsg:
		return clickMsg{e.Mouse(), fx.o.Now()}
	case tea.MouseWheelMsg:
		switch e.Button {
		case tea.MouseWheelUp:
			fx.mail.wheel(e.X, e.Y, -1)
		case tea.MouseWheelDown:
			fx.mail.wheel(e.X, e.Y, 1)
		}
		return nil
	}
	return msg
}
