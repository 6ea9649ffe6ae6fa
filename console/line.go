package console

import "offstage/task"

// A failed test is known by its line, a page by its offset. An output that has
// counted that far gives the page of a line; until it has, the offset is guessed
// from rows whose numbers are known, and guessed again from what the guess
// brought. The view stays where it is meanwhile.

// reachLine goes to the row of the goal's line if it is loaded.
func (m *Model) reachLine() bool {
	want := m.goal.line
	for i, r := range m.list {
		n := r.line.Number
		if n > want {
			return false
		}
		if n > 0 && want < n+int64(times(&r.line)) {
			m.setFollow(false)
			m.anchor = m.anchorOf(m.step(pos{i, 0}, -m.geo.body/4))
			m.cursor = r.key()
			return true
		}
	}
	return false
}

// missed takes a page that was asked for a line and does not hold it: the next
// guess is made from it; after lineTries of them the person is told.
func (m *Model) missed(p task.Page) {
	m.flight = flight{}
	want := m.goal.line
	at := m.guess(want, ends(len(p.Lines), func(i int) *task.Line { return &p.Lines[i] }))
	m.goal.tries++
	if m.goal.tries < lineTries && at != m.goal.at {
		m.goal.at, m.goal.asked = at, false
		return
	}
	m.goal = goal{}
	m.note = "Line " + count(want) + " cannot be found yet: lines are still being counted"
	if m.facts.LinesKnown {
		m.note = "Line " + count(want) + " is not in this output any more"
	}
}

// known are the first and the last of some rows whose numbers are known.
type known struct{ first, last *task.Line }

func ends(n int, line func(int) *task.Line) known {
	var k known
	for i := range n {
		if l := line(i); l.Number > 0 && l.Mark == task.NoMark {
			if k.first == nil {
				k.first = l
			}
			k.last = l
		}
	}
	return k
}

// loadedEnds are those of the window.
func (m *Model) loadedEnds() known {
	return ends(len(m.win.rows), func(i int) *task.Line { return &m.win.rows[i].line })
}

// guess is the byte where a line should stand.
func (m *Model) guess(line int64, k known) int64 {
	size := max(m.facts.Size, m.win.end)
	per := int64(80)
	if m.facts.Lines > 0 && m.facts.LinesKnown {
		per = max(size/m.facts.Lines, 1)
	}
	at := (line - 1) * per
	switch {
	case k.first == nil:
	case line < k.first.Number:
		// Between the start of the file and a known row both ends are sure.
		at = (line - 1) * k.first.Offset / max(k.first.Number-1, 1)
	default:
		if k.last.Number > k.first.Number {
			per = max((k.last.Offset-k.first.Offset)/(k.last.Number-k.first.Number), 1)
		}
		at = k.last.Offset + (line-k.last.Number)*per
	}
	return min(max(at, 0), size)
}

// holdsLine says whether a page has the row of a line.
func holdsLine(p task.Page, line int64) bool {
	for i := range p.Lines {
		l := &p.Lines[i]
		if l.Number > 0 && l.Number <= line && line < l.Number+int64(times(l)) {
			return true
		}
	}
	return false
}
