package ui

import (
	"strings"

	"offstage/panel"
)

// keyNames are keys as a person reads them on a keyboard.
var keyNames = map[string]string{
	"enter": "↵", "esc": "Esc", "space": "Space", "tab": "Tab", "shift+tab": "Shift-Tab",
	"up": "↑", "down": "↓", "left": "←", "right": "→", "shift+left": "Shift-←", "shift+right": "Shift-→",
	"pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End", "backspace": "⌫",
}

var keyWords = map[string]string{"enter": "Enter", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
	"shift+left": "Shift-Left", "shift+right": "Shift-Right", "backspace": "Backspace"}

// KeyName is a key as it is shown: "↵", "^D", "F2"; in ASCII "Enter".
func KeyName(k string, ascii bool) string {
	if n, ok := keyWords[k]; ok && ascii {
		return n
	}
	if n, ok := keyNames[k]; ok {
		return n
	}
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok && len(rest) == 1 {
		return "^" + strings.ToUpper(rest)
	}
	if rest, ok := strings.CutPrefix(k, "alt+"); ok {
		return "Alt-" + rest
	}
	if len(k) > 1 && k[0] == 'f' && k[1] >= '0' && k[1] <= '9' {
		return "F" + k[1:]
	}
	return panel.Clean(k)
}

// helpLines is the key table as a page: a group a heading; two groups stand
// side by side where both fit.
func (m *Model) helpLines(w int) []string {
	st := m.theme.panel
	out := []string{" " + both(w-2, "Keys", st.Strong, "Esc closes", st.Dim)}
	cols := 1
	if w >= 110 {
		cols = 2
	}
	cw := (w - 2 - 2*(cols-1)) / cols
	blocks := m.helpGroups(cw)
	half := len(blocks)
	if cols == 2 {
		half = balance(blocks)
	}
	left, right := flat(blocks[:half]), flat(blocks[half:])
	for i := 0; i < max(len(left), len(right)); i++ {
		row := ""
		if i < len(left) {
			row = left[i]
		}
		if i < len(right) {
			row = panel.Pad(row, cw) + "  " + right[i]
		}
		out = append(out, " "+row)
	}
	return out
}

// helpGroups are the groups of the table, each with a blank line and a heading.
func (m *Model) helpGroups(w int) [][]string {
	st := m.theme.panel
	const col = 16
	var out [][]string
	last := ""
	for _, k := range keyTable(m.o.Keys) {
		if k.Group != last {
			out = append(out, []string{"", st.Accent.On(k.Group)})
			last = k.Group
		}
		var names []string
		for _, n := range k.Keys {
			names = append(names, KeyName(n, m.o.ASCII))
		}
		g := &out[len(out)-1]
		rows := panel.Wrap(k.Words, max(w-col, 12), 9) // never cut: a page can be scrolled
		for i, row := range rows {
			name := ""
			if i == 0 {
				name = strings.Join(names, " ")
			}
			*g = append(*g, m.theme.key.On(panel.Pad(name, col-1))+" "+st.Text.On(row))
		}
	}
	return out
}

func flat(blocks [][]string) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, b...)
	}
	return out
}

// balance is where to cut the groups so that both columns are about as long.
func balance(blocks [][]string) int {
	total, sum := len(flat(blocks)), 0
	for i, b := range blocks {
		sum += len(b)
		if sum*2 >= total {
			return i + 1
		}
	}
	return len(blocks)
}
