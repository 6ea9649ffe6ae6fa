package console

import (
	"time"

	"offstage/task"
)

// patience is how long an answer may take before the page is asked for again.
const patience = 5 * time.Second

// flight is the request whose answer is awaited.
type flight struct {
	req  task.PageRequest
	on   bool
	goal bool
	at   time.Time
}

// Want gives the page of rows that is needed now; false when nothing is, or
// while an answer is on its way. A jump goes before all else, also before an
// answer that is awaited; then the tail while following, then the neighbours
// of what is in view. Ask after every Update and run each answer once.
func (m *Model) Want() (task.PageRequest, bool) {
	if m.task.ID == "" || m.unreadable() {
		return task.PageRequest{}, false
	}
	if m.goal.kind != noGoal && !m.goal.asked {
		m.goal.asked = true
		return m.send(m.request(m.goal), true)
	}
	if m.flight.on && m.now.Sub(m.flight.at) < patience {
		return task.PageRequest{}, false
	}
	if m.flight.on {
		m.goal.asked = false
	}
	if req, ok := m.needed(); ok {
		return m.send(req, false)
	}
	return task.PageRequest{}, false
}

func (m *Model) send(req task.PageRequest, isGoal bool) (task.PageRequest, bool) {
	req.Filter = m.filter
	m.flight = flight{req: req, on: true, goal: isGoal, at: m.now}
	return req, true
}

// Failed tells that the request in flight got no answer; a jump is given up,
// all else is asked for again after a while.
func (m *Model) Failed() {
	m.flight = flight{}
	if m.goal.asked {
		m.goal = goal{}
	}
	m.holdUntil = m.now.Add(patience)
	m.touch()
}

// stamp is what must differ for rows at the end to differ.
type stamp struct {
	size, arrived int64
	write         time.Time
	gen           int
	mark          string
}

func stampOf(f task.Facts) stamp {
	return stamp{f.Size, f.Arrived, f.LastWrite, f.Gen, f.EndMark}
}

// unreadable: there is no output to ask for.
func (m *Model) unreadable() bool {
	return !m.task.Can.Read && m.task.Output.Path == "" && !m.win.loaded
}

// needed is the page that the view misses, without any wish of the reader.
func (m *Model) needed() (task.PageRequest, bool) {
	w := &m.win
	stale := stampOf(m.facts) != m.tailAt
	switch {
	case m.now.Before(m.holdUntil):
		return task.PageRequest{}, false
	case !w.loaded || m.facts.Gen > m.gen:
		return task.PageRequest{Tail: true, Before: pageRows}, true
	case w.masked < m.facts.Masked && m.follow && m.filter == w.filter:
		return task.PageRequest{Tail: true, Before: pageRows}, true
	case w.filter != m.filter || w.masked < m.facts.Masked: // its jump came to nothing, or more is to be hidden
		at := max(m.byteAt(m.top()), 0)
		return task.PageRequest{At: at, Before: aroundRows, After: aroundRows}, true
	case m.follow && m.filter != nil && w.filter == m.filter && w.bottom:
		return m.filteredEnd(stale)
	case m.follow:
		return task.PageRequest{Tail: true, Before: m.tailRows()}, stale || !w.bottom
	}
	if i := m.passedIn(); i >= 0 {
		if req, ok := m.passedRequest(i); ok {
			return req, true
		}
	}
	first, last := m.span()
	if !w.top && !w.lost && first <= m.geo.body && w.start != m.startTried {
		return m.before(aheadRows), true
	}
	if len(w.rows)-last <= m.geo.body+1 && (stale || !w.bottom && w.end != m.endTried) {
		return m.behind(aheadRows), true
	}
	return task.PageRequest{}, false
}

// filteredEnd is what a following reader of a filter needs: what came, looked
// through once, and enough rows above to fill the view.
func (m *Model) filteredEnd(stale bool) (task.PageRequest, bool) {
	w := &m.win
	switch {
	case stale:
		return m.behind(pageRows), true
	case len(w.rows) < 2*m.geo.body && !w.top && !w.lost && w.start != m.startTried:
		return m.before(aheadRows), true
	}
	return task.PageRequest{}, false
}

// tailRows is how many rows of the tail can have changed since the last page:
// what arrived, and a margin for blocks that are redrawn.
func (m *Model) tailRows() int {
	const margin = 256
	switch {
	case !m.win.bottom:
		return pageRows
	case m.flooded():
		return m.floodRows()
	}
	return int(min(max(m.facts.Arrived-m.tailAt.arrived+margin, margin), pageRows))
}

// before asks for n rows before the window. Where the window begins inside a
// record of several rows, the rows of it that are missing are asked for too.
func (m *Model) before(n int) task.PageRequest {
	req := task.PageRequest{At: m.win.start, Before: n}
	if len(m.win.rows) > 0 {
		req.After = m.win.rows[0].line.Part
	}
	return req
}

// behind asks for n rows behind the window, from its last row on: that may have
// grown since.
func (m *Model) behind(n int) task.PageRequest {
	if len(m.win.rows) == 0 && m.filter == nil {
		return task.PageRequest{At: m.win.end, After: n}
	}
	if m.filter != nil { // the last row may be far before the end
		at := m.win.end
		if m.win.bottom { // the line there may have grown
			at = max(at-1, 0)
		}
		return task.PageRequest{At: at, After: n}
	}
	l := &m.win.rows[len(m.win.rows)-1].line
	return task.PageRequest{At: l.Offset, After: n + l.Part}
}

// span gives the rows of the window that the view shows, first and last.
func (m *Model) span() (first, last int) {
	p := m.top()
	e := m.step(p, m.geo.body-1)
	return m.windowRow(p.row), m.windowRow(e.row)
}

// windowRow is the row of the window that a row of the list stands for or stands
// behind.
func (m *Model) windowRow(i int) int {
	switch {
	case i < m.earlier():
		return 0
	case i >= m.earlier()+len(m.shown):
		return len(m.win.rows)
	}
	return max(find(m.win.rows, m.list[i].key()), 0)
}
