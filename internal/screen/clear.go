package screen

// clear is what clearing the screen does to a log: the rows stay, a mark says
// that the screen was cleared, and drawing goes on below it.
func (s *Screen) clear() {
	n := s.lastText()
	s.settleTop(n)
	for _, r := range s.rows {
		s.pending |= r.above
		s.release(r)
	}
	if n > 0 {
		s.pending |= aboveCleared
	}
	s.rows = append(s.rows[:0], s.newRow())
	s.rows[0].offset = max(s.rows[0].offset, s.now)
	s.cur, s.col, s.hot, s.jumped = 0, s.kept(), 0, true
}

// settleTop settles the first n rows, and at least the rest of their lines.
func (s *Screen) settleTop(n int) {
	s.unwrap(n)
	for ; n > 0; n-- {
		if len(s.rows) == 1 {
			s.rows = append(s.rows, s.newRow())
		}
		s.evict()
	}
}

// mark puts a mark above the cursor's row, or below it where that has text.
func (s *Screen) mark(a above) {
	if r := s.rows[s.cur]; r.blank() {
		r.above |= a
	} else {
		s.pending |= a
	}
}

// alternate enters or leaves the alternate screen. What is drawn there never
// reaches the rows; a mark says that it was.
func (s *Screen) alternate(on bool) {
	if on == s.mode.alt {
		return
	}
	s.mode.alt = on
	s.homed = false
	s.letGo()
	if on {
		s.mode.altStyle = s.style
		s.mark(aboveFull)
	} else {
		s.style = s.mode.altStyle
	}
}

// hardReset is RIS: the screen is cleared and every mode forgotten.
func (s *Screen) hardReset() {
	line, start := s.mode.line, s.mode.lineStart
	s.mode = modes{line: line, lineStart: start}
	s.pen = pen{}
	s.clear()
	s.col, s.top, s.bottom = 0, 0, 0
}
