package screen

// scrollRegion moves the rows of the scroll region up by one. The top one
// settles if the region starts at the top of the window, else it is lost, as in
// a terminal.
func (s *Screen) scrollRegion() {
	s.extend(s.bottom)
	s.unwrap(s.bottom + 1)
	cur := s.cur
	if s.top == 0 {
		s.evict()
	} else {
		s.removeRow(s.top)
	}
	s.insertRow(s.bottom)
	s.rows[s.bottom].made = false
	s.cur = cur
}

// reverseIndex moves up a row; at the top the rows move down.
func (s *Screen) reverseIndex() {
	s.col, s.jumped, s.homed = s.inner(), true, false
	if s.cur != s.first() {
		s.cur--
		s.heat()
		return
	}
	last := s.height - 1
	if s.bottom > 0 {
		last = s.bottom
	}
	cur := s.cur
	if len(s.rows) > last {
		s.removeRow(last)
	}
	s.insertRow(cur)
	s.cur = cur
	s.heat()
}

// scrollUp settles n rows from the top, as if that many new ones had come.
func (s *Screen) scrollUp(n int) {
	s.jumped, s.homed = true, false
	if s.bottom > 0 {
		for range min(n, s.bottom-s.top+1) {
			s.scrollRegion()
		}
		return
	}
	cur := s.cur
	for range min(n, s.lastText()) {
		s.rows = append(s.rows, s.madeRow())
		s.evict()
	}
	s.cur = cur
}
