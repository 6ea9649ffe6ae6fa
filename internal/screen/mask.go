package screen

import "unicode/utf8"

// redactedMark stands for a run of masked cells.
const redactedMark = "[redacted]"

// maskLine hides what Options.Mask names in the line that row i is part of, as
// it stands now. It is asked again only after something was printed there.
func (s *Screen) maskLine(i int) {
	if s.o.Mask == nil {
		return
	}
	a, b := i, i+1
	for a > 0 && s.rows[a].wrapped {
		a--
	}
	for b < len(s.rows) && s.rows[b].wrapped {
		b++
	}
	dirty := false
	for _, r := range s.rows[a:b] {
		dirty = dirty || r.dirty
		r.dirty = false
	}
	if !dirty {
		return
	}
	var head *builder
	if a == 0 && s.rows[0].wrapped {
		head = s.head
	}
	s.maskRows(s.rows[a:b], head)
}

// maskRows asks about rows that are one line, with its head where that has left
// the window already.
func (s *Screen) maskRows(rows []*row, head *builder) {
	var text []byte
	if head != nil {
		text = append(text, head.text...)
	}
	from := len(text)
	for i, r := range rows {
		text = r.appendBase(text)
		if i+1 < len(rows) {
			text = appendSpaces(text, s.o.Width-r.width())
		}
	}
	hide := s.o.Mask(string(text))
	if len(hide) == 0 {
		return
	}
	if head != nil {
		head.maskHead(hide, from)
	}
	at := from
	for i, r := range rows {
		r.open()
		at = r.hide(at, hide)
		if i+1 < len(rows) {
			at += max(0, s.o.Width-r.width())
		}
	}
}

// appendBase appends the row's characters without what is attached to them.
func (r *row) appendBase(b []byte) []byte {
	if !r.grid {
		return append(b, r.text...)
	}
	in := false
	for i := range r.cells {
		c := &r.cells[i]
		switch {
		case c.masked && !in:
			b = append(b, redactedMark...)
		case c.masked || c.half:
		case c.r == 0:
			b = append(b, ' ')
		default:
			b = utf8.AppendRune(b, c.r)
		}
		in = c.masked
	}
	return b
}

// hide masks the cells whose characters lie in one of the ranges, where the
// row's text starts at byte at; it gives where the row's text ends.
func (r *row) hide(at int, ranges [][2]int) int {
	in := false
	for i := range r.cells {
		c := &r.cells[i]
		was, n := c.masked, 0
		switch {
		case c.masked && !in:
			n = len(redactedMark)
		case c.masked:
		case c.half:
			c.masked = i > 0 && r.cells[i-1].masked
			was = in
		case c.r == 0:
			n = 1
		default:
			n = max(1, utf8.RuneLen(c.r))
		}
		for len(ranges) > 0 && ranges[0][1] <= at {
			ranges = ranges[1:]
		}
		if n > 0 && len(ranges) > 0 && ranges[0][0] < at+n {
			c.masked = true
		}
		at += n
		in = was
	}
	return at
}

func appendSpaces(b []byte, n int) []byte {
	for ; n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

// copyForMask gives the rows as Live shows them: those with zero-width
// characters are copies, masked as they stand. head is a copy of the first one's
// line where that has begun above the window.
func (s *Screen) copyForMask(head *builder) []*row {
	rows := s.rows
	copied := false
	for a := 0; a < len(rows); {
		b := a + 1
		for b < len(rows) && rows[b].wrapped {
			b++
		}
		marked := false
		for _, r := range rows[a:b] {
			marked = marked || r.marked
		}
		if marked && s.o.Mask != nil {
			if !copied {
				rows, copied = append([]*row(nil), rows...), true
			}
			for i := a; i < b; i++ {
				rows[i] = rows[i].clone()
			}
			if a > 0 || !rows[0].wrapped {
				s.maskRows(rows[a:b], nil)
			} else {
				s.maskRows(rows[a:b], head)
			}
		}
		a = b
	}
	return rows
}
