package panel

import (
	"offstage/task"
)

// narrowBelow is the width under which a row has no middle column: what it
// would say goes to the second line.
const narrowBelow = 72

// columns are the widths that all rows of one view share, so that numbers stand
// in straight lines.
type columns struct {
	w, title, chip, clock, button int
	label, cards                  int // of the agents of workflows, of preview cards
	narrow                        bool
	detail                        detail
}

func (m *Model) columns(d detail) columns {
	c := columns{w: m.w, detail: d, clock: 6, button: 4, narrow: m.w < narrowBelow}
	longest := 0
	for _, it := range m.items {
		switch it.kind {
		case unreported:
			longest = max(longest, Width(UnreportedTitle))
		case taskRow:
			longest = max(longest, Width(Clean(it.task.Title))+2*it.indent+chevronWidth(it.task))
			c.chip = max(c.chip, piecesWidth(m.chip(it.task, c)))
			if m.stops[it.id].Busy() && c.narrow {
				c.chip = max(c.chip, 9)
			}
		case cardRow:
			c.cards = max(c.cards, Width(Clean(it.card.Label)))
		case treeRow:
			if it.isAgent() {
				c.label = max(c.label, Width(Clean(it.task.Title)))
			}
		}
	}
	c.chip, c.label, c.cards = min(c.chip, 18), min(c.label, max(m.w*30/100, 12)), min(c.cards, 20)
	if c.narrow {
		c.title = c.right() - 3 - 1 // below 1 where the chip is lent to the title
		return c
	}
	c.title = min(max(longest, 12), max(m.w*35/100, 18))
	return c
}

// right is the cell where the right-hand block (chip, clock, button) starts.
func (c columns) right() int {
	r := c.w - 1 - c.button - 1 - c.clock
	if c.chip > 0 {
		r -= c.chip + 1
	}
	return r
}

// row paints the first line of a task.
func (m *Model) row(i int, c columns) painted {
	it := m.items[i]
	t := it.task
	focused := it.id == m.sel
	l := m.gutter(it, focused)
	l.add(m.markPaint(t), Mark(t)).add("", " ")
	l.to(3 + 2*it.indent)
	stop := m.stops[it.id]
	room := c.title - 2*it.indent - chevronWidth(t)
	chip := m.chip(t, c)
	if c.narrow { // a row whose chip is short lends the rest to its title
		room += c.chip - piecesWidth(chip)
		if c.chip > 0 && len(chip) == 0 && !stop.Busy() {
			room++
		}
		if stop.Busy() {
			room = c.title - 2*it.indent - chevronWidth(t)
		}
	}
	m.chevron(l, t)
	l.add(m.titlePaint(t, focused), Cut(Clean(t.Title), max(room, 1)))
	m.rowMiddle(l, t, stop, c)
	m.rowRight(l, t, stop, chip, c)
	return l.done(i)
}

func (m *Model) gutter(it item, focused bool) *line {
	l := newLine(m.w)
	switch {
	case focused && m.focus:
		return l.add(m.o.Styles.Accent, "▌")
	case focused:
		return l.add(m.o.Styles.Rule, "▌")
	}
	return l.add("", " ")
}

func (m *Model) titlePaint(t task.Task, focused bool) Paint {
	st := m.o.Styles
	switch {
	case t.ID == m.open && m.open != "":
		return st.Accent
	case focused && m.focus:
		return st.Strong
	case t.Status.Ended():
		return st.Dim
	}
	return st.Text
}

func (m *Model) rowMiddle(l *line, t task.Task, stop Stop, c columns) {
	if c.narrow {
		return
	}
	from := 3 + c.title + 2
	if stop.Busy() {
		room := c.right() + c.chip - from
		b := Cut(stop.Button(), room)
		l.to(from+room-Width(b)).add(m.o.Styles.Amber, b)
		return
	}
	l.to(from)
	l.pieces(m.middle(t, c.detail), c.right()-2-from)
}

func (m *Model) rowRight(l *line, t task.Task, stop Stop, chip []piece, c columns) {
	at := c.right()
	if c.chip > 0 {
		if stop.Busy() && c.narrow {
			l.to(at+c.chip-9).add(m.o.Styles.Amber, "Stopping…")
		} else if !stop.Busy() {
			l.to(at + c.chip - min(piecesWidth(chip), c.chip))
			from := l.w
			l.pieces(chip, c.chip)
			if firstFailure(t) != "" {
				l.zones = append(l.zones, zone{from: from, to: l.w, what: hitChip})
			}
		}
		at += c.chip + 1
	}
	clock := task.Clock(task.Elapsed(t, m.now))
	if t.Started.IsZero() {
		clock = ""
	}
	l.to(at+c.clock-Width(clock)).add(m.o.Styles.Dim, clock)
	l.to(at + c.clock + 1)
	m.button(l, t, stop, c)
}

// button is Stop on what runs and can be stopped, × on what ended (A5, A6).
func (m *Model) button(l *line, t task.Task, stop Stop, c columns) {
	p := m.o.Styles.Dim
	if t.ID == m.sel && m.focus {
		p = m.o.Styles.Link
	}
	switch {
	case t.Status.Ended():
		l.to(l.w+c.button-1).act(hitHide, p, "×")
	case stop.Busy() || stop.Phase == Asking || stop.Phase == Planning:
	case t.Can.Stop:
		l.act(hitStop, p, "Stop")
	}
}

// UnreportedTitle names background work of which nothing can be found (G5).
const UnreportedTitle = "background work, details not reported"

// unreportedRow is the one row of a session whose background work cannot be
// found (G5).
func (m *Model) unreportedRow(i int) painted {
	it := m.items[i]
	l := m.gutter(it, it.id == m.sel)
	p := m.o.Styles.Text
	if it.id == m.sel && m.focus {
		p = m.o.Styles.Strong
	}
	l.add(m.o.Styles.Amber, "?").add("", " ").add(p, Cut(UnreportedTitle, m.w-4))
	return l.done(i)
}

// headingRow is the title of a session's group (A7). The title keeps two fifths
// of the row; the state gives up its age and its reason before it is cut.
func (m *Model) headingRow(i int) painted {
	it := m.items[i]
	s, st := it.session, m.o.Styles
	focused := it.id == m.sel
	l := m.gutter(it, focused)
	p := TitlePaint(s, it.running, st)
	most := m.w - 4 - min(Width(SessionTitle(s)), m.w*2/5)
	state := SessionWords(s, m.now, it.running)
	if Width(state) > most {
		state = Cut(SessionState(s, it.running), most)
	}
	room := m.w - 2 - Width(state) - 2
	if len(it.under) > 0 {
		l.add(st.Dim, "▸ ")
		room -= 2
	}
	l.add(p, Cut(SessionTitle(s), max(room, 1)))
	if n := it.rows(); n > 0 {
		words := "  " + folded(n)
		if room-l.w >= Width(words) {
			l.add(st.Dim, words)
		}
	}
	if left := room + 1 - l.w; left > 8 && s.Branch != "" {
		l.add(st.Dim, Cut("  "+Clean(s.Branch), left))
	}
	l.to(m.w-1-Width(state)).add(SessionPaint(s, it.running, st), state)
	return l.done(i)
}
