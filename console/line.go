package console

import (
	"strings"

	"offstage/task"
)

// A failed test is known by its line, a page by its offset. An output that has
// counted that far gives the page of a line; until it has, the offset is guessed
// from rows whose numbers are known, and guessed again from what the guess
// brought. The view stays where it is meanwhile.

// reachLine goes to the row of the goal's line if it is loaded. Where rows were
// redrawn several lines of the file are one row, whose number is that of its
// first state: there the name of the failure says which row near by it is.
func (m *Model) reachLine() bool {
	g := m.goal
	if !holds(m.loadedEnds(), m.win.top, m.win.bottom, g.line) {
		return false
	}
	i := m.earlier()
	for j, r := range m.list {
		if n := r.line.Number; n > 0 && n <= g.line {
			i = j
		}
	}
	if i >= len(m.list) {
		return true
	}
	if l := &m.list[i].line; l.Redrawn || l.Number <= 0 || g.line >= l.Number+int64(times(l)) {
		i = m.nearest(i, lastName(g.name))
	}
	m.cursor = m.list[i].key()
	m.show(m.cursor, m.geo.body/4)
	return true
}

// nearest is the row at or around i that holds a text, i itself where none does.
func (m *Model) nearest(i int, text string) int {
	const reach = 200
	for d := 0; d < reach && text != ""; d++ {
		for _, j := range []int{i + d, i - d} {
			if j >= 0 && j < len(m.list) && m.list[j].line.Mark == task.NoMark && strings.Contains(m.list[j].line.Text, text) {
				return j
			}
		}
	}
	return i
}

// lastName is the innermost part of the name of a test.
func lastName(name string) string {
	for _, sep := range []string{" > ", " › ", "::", " >> "} {
		if i := strings.LastIndex(name, sep); i >= 0 {
			name = name[i+len(sep):]
		}
	}
	return strings.TrimSpace(name)
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
	return holds(ends(len(p.Lines), func(i int) *task.Line { return &p.Lines[i] }), p.Top, p.Bottom, line)
}

// holds says whether rows from the first known number to the last have a line
// among them; at the start and the end of the output nothing is missing.
func holds(k known, top, bottom bool, line int64) bool {
	return k.first != nil && (top || k.first.Number <= line) && (bottom || line < k.last.Number+int64(times(k.last)))
}
