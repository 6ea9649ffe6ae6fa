package console

// scrollbar gives one cell for each row of the body, nil where there is no room
// or nothing to scroll over. Its measure is bytes: it is right at any size, and
// costs nothing. Ticks are hits of a search, by their share of the bytes, and
// failed tests, by their share of the lines.
func (m *Model) scrollbar() []string {
	if m.geo.bar == 0 {
		return nil
	}
	out := make([]string, m.geo.body)
	from, n, ok := m.thumb()
	if !ok {
		for i := range out {
			out[i] = " "
		}
		return out
	}
	track, thumb := painted(m.look.rule, m.set.track), painted(m.look.text, m.set.thumb)
	for i := range out {
		out[i] = track
		if i >= from && i < from+n {
			out[i] = thumb
		}
	}
	if len(m.find.hits) > 0 {
		for y, hit := range m.hitTicks(len(out), max(m.facts.Size, m.win.end)) {
			if hit {
				out[y] = painted(m.look.accent, m.set.tick)
			}
		}
	}
	if m.facts.Lines > 0 {
		for _, f := range m.fails.list {
			if y := int((f.line - 1) * int64(len(out)) / m.facts.Lines); y >= 0 && y < len(out) {
				out[y] = painted(m.look.bad, m.set.tick)
			}
		}
	}
	return out
}

// thumb is where the thumb starts and how long it is, in rows of the body; false
// where all of the output is in view.
func (m *Model) thumb() (from, n int, ok bool) {
	size := max(m.facts.Size, m.win.end)
	h := m.geo.body
	if size <= 0 || len(m.win.rows) == 0 || h < 2 {
		return 0, 0, false
	}
	top := m.top()
	first, last := m.byteAt(top), m.byteAt(m.step(top, h-1))
	if top == (pos{}) && m.win.top && m.win.bottom && m.lastTop() == (pos{}) {
		return 0, 0, false
	}
	n = min(max(int(float64(h)*float64(last-first)/float64(size)), 1), h-1)
	from = int(float64(h) * float64(first) / float64(size))
	if m.endInView() {
		from = h - n
	}
	return min(max(from, 0), h-n), n, true
}

// byteAt is the offset that a screen row stands for.
func (m *Model) byteAt(p pos) int64 {
	i := p.row - m.earlier()
	switch rows := m.shown; {
	case i < 0 || len(rows) == 0:
		return m.win.start
	case i >= len(rows):
		return m.win.end
	default:
		return rows[i].line.Offset
	}
}

// toShare goes to a share of the bytes, 0–1: a drag of the thumb.
func (m *Model) toShare(share float64) {
	size := max(m.facts.Size, m.win.end)
	switch {
	case share <= 0:
		m.seek(goal{kind: goalHome})
	case share >= 1:
		m.toEnd()
	default:
		m.seek(goal{kind: goalOffset, at: int64(share * float64(size))})
	}
}
