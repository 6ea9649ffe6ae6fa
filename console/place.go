package console

// anchor is the place in the text that stands at the top of the view: a row and
// a byte in its text. It means the same at every width.
type anchor struct {
	key  key
	byte int
}

// pos is a screen row of the list: which row, which of its segments. It holds
// until rows, width or toggles change.
type pos struct{ row, seg int }

// segsOf gives the segments of a row at the present width, cached in the row.
func (m *Model) segsOf(r *row) []segment {
	width := m.geo.text
	if b := m.badge(r); b != "" {
		width = max(width-cells(b, m.width)-2, 1)
	}
	k := segKey{width: width, wrap: m.wrap, rev: int(m.width)}
	if r.segs != nil && r.segsFor == k {
		return r.segs
	}
	if m.wrap {
		r.segs = wrap(r.text, r.ascii, width, m.width)
	} else {
		r.segs = []segment{{0, len(r.text), 0}}
	}
	r.segsFor, r.drawn = k, nil
	return r.segs
}

// posOf finds an anchor among the rows of the list.
func (m *Model) posOf(a anchor) pos {
	i := find(m.list, a.key)
	if i < 0 {
		return pos{}
	}
	if m.list[i].key() != a.key {
		return pos{i, 0}
	}
	segs := m.segsOf(m.list[i])
	s := len(segs) - 1
	for s > 0 && segs[s].start > a.byte {
		s--
	}
	return pos{i, s}
}

// anchorOf is the place in the text of a screen row.
func (m *Model) anchorOf(p pos) anchor {
	if p.row < 0 || p.row >= len(m.list) {
		return anchor{}
	}
	r := m.list[p.row]
	a := anchor{key: r.key()}
	if segs := m.segsOf(r); m.wrap && p.seg < len(segs) {
		a.byte = segs[p.seg].start
	}
	return a
}

// step moves n screen rows, up where n is negative, and stops at the ends of
// the list.
func (m *Model) step(p pos, n int) pos {
	for ; n < 0; n++ {
		switch {
		case p.seg > 0:
			p.seg--
		case p.row > 0:
			p.row--
			p.seg = len(m.segsOf(m.list[p.row])) - 1
		default:
			return pos{}
		}
	}
	for ; n > 0; n-- {
		switch {
		case p.row >= len(m.list):
			return p
		case p.seg+1 < len(m.segsOf(m.list[p.row])):
			p.seg++
		case p.row+1 < len(m.list):
			p = pos{p.row + 1, 0}
		default:
			return p
		}
	}
	return p
}

// lastTop is the top of the view that shows the end of the list.
func (m *Model) lastTop() pos {
	if len(m.list) == 0 {
		return pos{}
	}
	last := len(m.list) - 1
	return m.step(pos{last, len(m.segsOf(m.list[last])) - 1}, -(m.geo.body - 1))
}

// top is the screen row at the top of the view: the end while following, else
// the anchor, but never so low that the view would end in blanks.
func (m *Model) top() pos {
	end := m.lastTop()
	if m.follow {
		return end
	}
	p := m.posOf(m.anchor)
	if end.row < p.row || end.row == p.row && end.seg < p.seg {
		return end
	}
	return p
}

// endInView says whether the last row of the output is on the screen.
func (m *Model) endInView() bool { return m.win.bottom && m.top() == m.lastTop() }

// scroll moves the view by n screen rows. Up leaves following (B3); down to the
// very end of the output takes it up again.
func (m *Model) scroll(n int) {
	m.upward = n < 0
	from := m.top()
	to := m.step(from, n)
	end := m.lastTop()
	below := to.row > end.row || to.row == end.row && to.seg >= end.seg
	switch {
	case n > 0 && below && m.win.bottom:
		m.setFollow(true)
	case n > 0 && below:
		m.setFollow(false)
		m.anchor = m.anchorOf(end)
	case n < 0 && to == from && m.follow:
		// Everything fits: there is nothing above to look at.
	default:
		m.setFollow(false)
		m.anchor = m.anchorOf(to)
	}
	m.touch()
}

// setFollow enters or leaves the mode; on leaving, the count of new lines starts
// and the view stays on what it shows.
func (m *Model) setFollow(on bool) {
	if on == m.follow {
		return
	}
	if !on {
		m.anchor = m.anchorOf(m.top())
		m.seenLines = m.facts.Arrived
	}
	m.follow = on
}

// show puts a row at the given share of the view's height and stops following.
func (m *Model) show(k key, below int) {
	m.setFollow(false)
	i := max(find(m.list, k), 0)
	m.anchor = m.anchorOf(m.step(pos{i, 0}, -below))
	m.touch()
}
