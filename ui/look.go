package ui

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/panel"
	"offstage/task"
)

// Look is what a person's settings say of the window. It may change while the
// window runs (spec 5).
type Look struct {
	// QuietAfter is when a quiet hint turns amber (D2); 0 is task.QuietAfter.
	QuietAfter time.Duration
	// Theme is "auto" (also ""), "dark" or "light". Colours replaces colours of the
	// theme by the names of ColourNames: "#rrggbb", or a number of the palette.
	Theme   string
	Colours map[string]string
	// ASCII keeps our marks within ASCII, Mouse takes the mouse at the start,
	// NoCopyOnSelect keeps a finished drag from copying, Still stops the spinner.
	ASCII, Mouse, NoCopyOnSelect, Still bool
	// SideBySide and Stacked are the widths of B1: from SideBySide columns list
	// and console stand side by side (0: 120), under Stacked the console fills
	// the window (0: 60).
	SideBySide, Stacked int
	// Keys replaces the keys of bindings by their ID in the key table.
	Keys map[string][]string
	// Wrong is one sentence where a change of the settings is not all right.
	Wrong string
}

func (l Look) withDefaults() Look {
	if l.QuietAfter <= 0 {
		l.QuietAfter = task.QuietAfter
	}
	if l.SideBySide <= 0 {
		l.SideBySide = 120
	}
	if l.Stacked <= 0 {
		l.Stacked = 60
	}
	return l
}

// nextLook waits for changed settings; nil where nobody follows them.
func (fx *effects) nextLook() tea.Cmd {
	if fx.o.Looks == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-fx.ctx.Done():
			return nil
		case l := <-fx.o.Looks:
			return lookMsg{l}
		}
	}
}

type lookMsg struct{ look Look }

// setLook takes changed settings up. What a person switched by a key stays, but
// for what the settings changed.
func (m *Model) setLook(l Look) tea.Cmd {
	if l.Wrong != "" {
		m.say(l.Wrong)
		l.Wrong = ""
	}
	l = l.withDefaults()
	old := m.o.Look
	if reflect.DeepEqual(l, old) {
		return nil
	}
	m.o.Look = l
	if l.Mouse != old.Mouse {
		m.mouse = l.Mouse
	}
	m.keys = newKeymaps(l.Keys)
	m.panel.SetOptions(m.panelOptions())
	if m.console != nil {
		m.console.SetOptions(m.consoleOptions())
	}
	m.setDark(m.dark)
	m.showTime()
	if l.Theme != old.Theme && l.asks() {
		return tea.RequestBackgroundColor
	}
	return nil
}

// asks says that the terminal's background decides between dark and light.
func (l Look) asks() bool { return l.Theme == "" || l.Theme == "auto" }

func (m *Model) panelOptions() panel.Options {
	return panel.Options{Styles: m.theme.panel, ASCII: m.o.ASCII, Still: m.o.Still, QuietAfter: m.o.QuietAfter, Remap: m.o.Keys}
}

func (m *Model) consoleOptions() console.Options {
	return console.Options{Styles: m.theme.console, ASCII: m.o.ASCII, NoColor: m.o.NoColor, NoCopyOnSelect: m.o.NoCopyOnSelect, Remap: m.o.Keys}
}
