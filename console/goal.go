package console

import "offstage/task"

// How many rows are asked for at once: the first page and the steps of B4, and
// what is fetched around a place.
const (
	pageRows   = 2000
	aroundRows = 600
	aheadRows  = 800
)

// goalKind is where the reader wants to go while the rows are not there.
type goalKind int

const (
	noGoal goalKind = iota
	goalEnd
	goalHome
	goalOffset
	goalPlace
	goalLine
	goalEarlier
	goalHit
)

// goal is a wish that a page has to fulfil. The view stays on what it shows
// until that page is there.
type goal struct {
	kind goalKind
	// at is the byte that the page must cover.
	at int64
	// line is the 1-based line of goalLine, name that of its failure, tries how
	// often its place was guessed.
	line  int64
	name  string
	tries int
	place Place
	// part of goalHit: of several rows of one record.
	part int
	// asked: the request of this goal is in flight.
	asked bool
}

// lineTries bounds the guesses at the offset of a line.
const lineTries = 8

// request is the page that fulfils the goal.
func (m *Model) request(g goal) task.PageRequest {
	switch g.kind {
	case goalEnd:
		return task.PageRequest{Tail: true, Before: pageRows}
	case goalHome:
		return task.PageRequest{At: 0, After: pageRows}
	case goalEarlier:
		return m.before(pageRows)
	case goalLine:
		return task.PageRequest{Line: g.line, At: g.at, Before: aroundRows, After: aroundRows}
	}
	return task.PageRequest{At: g.at, Before: aroundRows, After: aroundRows}
}

// seek goes somewhere: at once where the rows are loaded, else by way of Want.
func (m *Model) seek(g goal) {
	m.goal = g
	if m.win.loaded && m.arrive(false) {
		m.goal = goal{}
	}
	m.touch()
}

// toEnd follows again. Where the end is not loaded, the view stays until it is.
func (m *Model) toEnd() {
	m.seek(goal{kind: goalEnd})
}

// arrive moves the view to the goal if it is loaded; fresh says that a page
// was asked for it. It gives false while the goal still waits.
func (m *Model) arrive(fresh bool) bool {
	switch g := m.goal; g.kind {
	case goalEnd:
		if !m.win.bottom && !fresh {
			return false
		}
		m.setFollow(true)
	case goalHome:
		if !m.win.top && !m.win.lost && !fresh {
			return false
		}
		m.setFollow(false)
		m.anchor = m.anchorOf(pos{})
	case goalOffset, goalPlace, goalHit:
		if !m.covers(g.at) || m.win.filter != m.filter {
			return false
		}
		m.reach(g)
	case goalLine:
		return m.reachLine()
	case goalEarlier:
		return fresh
	}
	return true
}

// covers says whether a byte lies in what is loaded.
func (m *Model) covers(at int64) bool {
	w := &m.win
	return (at >= w.start || w.top) && (at < w.end || w.bottom)
}

// reach puts the goal's byte at the top of the view.
func (m *Model) reach(g goal) {
	switch {
	case g.kind == goalHit:
		m.reachHit(g)
	case g.kind == goalPlace && !m.stands(g.place):
		m.setFollow(true)
	case g.kind == goalPlace:
		m.setFollow(false)
		m.anchor = anchor{key{g.place.Offset, g.place.Part}, g.place.Byte}
	default:
		m.setFollow(false)
		i := find(m.list, key{g.at, 1 << 30})
		m.anchor = m.anchorOf(pos{max(i, 0), 0})
	}
}
