package screen

// overwrite prints a run of ASCII into a row that is, or becomes, a grid.
func (s *Screen) overwrite(r *row, b []byte) {
	for len(b) > 0 {
		end := s.col + len(b)
		if !s.jumped && !r.marked && r.grid && r.over == 0 && end <= s.limit && !s.afterMasked(r) {
			s.overwriteRun(r, b, end)
			return
		}
		if c := rune(b[0]); !r.marked || !s.afterJoiner() || !s.join(c) {
			s.put(r, c, 1)
		}
		b = b[1:]
	}
}

// overwriteRun is put for a whole run that needs no second look.
func (s *Screen) overwriteRun(r *row, b []byte, end int) {
	r.redrawn = r.redrawn || s.col < len(r.cells)
	r.pad(s.col)
	r.split(s.col)
	r.split(end)
	r.pad(end)
	cells := r.cells[s.col:end]
	for i, c := range b {
		cells[i].put(rune(c), s.style)
	}
	r.dirty, s.homed = true, false
	s.col = end
}

// put prints a character of w cells into a grid, over what stands there.
func (s *Screen) put(r *row, c rune, w int) {
	idle := s.disturb(r)
	if s.mode.insert {
		s.insertCells(w)
	}
	end := s.col + w
	if end > s.limit {
		if over := end - len(r.cells); over > r.over {
			r.over = over
			r.lost++
		}
	} else {
		s.set(r, c, w)
	}
	r.dirty, s.jumped, s.homed = true, idle, false
	s.col = end
}

// set stores a character in the cells at the cursor.
func (s *Screen) set(r *row, c rune, w int) {
	masked := c != ' ' && s.afterMasked(r)
	r.pad(s.col)
	r.split(s.col)
	end := s.col + w
	r.split(end)
	if end > len(r.cells) {
		r.over = max(0, r.over-(end-len(r.cells)))
		r.pad(end)
	}
	to := &r.cells[s.col]
	to.put(c, s.style)
	to.masked = masked
	if w == 2 {
		to.wide = true
		r.cells[s.col+1] = cell{style: s.style, half: true, masked: masked}
	}
}

// disturb makes the row ready for a character at the cursor: a grid, and masked
// if something will be overwritten. The answer is true where it was not masked
// because only an idle word is overwritten; it then still has to be, before
// anything else of it is.
func (s *Screen) disturb(r *row) bool {
	idle := false
	if s.col < r.width() {
		if s.jumped {
			if idle = s.idle(r); !idle {
				s.maskLine(s.cur)
			}
		}
		r.redrawn = true
	} else if r.blank() {
		s.begin(r)
	}
	r.open()
	return idle
}

// idle says that the cursor stands in a word that neither is nor announces a
// secret, of which something could be left: the marks of spinners, which are
// drawn over thousands of times.
func (s *Screen) idle(r *row) bool {
	if !r.grid || r.marked || s.o.Mask == nil {
		return false
	}
	const longest = 8
	for _, step := range [2]int{-1, 1} {
		for i, n := s.col, 0; i >= 0 && i < len(r.cells); i += step {
			c := &r.cells[i]
			if i != s.col && (c.r == ' ' || c.r == 0 && !c.half) {
				break
			}
			if n++; n > longest || c.masked || !idleRune(c.r) {
				return false
			}
		}
	}
	return true
}

// idleRune says that a character is one that spinners are made of: strokes, and
// arrows, blocks, Braille and other symbols.
func idleRune(r rune) bool {
	switch r {
	case '|', '/', '-', '\\', '.', ' ':
		return true
	}
	return r >= 0x2190 && r < 0x2c00
}

// afterMasked says that the cursor stands right behind a hidden value that was
// open at the row's end: what is added there belongs to it.
func (s *Screen) afterMasked(r *row) bool {
	switch {
	case !r.grid || s.col != len(r.cells):
		return false
	case s.col > 0:
		return r.cells[s.col-1].masked
	case !r.wrapped:
		return false
	case s.cur == 0:
		return s.head != nil && s.head.masked
	}
	above := s.rows[s.cur-1].cells
	return len(above) > 0 && above[len(above)-1].masked
}
