package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// before is the cell left of the cursor, nil at the start of a row. The row is a
// grid from then on.
func (s *Screen) before() *cell {
	r := s.rows[s.cur]
	r.open()
	i := s.col - 1
	if i >= len(r.cells) || i < 0 {
		return nil
	}
	if r.cells[i].half {
		i--
	}
	return &r.cells[i]
}

// afterJoiner says that the character before ends in a zero-width joiner.
func (s *Screen) afterJoiner() bool {
	c := s.before()
	return c != nil && c.tail != nil && strings.HasSuffix(c.tail.text, "\u200d")
}

// join makes r part of the cell before it if the two are one cluster: the second
// half of a flag, a skin tone, what follows a joiner in an emoji.
func (s *Screen) join(r rune) bool {
	c := s.before()
	if c == nil || c.r == 0 {
		return false
	}
	text := string(r)
	if c.tail != nil {
		text = c.tail.text + text
	}
	whole := string(c.r) + text
	first, w := ansi.FirstGraphemeCluster(whole, ansi.GraphemeWidth)
	if len(first) != len(whole) || len(text) > maxCluster {
		return false
	}
	if c.tail == nil {
		c.tail = &tail{}
	}
	c.tail.text = text
	s.touched()
	s.widen(c, w)
	return true
}

// attach puts a zero-width character on the cell before it.
func (s *Screen) attach(r rune, c class) {
	row := s.rows[s.cur]
	if row.blank() {
		s.begin(row)
	}
	to := &row.lead
	cell := s.before()
	if cell != nil {
		to = &cell.tail
	}
	if *to == nil {
		*to = &tail{}
	}
	t := *to
	s.touched()
	if t.marks >= maxMarks || len(t.text) >= maxCluster {
		t.dropped++
		return
	}
	t.text += string(r)
	t.marks++
	if c == zero && cell != nil && cell.r != 0 && !cell.wide {
		s.widen(cell, ansi.StringWidth(string(cell.r)+t.text))
	}
}

// touched notes that the cursor's row carries zero-width characters.
func (s *Screen) touched() {
	r := s.rows[s.cur]
	r.marked, r.dirty = true, true
}

// widen gives the cell before the cursor a second half where its cluster takes
// two cells, as a variation selector may make it.
func (s *Screen) widen(c *cell, w int) {
	if w != 2 || c.wide || s.o.Width > 0 && s.col >= s.o.Width || s.col >= s.limit {
		return
	}
	r := s.rows[s.cur]
	r.split(s.col + 1)
	c.wide = true
	half := cell{style: c.style, half: true, masked: c.masked}
	if s.col < len(r.cells) {
		r.cells[s.col] = half
	} else {
		r.cells = append(r.cells, half)
	}
	s.col++
}
