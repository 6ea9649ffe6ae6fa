package panel

// Mouse acts on a click at a cell of the panel (0,0 is its upper left corner).
// False means that nothing is there.
func (m *Model) Mouse(x, y int) (Action, bool) {
	m.View() // what is hit is what was drawn
	if y < 0 || y >= len(m.lines) {
		return nil, false
	}
	p := m.lines[y]
	what := hitRow
	for _, z := range p.zones {
		if x >= z.from && x < z.to {
			what = z.what
		}
	}
	if what == hitToggle {
		return Toggle{}, true
	}
	if p.item < 0 {
		return nil, false
	}
	it := m.items[p.item]
	if it.kind == heading {
		return m.clickHeading(it), true
	}
	m.Select(it.id)
	if what == hitURL {
		return openCard(it.card), true
	}
	if it.isAgent() {
		return openAgent(it.task), true
	}
	if it.kind != taskRow {
		return Moved{}, true
	}
	switch what {
	case hitStop:
		return AskStop{it.id}, true
	case hitFold:
		return m.setTree(it.id, !m.treeOpen(it.task)), true
	case hitHide:
		return Hide{it.id}, true
	case hitChip:
		return OpenFailure{it.id}, true
	case hitYes:
		return ConfirmStop{it.id}, true
	case hitNo:
		return KeepOn{it.id}, true
	}
	if s := m.stops[it.id]; s.Phase == Asking {
		return Moved{}, true
	}
	if a, ok := m.openFlow(); ok {
		return a, true
	}
	return Open{it.id}, true
}

// Wheel moves the cursor by n rows, down where n is positive.
func (m *Model) Wheel(n int) Action { return m.move(n) }
