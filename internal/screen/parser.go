package screen

import "unicode/utf8"

// state is where the parser stands between two bytes.
type state uint8

const (
	ground  state = iota
	escape        // after ESC
	escSkip       // after ESC and an intermediate byte
	charset       // after ESC ( or )
	csi           // in the parameters
	csiSkip       // in a CSI that is not understood, up to its final byte
	str           // in OSC, DCS, APC, PM or SOS
	strEsc        // ESC inside one
	strC2         // 0xC2 inside one: perhaps ST in UTF-8
)

const (
	// maxParams of a CSI are kept, the others are read over.
	maxParams = 32
	// maxParam is where a parameter stops to grow: beyond every screen.
	maxParam = 1 << 20
	// maxSequence is how many bytes a CSI may have before it is taken for text
	// that went wrong.
	maxSequence = 4096
	// byteOrderMark is none of the text where it is the first of the file.
	byteOrderMark = 0xfeff
	// shownNULs is the shortest run of NULs that is shown: a few are padding, as
	// terminals treat them; many are a hole or a file written over.
	shownNULs = 16
)

// parser is the state of the byte stream.
type parser struct {
	state   state
	pos     int64 // file offset behind the last byte written
	start   int64 // file offset of the first byte written
	base    int64 // file offset of the bytes being written
	now     int64 // file offset behind the sequence that is acted on
	part    [utf8.UTFMax]byte
	npart   int // bytes of an unfinished character in part
	nuls    int64
	params  [maxParams]int
	nparams int
	colons  uint32 // bit i: params[i] came after a colon
	private byte
	inter   byte
	length  int // bytes of the sequence so far
	slot    int // G0 or G1, for charset
}

// text reads ground bytes from p[i] on and gives where it stopped: at the end,
// or behind a byte that started a sequence.
func (s *Screen) text(p []byte, i int) int {
	for i < len(p) {
		j := i + printable(p[i:])
		if j > i {
			s.endNULs()
			s.ascii(p[i:j])
			if i = j; i == len(p) {
				break
			}
		}
		b := p[i]
		if b >= utf8.RuneSelf {
			if !utf8.FullRune(p[i:]) {
				s.npart = copy(s.part[:], p[i:])
				return len(p)
			}
			r, n := utf8.DecodeRune(p[i:])
			s.char(r, s.base+int64(i))
			i += n
		} else if n := s.wholeSGR(p[i:]); n > 0 {
			i += n
		} else {
			i++
			s.control(b, s.base+int64(i))
		}
		if s.state != ground {
			break
		}
	}
	return i
}

// finishRune completes a character that an earlier Write left unfinished and
// gives how many bytes of p it took.
func (s *Screen) finishRune(p []byte) int {
	var buf [2 * utf8.UTFMax]byte
	n := copy(buf[:], s.part[:s.npart])
	had, k := n, 0
	n += copy(buf[n:], p)
	for k < had {
		if !utf8.FullRune(buf[k:n]) {
			s.npart = copy(s.part[:], buf[k:n])
			return len(p)
		}
		r, size := utf8.DecodeRune(buf[k:n])
		s.char(r, s.base+int64(k-had))
		k += size
	}
	s.npart = 0
	return k - had
}

// endText decides what was left open because more could have come.
func (s *Screen) endText() {
	for k := 0; k < s.npart; k++ {
		s.char(utf8.RuneError, s.pos)
	}
	s.npart = 0
	s.endNULs()
	s.state = ground
}

// control acts on a C0 control or DEL; next is the offset behind it.
func (s *Screen) control(b byte, next int64) {
	if b == 0 {
		s.nuls++
		return
	}
	s.endNULs()
	switch b {
	case '\n':
		s.newline(next)
	case '\r':
		s.carriageReturn()
	case '\b':
		s.backspace()
	case '\t':
		s.tab(1)
	case '\v', '\f':
		s.index()
	case 0x1b:
		s.state, s.inter = escape, 0
	case 0x0e:
		s.shift = 1
	case 0x0f:
		s.shift = 0
	}
}

// char prints a character beyond ASCII, or acts on a C1 control that came as
// UTF-8; it stands at offset at.
func (s *Screen) char(r rune, at int64) {
	s.endNULs()
	if r == byteOrderMark && at == 0 {
		return
	}
	if r >= 0x80 && r < 0xa0 {
		s.escapeByte(byte(r) - 0x40)
		return
	}
	s.glyph(r)
}

// printable is how many bytes at the start of p are printable ASCII.
func printable(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		w := uint64(p[i]) | uint64(p[i+1])<<8 | uint64(p[i+2])<<16 | uint64(p[i+3])<<24 |
			uint64(p[i+4])<<32 | uint64(p[i+5])<<40 | uint64(p[i+6])<<48 | uint64(p[i+7])<<56
		const ones, tops = 0x0101010101010101, 0x8080808080808080
		// a byte below 0x20 borrows; 0x7f and above carries into the top bit
		if ((w-0x20*ones)|(w+ones)|w)&tops != 0 {
			break
		}
	}
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x7f {
		i++
	}
	return i
}

// wholeSGR reads an SGR of plain numbers that stands whole at the start of p, by
// far the commonest sequence in logs, and gives its length; 0 if there is none.
func (s *Screen) wholeSGR(p []byte) int {
	if len(p) < 3 || p[0] != 0x1b || p[1] != '[' {
		return 0
	}
	n, count := 0, 0
	for i := 2; i < len(p) && count < maxParams; i++ {
		switch b := p[i]; {
		case b >= '0' && b <= '9' && n <= maxParam:
			n = n*10 + int(b-'0')
		case b == ';':
			s.params[count] = n
			n, count = 0, count+1
		case b == 'm':
			s.params[count] = n
			s.nparams, s.colons = count+1, 0
			s.endNULs()
			s.sgr()
			return i + 1
		default:
			return 0
		}
	}
	return 0
}
