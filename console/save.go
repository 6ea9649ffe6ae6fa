package console

import "strings"

// Saving: a path is typed, with a name proposed; what is written are masked rows,
// and a file that is there is never touched (B13). The root does it.

// beginSave opens the input with a name after the task.
func (m *Model) beginSave() Action {
	if len(m.win.rows) == 0 {
		return Toast{"There is nothing to save yet"}
	}
	m.prompt(forSave, saveName(m.title()), false)
	return nil
}

// saveName is a file name made of a title.
func saveName(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.TrimSuffix(strings.Trim(b.String(), "-."), ".log")
	if name == "" {
		name = "output"
	}
	return name[:min(len(name), 40)] + ".log"
}

// saveWhat says what is going to be written.
func (m *Model) saveWhat() string {
	switch {
	case m.sel.on:
		n := int64(m.selectedRows())
		return "selection" + m.set.dot + count(n) + plural(int(n), " line", " lines")
	case m.filter != nil:
		return m.filterWords()
	}
	return "all lines"
}

func (m *Model) savePieces() []piece {
	ps := []piece{
		{text: "save to ", look: m.look.text, rank: 2, gap: 2},
		{text: m.find.text + m.set.caret, look: m.look.accent, flex: true},
		{text: m.saveWhat(), look: m.look.text, rank: 3, gap: 3},
	}
	if m.sel.on {
		return ps
	}
	mode, other := "plain", "colours"
	if m.saveANSI {
		mode, other = "colours", "plain"
	}
	return append(ps, piece{text: mode, look: m.look.text, rank: 4, gap: 2}, piece{text: "tab " + other, look: m.look.dim, rank: 5, gap: 2})
}

// save asks for the file.
func (m *Model) save(path string) Action {
	a := Save{Path: strings.TrimSpace(path), ANSI: m.saveANSI, Filter: m.filter}
	if a.Path == "" {
		return Toast{"Nothing was saved: it has no name"}
	}
	if !m.sel.on {
		return a
	}
	c, ok := m.copySelection().(Copy)
	if !ok {
		return Toast{"There is nothing to save here"}
	}
	m.unselect()
	a.Selection, a.Text, a.Rows, a.Redacted = true, c.Text, c.Rows, c.Redacted
	return a
}
