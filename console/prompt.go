package console

// The footer while something is typed, searched for or filtered.

// promptPieces are the input: what is typed, how it is taken, and which key
// changes that.
func (m *Model) promptPieces() []piece {
	f := &m.find
	switch f.what {
	case forSave:
		return m.savePieces()
	case forAnswer:
		return m.answerPieces()
	}
	sign := "/"
	if f.what == forFilter {
		sign = "&"
	}
	ps := []piece{{text: sign + f.text + m.set.caret, look: m.look.accent, flex: true, gap: 2}}
	mode, other := "plain", "regexp"
	if f.expr {
		mode, other = "regexp", "plain"
	}
	if f.what == forFilter {
		mode += ", ! first hides"
	}
	switch {
	case f.bad != "":
		why := word(f.bad)
		if m.narrow() {
			why = "not a regexp"
		}
		ps = append(ps, piece{text: why, look: m.look.amber, gap: 2})
	case f.what == forSearch && f.text != "":
		ps = append(ps, m.countPieces()...)
	}
	return append(ps,
		piece{text: mode, look: m.look.text, rank: 3, gap: 3},
		piece{text: "ctrl+r " + other, look: m.look.dim, rank: 4, gap: 2})
}

// countPieces are the number of hits and, while it is looked for more, how far.
func (m *Model) countPieces() []piece {
	at, of := m.tally()
	n := count(of) + plural(int(min(of, 2)), " hit", " hits")
	if at > 0 {
		n = count(at) + " of " + count(of)
	}
	ps := []piece{{text: n, look: m.look.text, gap: 2}}
	switch f := &m.find; {
	case f.seq != 0 && (!f.told || !f.found.Done):
		ps = append(ps, piece{text: m.set.dot + m.searched(), look: m.look.dim, rank: 2})
	case !f.told && !(m.win.top && m.win.bottom):
		ps = append(ps, piece{text: " in what is loaded", look: m.look.dim, rank: 2})
	}
	return ps
}

// searchPieces are the footer while a search is on.
func (m *Model) searchPieces() []piece {
	sign := "/"
	if m.find.query.Regexp {
		sign = "regexp /"
	}
	ps := append([]piece{{text: sign + m.find.query.Text, look: m.look.accent, flex: true, gap: 2}}, m.countPieces()...)
	if m.filter != nil {
		ps = append(ps, piece{text: m.filterWords(), look: m.look.accent, rank: 4, gap: 3})
	}
	return append(ps, m.backPieces()...)
}

// backPieces are the way back to the end behind other words.
func (m *Model) backPieces() []piece {
	if m.follow {
		return nil
	}
	jump := m.jumpPieces()
	for i := range jump {
		jump[i].rank += 2
	}
	jump[0].gap = 3
	return jump
}

// promptHints are the keys of the input.
func (m *Model) promptHints() []Binding {
	begin, leave := "find", "leave"
	switch m.find.what {
	case forFilter:
		begin = "filter"
	case forSave:
		return []Binding{
			{ID: "console.search.go", Keys: []string{"enter"}, Hint: "save"},
			{ID: "console.save.colours", Keys: []string{"tab"}, Hint: "plain or colours"},
			{ID: "console.search.leave", Keys: []string{"esc"}, Hint: leave},
		}
	case forAnswer:
		return []Binding{
			{ID: "console.search.go", Keys: []string{"enter"}, Hint: "send"},
			{ID: "console.answer.hide", Keys: []string{"tab"}, Hint: "hide or show"},
			{ID: "console.search.leave", Keys: []string{"esc"}, Hint: leave},
		}
	}
	return []Binding{
		{ID: "console.search.go", Keys: []string{"enter"}, Hint: begin},
		{ID: "console.search.regexp", Keys: []string{"ctrl+r"}, Hint: "regexp or plain"},
		{ID: "console.search.leave", Keys: []string{"esc"}, Hint: leave},
	}
}
