package console

import (
	"time"

	"offstage/task"
)

// SetPage brings the answer to a request of Want. A page of an older
// generation, or one that touches neither the loaded rows nor the place asked
// for, is ignored. The root drops pages of another task itself.
func (m *Model) SetPage(p task.Page) {
	w := &m.win
	if w.loaded && p.Facts.Gen < m.gen || p.Filter != m.filter {
		return
	}
	if len(p.Lines) == 0 && !p.Top && !p.Bottom && p.End == 0 && p.Filter == nil {
		// The file changed faster than it could be read.
		m.flight, m.holdUntil = flight{}, m.now.Add(time.Second)
		m.goal.asked = false
		return
	}
	newer := !w.loaded || p.Facts.Gen > m.gen
	p = m.bridge(p)
	answers := m.answers(p)
	tail := answers && m.flight.req.Tail
	p.Bottom = p.Bottom || tail
	below := standing{}
	if m.goal.kind == goalLine && m.flight.on && m.flight.goal && !newer && (answers || !w.touches(p)) && !holdsLine(p, m.goal.line) {
		m.missed(p)
		return
	}
	switch {
	case newer:
		m.restart(p)
	case p.Facts.Masked != w.masked:
		if p.Facts.Masked < w.masked || !answers || !m.flight.goal && !tail && !m.coversView(p) {
			m.again(p)
			return
		}
		w.replace(p, m.set)
	case w.filter != p.Filter:
		w.replace(p, m.set)
	case w.touches(p):
		below = m.belowMark(p)
		w.merge(p, m.set)
	case answers && (m.flight.goal || tail):
		w.replace(p, m.set)
	default:
		return
	}
	m.takeFacts(p)
	m.relist()
	m.stand(below)
	if answers || newer {
		m.landed(p)
	}
	first, last := m.span()
	keep, most := 2*m.geo.body+aroundRows, maxRows
	if m.flooded() {
		keep, most = m.geo.body, m.floodRows()
	}
	if w.prune(first, last, keep, most, m.follow) {
		m.relist()
	}
	m.touch()
}

// floodRate is more bytes a second than anybody reads.
const floodRate = 20e6

// flooded: more comes than can be read, and the reader follows it.
func (m *Model) flooded() bool { return m.follow && m.facts.Rate > floodRate }

// floodRows is how many rows are asked for, and held, in a flood: they are gone
// with the next page, and each costs at every frame.
func (m *Model) floodRows() int { return 2*m.geo.body + 32 }

// again leaves a page out whose rows were masked by other knowledge of the task's
// secrets than those loaded. Want asks for what is in view first (C9).
func (m *Model) again(p task.Page) {
	m.flight, m.goal.asked = flight{}, false
	m.takeFacts(p)
	m.touch()
}

// coversView says that a page covers what stands at the top of the view.
func (m *Model) coversView(p task.Page) bool {
	at := m.byteAt(m.top())
	return p.Start <= at && (at < p.End || p.Bottom)
}

// bridge closes the bytes without a row (codes only) that may lie between the
// window and the neighbour that was asked for.
func (m *Model) bridge(p task.Page) task.Page {
	const most = 64 << 10
	f, w := m.flight, &m.win
	if !f.on || f.goal || f.req.Tail || len(p.Lines) == 0 {
		return p
	}
	if gap := f.req.At - p.End; f.req.After == 0 && gap > 0 && gap < most {
		p.End = f.req.At
	}
	if gap := p.Start - w.end; f.req.Before == 0 && gap > 0 && gap < most {
		p.Start = w.end
	}
	return p
}

// answers says whether the page holds what the request in flight asked for.
func (m *Model) answers(p task.Page) bool {
	req := m.flight.req
	switch {
	case !m.flight.on:
		return false
	case req.Tail:
		return p.Bottom || p.End >= m.win.end
	case req.Line > 0 && holdsLine(p, req.Line):
		return true
	}
	return p.Start <= req.At && (req.At <= p.End || p.Bottom)
}

// restart takes the first page, or the first of a file that was truncated or
// replaced: the offsets of before mean nothing any more.
func (m *Model) restart(p task.Page) {
	if m.win.loaded {
		m.sel = selection{}
		m.setFollow(true)
		if m.goal.kind != goalLine {
			m.goal = goal{}
		}
		m.open = newOpened()
	}
	m.win.replace(p, m.set)
	m.gen = p.Facts.Gen
	m.startTried, m.endTried = -1, -1
}

func (m *Model) takeFacts(p task.Page) {
	if p.Facts.Rev >= m.facts.Rev {
		m.setFacts(p.Facts)
	}
	if p.Bottom && p.End >= m.win.end {
		m.tailAt = stampOf(p.Facts)
	}
}

// landed ends the flight and, where there is a jump to do, jumps. Where a
// neighbour brought nothing new, its edge is not asked for again.
func (m *Model) landed(p task.Page) {
	f := m.flight
	m.flight = flight{}
	if f.on && !f.goal && !f.req.Tail {
		if f.req.Before > 0 && p.Start >= f.req.At {
			m.startTried = m.win.start
		}
		if f.req.After > 0 && !p.Bottom && p.End <= m.win.end && len(p.Lines) < 2 && (m.filter == nil || p.End <= f.req.At) {
			m.endTried = m.win.end
		}
	}
	if m.goal.kind != noGoal && m.goal.asked && m.arrive(f.goal) {
		m.goal = goal{}
	}
}

// relist makes the list of what can be scrolled over: the row of earlier
// output, the rows of the window, the rows that close them.
func (m *Model) relist() {
	m.listed = m.endsAt()
	m.shownRows()
	m.enlist()
}

// relistEnds is relist where the rows of the window are as they were: only what
// stands before and behind them may differ, unless the agent's end mark came.
func (m *Model) relistEnds() {
	if m.listed != m.endsAt() {
		m.relist()
		return
	}
	m.enlist()
}

func (m *Model) enlist() {
	m.list = m.list[:0]
	if r := m.earlierRow(); r != nil {
		m.list = append(m.list, r)
	}
	m.list = append(m.list, m.shown...)
	m.list = append(m.list, m.closingRows()...)
	m.measure()
}

// listed is what the rows of the list depend on, besides the window and what the
// reader unfolded: where the end mark stands, and whether there are silences.
type listed struct {
	mark    string
	at      int64
	quiet   bool
	decoded bool
}

func (m *Model) endsAt() listed {
	return listed{m.facts.EndMark, m.facts.EndMarkAt, m.came.quiet, m.task.Decoder != nil}
}

// earlier is how many rows of ours stand before the window's.
func (m *Model) earlier() int {
	if len(m.list) > 0 && m.list[0].key() == earlierKey {
		return 1
	}
	return 0
}

// outputRows are the rows of the window without the agent's end mark, which is
// drawn as the end of the task (B2).
func (m *Model) outputRows() []*row {
	rows := m.win.rows
	if m.facts.EndMark == "" || !m.win.bottom {
		return rows
	}
	n := len(rows)
	for n > 0 && m.isEndMark(rows[n-1]) {
		n--
	}
	return rows[:n]
}

func (m *Model) isEndMark(r *row) bool {
	return r.line.Mark == task.MarkEnd || r.line.Offset >= m.facts.EndMarkAt
}
