package screen

import "slices"

// eraseDisplay is ED. Erasing all of it, from the top left on or up to the
// cursor clears the screen; the history that ED 3 would erase stays.
func (s *Screen) eraseDisplay(how int) {
	switch {
	case how == 0 && s.homed, how == 2:
		s.clear()
	case how == 0:
		s.eraseBelow()
	case how == 1:
		s.eraseAbove()
	}
}

// eraseBelow erases from the cursor to the end of the window.
func (s *Screen) eraseBelow() {
	s.eraseLine(0)
	s.unwrap(s.cur + 1)
	for _, r := range s.rows[s.cur+1:] {
		s.pending |= r.above
		s.release(r)
	}
	s.rows = s.rows[:s.cur+1]
}

// eraseAbove erases up to the cursor, which for a log is a cleared screen whose
// last rows stay.
func (s *Screen) eraseAbove() {
	s.eraseLine(1)
	some := slices.ContainsFunc(s.rows[:s.cur], func(r *row) bool { return !r.blank() })
	if !some {
		return
	}
	s.settleTop(s.cur)
	s.cur = 0
	s.rows[0].above |= aboveCleared
}

// eraseLine is EL.
func (s *Screen) eraseLine(how int) {
	r := s.rows[s.cur]
	switch how {
	case 0:
		if s.col == 0 {
			s.unwrap(s.cur)
		}
		s.eraseCells(s.col, max(r.width(), s.col))
	case 1:
		s.eraseCells(0, s.inner()+1)
	case 2:
		s.unwrap(s.cur)
		s.eraseCells(0, r.width())
	}
}

// eraseCells blanks the cells from one column up to another.
func (s *Screen) eraseCells(from, to int) {
	r := s.rows[s.cur]
	w := r.width()
	s.jumped = true
	if from >= w {
		return
	}
	whole := from == 0 && to >= w
	if !whole || s.joined(s.cur) {
		s.maskLine(s.cur)
	}
	if whole {
		r.empty()
		return
	}
	r.open()
	r.redrawn = true
	r.split(from)
	r.split(to)
	if to >= len(r.cells) {
		r.cells = r.cells[:min(from, len(r.cells))]
		if to >= w {
			r.over, r.lost = 0, 0
		}
		r.trim()
		return
	}
	clear(r.cells[from:to])
}

// joined says that row i is part of a line of several rows.
func (s *Screen) joined(i int) bool {
	return s.rows[i].wrapped || i+1 < len(s.rows) && s.rows[i+1].wrapped
}

// maxEdited is the longest row in which cells are moved about: longer ones were
// never on a terminal, and moving them for every few bytes would take for ever.
const maxEdited = 1024

// edit makes the cursor's row ready to have cells moved in it and gives it, nil
// where the cursor stands behind its end.
func (s *Screen) edit() *row {
	r := s.rows[s.cur]
	s.col, s.jumped, s.homed = s.inner(), true, false
	if w := r.width(); s.col >= w || w > maxEdited {
		return nil
	}
	s.maskLine(s.cur)
	r.open()
	r.redrawn = true
	r.split(s.col)
	return r
}

// insertCells is ICH: blanks at the cursor, what stands there moves right.
func (s *Screen) insertCells(n int) {
	r := s.edit()
	if r == nil || s.col >= len(r.cells) {
		return
	}
	most := s.limit
	if s.o.Width > 0 {
		most = min(most, s.o.Width)
	}
	n = min(n, most-s.col)
	if keep := most - n; keep < len(r.cells) {
		r.split(keep)
		r.cells = r.cells[:keep]
	}
	r.cells = slices.Insert(r.cells, s.col, make([]cell, n)...)
}

// deleteCells is DCH: what stands right of the cursor moves left.
func (s *Screen) deleteCells(n int) {
	r := s.edit()
	if r == nil || s.col >= len(r.cells) {
		return
	}
	end := min(s.col+n, len(r.cells))
	r.split(end)
	r.cells = slices.Delete(r.cells, s.col, end)
}

// insertRows is IL: blank rows at the cursor, the others move down.
func (s *Screen) insertRows(n int) {
	s.col, s.jumped, s.homed = 0, true, false
	last := s.height - 1
	if s.bottom > 0 {
		last = s.bottom
	}
	if s.cur > last {
		return
	}
	cur := s.cur
	for range min(n, last-cur+1) {
		if len(s.rows) > last {
			s.removeRow(last)
		}
		s.insertRow(cur)
	}
	s.cur = cur
	s.heat()
}

// deleteRows is DL: the rows from the cursor on move up.
func (s *Screen) deleteRows(n int) {
	s.col, s.jumped, s.homed = 0, true, false
	last := len(s.rows) - 1
	if s.bottom > 0 {
		last = min(last, s.bottom)
	}
	cur := s.cur
	for range min(n, last-cur+1) {
		s.removeRow(cur)
		if s.bottom > 0 {
			s.insertRow(last)
		}
	}
	s.extend(cur)
	s.cur = cur
	s.heat()
}
