package screen

import (
	"bytes"
	"unicode/utf8"
)

const (
	// maxHeld is how much text of the alternate screen is held for a rescue.
	maxHeld = 64 << 10
	// rescueLines is how many lines without a single move of the cursor are more
	// than a full-screen program writes.
	rescueLines = 200
)

// A program that is killed in the alternate screen leaves it on, and the log of
// whatever runs next would never be seen. So text is held as long as nothing but
// lines comes: when there are more than any screen has, the program is gone, and
// they are rows after all. Their colours are lost.

// hold keeps text that was written on the alternate screen.
func (s *Screen) hold(b []byte) {
	for len(b) > 0 {
		room := maxHeld - len(s.mode.held)
		if room == 0 {
			s.letGo()
			continue
		}
		n := min(room, len(b))
		s.mode.held = append(s.mode.held, b[:n]...)
		b = b[n:]
	}
}

// holdLine ends a line of it.
func (s *Screen) holdLine() {
	s.hold([]byte{'\n'})
	if s.mode.heldLines++; s.mode.heldLines > rescueLines {
		s.rescue()
	}
}

// letGo forgets what is held: a program is drawing.
func (s *Screen) letGo() { s.mode.held, s.mode.heldLines = s.mode.held[:0], 0 }

// rescue leaves the alternate screen and prints what was held.
func (s *Screen) rescue() {
	held := s.mode.held
	s.mode.held = nil
	s.alternate(false)
	line := s.mode.line
	if !s.rows[s.cur].blank() {
		s.newline(s.mode.lineStart)
	}
	for len(held) > 0 {
		text, rest, _ := bytes.Cut(held, []byte{'\n'})
		for len(text) > 0 {
			r, n := utf8.DecodeRune(text)
			text = text[n:]
			s.glyph(r)
		}
		s.newline(s.mode.lineStart)
		held = rest
	}
	s.mode.line = line
}
