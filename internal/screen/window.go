package screen

import "slices"

// window is the live rows, oldest first, and the cursor in them. There is always
// at least one row and the cursor is on one of them.
type window struct {
	rows     []*row
	cur, col int // col may be Options.Width: the row is full, the next character wraps
	// jumped: the cursor was moved since the last character; homed: to the top left.
	jumped, homed bool
	// hot is how many rows from the bottom a redraw has reached, 0 for none.
	hot int
	// top and bottom are the scroll region's rows; bottom 0 means the whole window.
	top, bottom int
	saved       struct {
		cur, col int
		pen      pen
		ok       bool
	}
	// pending are marks that the next new row carries.
	pending above
	free    []*row
}

// newRow gives a blank row that starts at the line being read.
func (s *Screen) newRow() *row {
	var r *row
	if n := len(s.free); n > 0 {
		r, s.free = s.free[n-1], s.free[:n-1]
		r.text, r.spans, r.cells = r.text[:0], r.spans[:0], r.cells[:0]
		r.rowState = rowState{}
		r.lead = nil
	} else {
		r = &row{}
	}
	r.offset, r.number = s.mode.lineStart, s.mode.line
	r.above, s.pending = s.pending, 0
	return r
}

// madeRow gives a blank row that no line of the log stands for.
func (s *Screen) madeRow() *row {
	r := s.newRow()
	r.made = true
	return r
}

// release keeps a row's memory for the next one, unless it is large.
func (s *Screen) release(r *row) {
	if len(s.free) < 8 && cap(r.text) <= 4096 && cap(r.cells) <= 512 {
		s.free = append(s.free, r)
	}
}

// appendRow adds a blank row at the bottom and settles what the window cannot
// hold any more.
func (s *Screen) appendRow() {
	full := s.rows[len(s.rows)-1].grid
	s.rows = append(s.rows, s.newRow())
	if s.hot > 0 {
		if s.hot++; s.hot > s.height {
			s.hot = 0
		}
	}
	for len(s.rows) > s.height || full && len(s.rows) > 1 && s.cells() > cellBudget {
		s.evict()
	}
}

// cells is how many cells the window holds.
func (s *Screen) cells() int {
	n := 0
	for _, r := range s.rows {
		n += len(r.cells)
	}
	return n
}

// evict settles the top row.
func (s *Screen) evict() {
	r := s.rows[0]
	var next *row
	if len(s.rows) > 1 {
		next = s.rows[1]
	}
	if r.marked {
		s.maskLine(0)
	}
	s.emitRow(&s.emitter, r, next)
	s.rows = s.rows[1:]
	s.cur = max(s.cur-1, 0)
	s.release(r)
}

// newline ends a line of the file: the row below, first column. next is the
// offset behind it.
func (s *Screen) newline(next int64) {
	s.mode.lineStart = next
	if s.mode.line > 0 {
		s.mode.line++
	}
	if s.mode.alt {
		s.holdLine()
		return
	}
	s.col, s.homed = 0, false
	s.moveDown()
	s.unwrap(s.cur)
}

// index moves down a row and keeps the column.
func (s *Screen) index() {
	if s.mode.alt {
		return
	}
	s.col = s.kept()
	s.moveDown()
}

// moveDown goes to the row below, which scrolls or is made where there is none.
func (s *Screen) moveDown() {
	s.jumped = true
	switch {
	case s.bottom > 0 && s.cur == s.bottom:
		s.scrollRegion()
	case s.cur == len(s.rows)-1:
		s.appendRow()
		s.cur = len(s.rows) - 1
	default:
		s.cur++
	}
}

// extend makes rows until there is one at y, which lies in the window.
func (s *Screen) extend(y int) {
	for len(s.rows) <= min(y, s.height-1) {
		s.rows = append(s.rows, s.madeRow())
	}
}

// insertRow puts a blank row at i and moves those from there on down.
func (s *Screen) insertRow(i int) {
	i = min(i, len(s.rows))
	s.unwrap(i)
	r := s.madeRow()
	if i < len(s.rows) {
		r.offset, r.number = s.rows[i].offset, s.rows[i].number
		r.above, s.rows[i].above = r.above|s.rows[i].above, 0
	}
	s.rows = slices.Insert(s.rows, i, r)
}

// removeRow drops row i. What is above it is kept for the row that follows.
func (s *Screen) removeRow(i int) {
	s.unwrap(i)
	s.unwrap(i + 1)
	r := s.rows[i]
	s.rows = slices.Delete(s.rows, i, i+1)
	if i < len(s.rows) {
		s.rows[i].above |= r.above
	} else {
		s.pending |= r.above
	}
	s.release(r)
	if len(s.rows) == 0 {
		s.rows = append(s.rows, s.newRow())
	}
	s.cur = min(s.cur, len(s.rows)-1)
}

// unwrap parts row i from the one it goes on from. They are masked together
// before, for half a secret cannot be recognised.
func (s *Screen) unwrap(i int) {
	if i < len(s.rows) && s.rows[i].wrapped {
		s.maskLine(i)
		s.rows[i].wrapped = false
	}
}

// heat notes that rows from the cursor down may be drawn again.
func (s *Screen) heat() {
	if s.cur < len(s.rows)-1 {
		s.hot = max(s.hot, len(s.rows)-s.cur)
	}
}

// lastShown is how many rows of the window have something to show: those with
// text and those above the cursor.
func (s *Screen) lastShown() int { return max(s.cur, s.lastText()) }

// lastText is how many rows there are down to the last one with text.
func (s *Screen) lastText() int {
	n := len(s.rows)
	for n > 0 && s.rows[n-1].blank() {
		n--
	}
	return n
}
