package testparse

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Feed takes one raw line of the log, n its number from 1: Wanted, Strip and Line
// in one. raw may be used again afterwards. What goes beyond 64 KiB of a line is not
// looked at.
func (s *Scanner) Feed(raw []byte, n int64) { s.Lines(raw, n) }

// Lines takes raw lines of the log, each but the last with its LF, n the number of
// the first: the quickest way, as the next escape code and the next carriage return
// are looked for once, not in every line. block may be used again afterwards.
func (s *Scanner) Lines(block []byte, n int64) {
	if s.cmd.quotes {
		return
	}
	code, turn := -1, -1 // where the next ESC and the next carriage return stand
	colours := false     // the line before had some: so has the next one, mostly
	for at := 0; at < len(block); n++ {
		if colours {
			at, colours = s.coloured(block, at, n)
			continue
		}
		end := next(block, at, '\n')
		if code < at {
			code = next(block, at, esc)
		}
		if turn < at {
			turn = next(block, at, '\r')
		}
		if code < end || turn < end-1 {
			at, colours = s.coloured(block, at, n)
			continue
		}
		s.row(nil, view(block[at:min(end, at+maxLine)]), n, false)
		at = end + 1
	}
	if cap(s.buf) > maxLine {
		s.buf = nil
	}
}

// next finds the next c from at on, the end of b if there is none.
func next(b []byte, at int, c byte) int {
	if k := bytes.IndexByte(b[at:], c); k >= 0 {
		return at + k
	}
	return len(b)
}

// coloured takes the line of block at at, which has escape codes, nearly always
// colours alone, which it leaves out while it copies. It gives where the next line begins,
// and whether there were codes. It looks at eight bytes at a time: x - 0x20… sets the top
// bit of the lowest byte that is below 0x20.
func (s *Scanner) coloured(block []byte, at int, n int64) (after int, codes bool) {
	const low, top = 0x2020202020202020, 0x8080808080808080
	if s.buf = s.buf[:cap(s.buf)]; len(s.buf) < plainRoom {
		s.buf = make([]byte, plainRoom)
	}
	dst, i, k := s.buf[:plainRoom], at, 0
	for i <= len(block) && k+8 <= len(dst) {
		x := eight(block, i)
		binary.LittleEndian.PutUint64(dst[k:], x)
		m := (x - low) &^ x & top
		if m == 0 {
			i, k = i+8, k+8
			continue
		}
		to := bits.TrailingZeros64(m) >> 3
		i, k = i+to, k+to
		if i >= len(block) || block[i] == '\n' {
			s.row(nil, view(dst[:k]), n, false)
			return i + 1, codes
		}
		switch block[i] {
		case '\r':
			if i++; i < len(block) && block[i] != '\n' {
				return s.drawn(block, at, n), true
			}
		case esc:
			end := afterColour(block, i)
			if end == i {
				return s.drawn(block, at, n), true
			}
			i, codes = end, true
		default: // a tab: it is copied already
			i, k = i+1, k+1
		}
	}
	return s.drawn(block, at, n), codes // a long line
}

// eight are the eight bytes of b from i on, as a number; b goes on with LFs.
func eight(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	last := [8]byte{'\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n'}
	copy(last[:], b[i:])
	return binary.LittleEndian.Uint64(last[:])
}

// plainRoom is how long a row may be to take the way of coloured.
const plainRoom = 4096

// drawn takes the line of block at at, which may show other rows than it holds, and
// gives where the next line begins.
func (s *Scanner) drawn(block []byte, at int, n int64) (after int) {
	end := next(block, at, '\n')
	s.buf = Strip(s.buf[:0], block[at:min(end, at+maxLine)])
	if next(s.buf, 0, '\n') < len(s.buf) {
		s.redrawn(view(s.buf), n)
	} else {
		s.row(nil, view(s.buf), n, false)
	}
	return end + 1
}
