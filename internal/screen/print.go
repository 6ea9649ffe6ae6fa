package screen

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"offstage/task"
)

// ascii prints a run of printable ASCII. A row that is only ever added to stays
// plain bytes: this is the path of nearly all of a log.
func (s *Screen) ascii(b []byte) {
	if s.mode.alt {
		s.hold(b)
		return
	}
	if s.graphics[s.shift] || s.mode.nowrap || s.mode.insert {
		for _, c := range b {
			r := rune(c)
			if s.graphics[s.shift] {
				r = drawn(c)
			}
			s.glyph(r)
		}
		return
	}
	s.last = rune(b[len(b)-1])
	for len(b) > 0 {
		n := len(b)
		if s.o.Width > 0 {
			if s.col >= s.o.Width {
				s.wrap()
			}
			n = min(n, s.o.Width-s.col)
		}
		r := s.rows[s.cur]
		if r.grid || s.col < r.width() {
			s.overwrite(r, b[:n])
		} else {
			s.add(r, b[:n], n, n)
		}
		b = b[n:]
	}
}

// overwrite prints a run of ASCII into a row that is, or becomes, a grid.
func (s *Screen) overwrite(r *row, b []byte) {
	end := s.col + len(b)
	if r.marked || r.over > 0 || end > s.limit || s.afterMasked(r) {
		for _, c := range b {
			if r.marked && s.afterJoiner() && s.join(rune(c)) {
				continue
			}
			s.put(r, rune(c), 1)
		}
		return
	}
	s.disturb(r)
	r.pad(s.col)
	r.split(s.col)
	r.split(end)
	r.pad(end)
	cells := r.cells[s.col:end]
	for i, c := range b {
		cells[i].put(rune(c), s.style)
	}
	r.dirty, s.jumped, s.homed = true, false, false
	s.col = end
}

// disturb makes the row ready for a character at the cursor: masked if some of it
// will be overwritten, and a grid.
func (s *Screen) disturb(r *row) {
	if s.col < r.width() {
		if s.jumped {
			s.maskLine(s.cur)
		}
		r.redrawn = true
	} else if r.blank() {
		s.begin(r)
	}
	r.open()
}

// afterMasked says that the cursor stands right behind a hidden value that was
// open at the row's end: what is added there belongs to it.
func (s *Screen) afterMasked(r *row) bool {
	return r.grid && s.col > 0 && s.col == len(r.cells) && r.cells[s.col-1].masked
}

// add appends n characters that take w cells to a row of plain bytes; the cursor
// is at its end or right of it.
func (s *Screen) add(r *row, b []byte, n, w int) {
	if len(r.text) == 0 {
		s.begin(r)
	}
	r.dirty, s.jumped, s.homed = true, false, false
	if gap := min(s.col, s.limit) - r.cols; gap > 0 && r.over == 0 {
		r.text = append(r.text, bytes.Repeat([]byte{' '}, gap)...)
		r.cols += gap
	}
	s.col += w
	if fit := s.limit - r.cols; w > fit {
		keep := 0
		if n == w {
			keep = max(fit, 0)
		}
		r.over, r.lost = s.col-r.cols-keep, r.lost+n-keep
		b, w = b[:keep], keep
	}
	if len(b) == 0 {
		return
	}
	at := len(r.text)
	r.text = append(r.text, b...)
	r.cols += w
	if s.style != (task.Style{}) {
		r.style(at, s.style)
	}
}

// begin ties a row that gets its first text to the line being read, unless rows
// below it were begun before.
func (s *Screen) begin(r *row) {
	if s.cur == len(s.rows)-1 && s.mode.lineStart > r.offset {
		r.offset, r.number = s.mode.lineStart, s.mode.line
	}
}

// glyph prints one character of any kind.
func (s *Screen) glyph(r rune) {
	if s.mode.alt {
		s.hold(utf8.AppendRune(nil, r))
		return
	}
	w := 1
	switch c := classOf(r); c {
	case zero, zwj, unseen:
		s.attach(r, c)
		return
	case joining:
		if s.join(r) {
			return
		}
		w = max(1, ansi.StringWidth(string(r)))
		s.rows[s.cur].open()
	case two:
		w = 2
	}
	if s.rows[s.cur].marked && s.afterJoiner() && s.join(r) {
		return
	}
	s.last = r
	if s.o.Width > 0 && s.col+w > s.o.Width {
		if s.mode.nowrap {
			s.col = max(0, s.o.Width-w)
		} else {
			s.wrap()
		}
	}
	row := s.rows[s.cur]
	if row.grid || s.mode.insert || s.col < row.width() {
		s.put(row, r, w)
		return
	}
	var buf [utf8.UTFMax]byte
	s.add(row, buf[:utf8.EncodeRune(buf[:], r)], 1, w)
}

// put prints a character of w cells into a grid, over what stands there.
func (s *Screen) put(r *row, c rune, w int) {
	s.disturb(r)
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
	r.dirty, s.jumped, s.homed = true, false, false
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

// wrap goes on in the row below because this one is full.
func (s *Screen) wrap() {
	s.col = 0
	s.moveDown()
	if r := s.rows[s.cur]; !r.wrapped {
		if !r.blank() {
			s.maskLine(s.cur)
		}
		r.wrapped = true
	}
}

// repeat is REP: the last character n times more.
func (s *Screen) repeat(n int) {
	if s.last == 0 {
		return
	}
	for range min(n, farColumn) {
		s.glyph(s.last)
	}
}

// endNULs prints what a long run of NULs is shown as.
func (s *Screen) endNULs() {
	n := s.nuls
	if s.nuls = 0; n < shownNULs || s.mode.alt {
		return
	}
	st := s.style
	s.style = task.Style{Attr: task.Dim}
	for _, r := range "␀×" + strconv.FormatInt(n, 10) {
		s.glyph(r)
	}
	s.style = st
}
