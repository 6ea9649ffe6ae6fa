package ui

import (
	"offstage/panel"
)

// hintLine is the last line: what is being typed, or the keys that act on what
// is under the cursor; at its right end what just happened.
func (m *Model) hintLine() string {
	st := m.theme.panel
	if m.typing {
		text := "/" + m.filter + "▏"
		if over := panel.Width(text) - (m.w - 24); over > 0 && m.w > 30 {
			text = "/…" + lastCells(m.filter, m.w-28) + "▏"
		}
		n := count(m.panel.Rows(), "row", "rows")
		return m.ascii(" " + both(m.w-2, text, st.Accent, n+" · Enter keeps · Esc clears", st.Dim))
	}
	right := m.toast
	if right == "" {
		right = m.trouble
	}
	right = panel.Cut(panel.Clean(right), max(m.w-4, 0))
	room := m.w - 2
	if right != "" {
		room -= panel.Width(right) + 2
	}
	left := m.hintKeys(room)
	gap := m.w - 2 - panel.Width(left) - panel.Width(right)
	p := st.Accent
	if m.toast == "" {
		p = st.Amber
	}
	return m.ascii(" " + left + spaces(gap) + p.On(right))
}

func spaces(n int) string {
	if n <= 0 {
		return ""
	}
	return panel.Pad("", n)
}

// lastCells is the end of s that fits into w cells.
func lastCells(s string, w int) string {
	r := []rune(s)
	for len(r) > 0 && panel.Width(string(r)) > w {
		r = r[1:]
	}
	return string(r)
}

// hintKeys are as many hints as fit; the last are always the way back and the help.
func (m *Model) hintKeys(room int) string {
	help := m.hint("?", "help")
	if _, s := m.question(); s == nil && m.layered() {
		help = m.hint("esc", "back") + "   " + help
	}
	out := ""
	for _, k := range m.hints() {
		if k.Keys[0] == "esc" && m.layered() {
			continue
		}
		h := m.hint(k.Keys[0], k.Hint)
		if panel.Width(out)+panel.Width(h)+3+panel.Width(help) > room {
			break
		}
		out += h + "   "
	}
	if panel.Width(out)+panel.Width(help) > room {
		return ""
	}
	return out + help
}

func (m *Model) hint(key, word string) string {
	return m.theme.key.On(KeyName(key, m.o.ASCII)) + " " + m.theme.panel.Dim.On(word)
}

// hints are the keys that act on what is there now, the most useful first.
func (m *Model) hints() []Key {
	if _, s := m.question(); s != nil {
		return hinted(m.keys.stop)
	}
	if m.over != noOverlay {
		return []Key{{Keys: []string{"j"}, Hint: "down"}, {Keys: []string{"k"}, Hint: "up"}}
	}
	var out []Key
	if m.console != nil && m.focus == onUpper {
		for _, b := range m.console.Hints() {
			if b.Hint != "" && b.Keys[0] != "?" {
				out = append(out, Key{Keys: b.Keys, Hint: b.Hint})
			}
		}
		return out
	}
	if m.focus == onUpper {
		out = append(out, hinted(m.keys.card)...)
	} else if m.lay.mode == panel.Collapsed {
		out = append(out, Key{Keys: []string{"enter"}, Hint: "unfold"})
	} else {
		for _, b := range m.panel.Hints() {
			out = append(out, Key{Keys: b.Keys, Hint: b.Hint})
		}
	}
	return append(out, m.windowHints()...)
}

// windowHints leaves out what would do nothing here.
func (m *Model) windowHints() []Key {
	var out []Key
	for _, k := range hinted(m.keys.window) {
		switch k.Hint {
		case "filter", "details", "pane":
			if m.panel.Rows() == 0 || (k.Hint == "details" && m.lay.mode == panel.Collapsed) || (k.Hint == "pane" && m.console == nil && len(m.cards()) == 0) {
				continue
			}
		case "agent":
			if s, ok := m.agentSession(); !ok || s.Pane == "" || m.o.GoToPane == nil {
				continue
			}
		case "session":
			if m.console != nil || len(m.snap.Sessions) == 0 || (len(m.snap.Sessions) == 1 && !m.empty()) {
				continue
			}
		case "help":
			continue
		case "quit":
			if m.layered() {
				continue // Esc stands there already
			}
		}
		out = append(out, k)
	}
	return out
}

func hinted(keys []Key) []Key {
	var out []Key
	for _, k := range keys {
		if k.Hint != "" {
			out = append(out, k)
		}
	}
	return out
}
