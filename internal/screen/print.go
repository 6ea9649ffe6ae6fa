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

// wrap goes on in the row below because this one is full. What stands there was
// written before and is masked by itself: with the half that is printed now it
// would be taken for the other half.
func (s *Screen) wrap() {
	jumped := s.jumped
	s.col = 0
	s.moveDown()
	r := s.rows[s.cur]
	if !r.blank() {
		if r.wrapped && jumped { // as it stood, too: nothing was printed above that would have masked both halves
			s.maskLine(s.cur)
		}
		r.wrapped = false
		s.maskLine(s.cur)
	}
	r.wrapped, s.jumped = true, false
	if s.cur == 0 || s.rows[s.cur-1].grid {
		r.open() // what is hidden above may go on here
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
