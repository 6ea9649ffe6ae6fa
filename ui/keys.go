package ui

import (
	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/panel"
)

// Key is one line of the one key table, from which the help overlay, the hint
// line and the documents are made.
type Key struct {
	// ID is its name in the settings ("window.filter"); "" for a key that stays.
	ID string
	// Keys as Bubble Tea prints them ("enter", "shift+tab"), the first to show.
	Keys []string
	// Words say what it does. Hint is its word in the hint line, "" for none.
	Words, Hint string
	// Group is the heading that it stands under in the help.
	Group string
	do    func(*Model) tea.Cmd
}

// windowKeys act wherever the pane with the focus has no use for the key.
func windowKeys() []Key {
	return []Key{
		{ID: "window.filter", Keys: []string{"/"}, Words: "Filter the list", Hint: "filter", do: does((*Model).startFilter)},
		{ID: "window.details", Keys: []string{"i"}, Words: "All that is known of the task", Hint: "details", do: does(func(m *Model) { m.toggleOver(overDetails) })},
		{ID: "window.pane", Keys: []string{"tab", "shift+tab"}, Words: "List, or the pane beside or above it", Hint: "pane", do: does((*Model).nextFocus)},
		{ID: "window.next_session", Keys: []string{"s"}, Words: "Next agent session: its plan and finished sub-agents", Hint: "session", do: does(func(m *Model) { m.stepSession(1) })},
		{ID: "window.previous_session", Keys: []string{"S"}, Words: "Previous agent session", do: does(func(m *Model) { m.stepSession(-1) })},
		{ID: "window.agent", Keys: []string{"p"}, Words: "Go to the terminal pane of the session's agent", Hint: "agent", do: (*Model).goToAgent},
		{ID: "window.everywhere", Keys: []string{"A"}, Words: "Tasks of other projects too, or not", Hint: "everywhere", do: (*Model).switchEverywhere},
		{ID: "window.ended", Keys: []string{"H"}, Words: "Every ended task that is still kept, or not", Hint: "ended", do: (*Model).switchEnded},
		{ID: "window.unhide", Keys: []string{"u", "U"}, Words: "Bring back the row that was hidden last", do: (*Model).unhide},
		{ID: "window.hide_ended", Keys: []string{"D"}, Words: "Hide all ended tasks", do: (*Model).hideEnded},
		{ID: "window.next_task", Keys: []string{"]"}, Words: "Next task, console open", do: func(m *Model) tea.Cmd { return m.neighbour(1) }},
		{ID: "window.previous_task", Keys: []string{"["}, Words: "Previous task, console open", do: func(m *Model) tea.Cmd { return m.neighbour(-1) }},
		{ID: "window.mouse", Keys: []string{"M", "f2", "f10"}, Words: "Give the mouse to the terminal, or take it", do: does((*Model).switchMouse)},
		{ID: "window.help", Keys: []string{"?", "f1"}, Words: "This help", Hint: "help", do: does(func(m *Model) { m.toggleOver(overHelp) })},
		{ID: "window.back", Keys: []string{"esc"}, Words: "Close what is on top; never the program", do: (*Model).back},
		{ID: "window.quit", Keys: []string{"q"}, Words: "Back, then quit; tasks run on", Hint: "quit", do: (*Model).backOrQuit},
		{Keys: []string{"ctrl+c"}, Words: "Quit at once; no task is touched", do: (*Model).quitNow},
	}
}

func does(f func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { f(m); return nil }
}

// stopKeys answer the question of a stop; any other key takes it back.
func stopKeys() []Key {
	return []Key{
		{ID: "stop.confirm", Keys: []string{"y", "enter"}, Words: "Stop what is shown", Hint: "stop", do: func(m *Model) tea.Cmd { return m.confirm(false) }},
		{ID: "stop.kill", Keys: []string{"K"}, Words: "End it at once, without a grace", Hint: "kill", do: func(m *Model) tea.Cmd { return m.confirm(true) }},
		{ID: "stop.keep", Keys: []string{"n", "esc"}, Words: "Keep it running", Hint: "keep", do: does((*Model).dropQuestion)},
	}
}

// pageKeys move in a page on top of the pane: help, details, a card.
func pageKeys() []Key {
	by := func(n func(*Model) int) func(*Model) tea.Cmd {
		return does(func(m *Model) { m.scroll = max(0, m.scroll+n(m)) })
	}
	return []Key{
		{ID: "page.down", Keys: []string{"down", "j"}, Words: "A line down", do: by(func(*Model) int { return 1 })},
		{ID: "page.up", Keys: []string{"up", "k"}, Words: "A line up", do: by(func(*Model) int { return -1 })},
		{ID: "page.page_down", Keys: []string{"pgdown", "space", "ctrl+d"}, Words: "A page down", do: by(func(m *Model) int { return max(m.h-4, 1) })},
		{ID: "page.page_up", Keys: []string{"pgup", "b", "ctrl+u"}, Words: "A page up", do: by(func(m *Model) int { return -max(m.h-4, 1) })},
		{ID: "page.top", Keys: []string{"home", "g"}, Words: "To the top", do: by(func(m *Model) int { return -m.scroll })},
		{ID: "page.end", Keys: []string{"end", "G"}, Words: "To the end", do: by(func(*Model) int { return 1 << 20 })},
	}
}

// KeyTable is every key of the window with its words and group, in the order of
// the help, as it is without any setting.
func KeyTable() []Key { return keyTable(nil) }

// keyTable is the table with the keys that a person gave to an ID instead.
func keyTable(own map[string][]string) []Key {
	var out []Key
	for _, b := range panel.New(panel.Options{Remap: own}).Keys() {
		out = append(out, Key{ID: b.ID, Keys: b.Keys, Words: b.Words, Hint: b.Hint, Group: "List"})
	}
	out = append(out, group("Stop", remapped(stopKeys(), own))...)
	for _, b := range console.New(console.Options{Remap: own}).Keys() {
		if b.Group == "Stop" {
			continue // the window itself answers the question
		}
		out = append(out, Key{ID: b.ID, Keys: b.Keys, Words: b.Words, Hint: b.Hint, Group: consoleGroup(b.Group)})
	}
	out = append(out, group("Window", remapped(windowKeys(), own))...)
	return append(out, group("Pages", remapped(pageKeys(), own))...)
}

// remapped puts a person's own keys in the place of the usual ones.
func remapped(keys []Key, own map[string][]string) []Key {
	for i, k := range keys {
		if list, ok := own[k.ID]; ok && k.ID != "" {
			keys[i].Keys = list
		}
	}
	return keys
}

// The tables of this window, remapped once.
type keymaps struct{ window, stop, page, card []Key }

func newKeymaps(own map[string][]string) keymaps {
	return keymaps{
		window: remapped(windowKeys(), own), stop: remapped(stopKeys(), own),
		page: remapped(pageKeys(), own), card: remapped(cardKeys(), own),
	}
}

func consoleGroup(g string) string {
	if g == "" {
		return "Console"
	}
	return "Console: " + g
}

func group(name string, keys []Key) []Key {
	for i := range keys {
		keys[i].Group = name
	}
	return keys
}

// press runs the first of keys that is bound to k.
func (m *Model) press(keys []Key, k string) (tea.Cmd, bool) {
	for _, key := range keys {
		for _, name := range key.Keys {
			if name == k {
				return key.do(m), true
			}
		}
	}
	return nil, false
}

// key sends a key to whoever has the use of it: the question of a stop, the
// filter's input, the page on top, the pane with the focus, the window.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	k := msg.String()
	if k == "ctrl+c" || k == "ctrl+alt+c" { // Esc and ^C in one read
		return m.quitNow()
	}
	if m.typing {
		return m.typed(msg)
	}
	if m.answerEarly(k) {
		return nil
	}
	if id, s := m.question(); s != nil {
		if cmd, used := m.press(m.keys.stop, k); used {
			return cmd
		}
		m.dropStop(id)
	}
	if m.over != noOverlay {
		if cmd, used := m.press(m.keys.page, k); used {
			return cmd
		}
		if m.over == overHelp && k != "?" && k != "f1" && k != "q" && k != "esc" {
			return nil
		}
	} else if cmd, used := m.paneKey(k); used {
		return cmd
	}
	cmd, _ := m.press(m.keys.window, k)
	return cmd
}

func (m *Model) paneKey(k string) (tea.Cmd, bool) {
	if m.console != nil && m.focus == onUpper {
		a, used := m.console.Key(k)
		if used {
			return m.doConsole(a), true
		}
		return nil, false
	}
	if m.focus == onUpper {
		if cmd, used := m.press(m.keys.card, k); used {
			return cmd, true
		}
	}
	if m.empty() {
		return m.press(m.keys.page, k)
	}
	if m.lay.mode == panel.Collapsed && m.panel.Knows(k) {
		m.collapsed = false // no key acts on a row that is not on the screen
		return nil, true
	}
	a, used := m.panel.Key(k)
	if used {
		return m.do(a), true
	}
	return nil, false
}
