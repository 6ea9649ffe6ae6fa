package screen

// inner is the cursor's column inside the row: a full row counts as its last.
func (s *Screen) inner() int {
	if s.o.Width > 0 {
		return min(s.col, s.o.Width-1)
	}
	return s.col
}

// kept is the column that the cursor keeps on its way to a fresh row. In an
// endless row it may be far out, and each fresh row would be as long.
func (s *Screen) kept() int {
	if s.o.Width > 0 {
		return s.inner()
	}
	return min(s.col, farColumn)
}

// first is the topmost row that the cursor may go up to.
func (s *Screen) first() int {
	if s.bottom > 0 && s.cur >= s.top {
		return s.top
	}
	return 0
}

// column puts the cursor into column c of its row. Where the width is not known
// a column far to the right stands for the right edge.
func (s *Screen) column(c int) {
	right := s.o.Width - 1
	if s.o.Width <= 0 {
		right = max(farColumn, s.rows[s.cur].width()+80)
	}
	s.col, s.jumped, s.homed = max(0, min(c, right)), true, false
}

func (s *Screen) carriageReturn() { s.col, s.jumped, s.homed = 0, true, false }

func (s *Screen) backspace() { s.column(s.inner() - 1) }

// tab moves to the n-th tab stop, of which there is one every 8 cells. It paints
// nothing.
func (s *Screen) tab(n int) {
	if s.mode.alt {
		return
	}
	if s.o.Width > 0 && s.col >= s.o.Width {
		return // the row is full: the next character still wraps
	}
	to := (s.inner()/8 + min(n, 40)) * 8
	if s.o.Width > 0 {
		to = min(to, s.o.Width-1)
	}
	s.col, s.jumped, s.homed = to, true, false
}

func (s *Screen) backTab(n int) {
	s.column(max(0, (s.inner()+7)/8-min(n, 1<<20)) * 8)
}

// up moves up to n rows up.
func (s *Screen) up(n int) {
	s.col, s.jumped, s.homed = s.inner(), true, false
	s.cur = max(s.cur-n, s.first())
	s.heat()
}

// down moves up to n rows down, into rows that are not there yet if need be.
func (s *Screen) down(n int) {
	s.col, s.jumped, s.homed = s.inner(), true, false
	y := min(s.cur+n, s.bottomFor(n))
	s.extend(y)
	s.cur = min(max(y, s.cur), len(s.rows)-1)
}

// bottomFor is the last row that a move by, or to, n may reach. A number beyond
// every window means the bottom; where the height is not known that is the last
// row there is, so that no blank rows are made up.
func (s *Screen) bottomFor(n int) int {
	switch {
	case s.bottom > 0 && s.cur <= s.bottom:
		return s.bottom
	case s.o.Height <= 0 && n > s.height:
		return len(s.rows) - 1
	}
	return s.height - 1
}

// place puts the cursor into row y, column x of the window, counted from 0.
func (s *Screen) place(y, x int) {
	last := s.height - 1
	if s.o.Height <= 0 && y >= s.height {
		last = len(s.rows) - 1
	}
	y = min(y, last)
	s.extend(y)
	s.cur = min(y, len(s.rows)-1)
	s.column(x)
	s.homed = y == 0 && x == 0
	s.heat()
}

func (s *Screen) saveCursor() {
	s.saved.cur, s.saved.col, s.saved.pen, s.saved.ok = s.cur, s.col, s.pen, true
}

// restoreCursor goes back to where the cursor was saved. Without that a terminal
// goes to the top left; here it stays, for history is not to be drawn over.
func (s *Screen) restoreCursor() {
	if !s.saved.ok {
		return
	}
	s.jumped, s.homed = true, false
	last := s.pen.last
	s.cur, s.col, s.pen = min(s.saved.cur, len(s.rows)-1), s.saved.col, s.saved.pen
	s.pen.last = last
	s.heat()
}

// margins is DECSTBM: the scroll region. It also moves the cursor to the top left.
func (s *Screen) margins() {
	top, bottom := s.arg(0), s.height
	if s.nparams > 1 && s.params[1] > 0 {
		bottom = min(s.params[1], s.height)
	}
	if top >= bottom {
		return
	}
	s.top, s.bottom = top-1, bottom-1
	if top == 1 && bottom == s.height {
		s.top, s.bottom = 0, 0
	}
	s.place(0, 0)
}
