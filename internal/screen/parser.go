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
	// shownNULs is the shortest run of NULs that is shown: a few are padding, as
	// terminals treat them; many are a hole or a file written over.
	shownNULs = 16
)

// parser is the state of the byte stream.
type parser struct {
	state   state
	pos     int64 // file offset behind the last byte written
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
			i += n
			s.char(r)
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
		k += size
		s.char(r)
	}
	s.npart = 0
	return k - had
}

// endText decides what was left open because more could have come.
func (s *Screen) endText() {
	for k := 0; k < s.npart; k++ {
		s.char(utf8.RuneError)
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
// UTF-8.
func (s *Screen) char(r rune) {
	s.endNULs()
	if r >= 0x80 && r < 0xa0 {
		s.escapeByte(byte(r) - 0x40)
		return
	}
	s.glyph(r)
}

// sequence reads on inside a control sequence from p[i]. A line feed ends every
// one of them, so that an unterminated one cannot eat the log: it is then left
// for the ground state to read.
func (s *Screen) sequence(p []byte, i int) int {
	for i < len(p) && s.state != ground {
		b := p[i]
		if b == '\n' {
			s.state = ground
			return i
		}
		switch s.state {
		case str, strEsc, strC2:
			i = s.stringByte(p, i)
		case csi, csiSkip:
			s.now = s.base + int64(i) + 1
			i = s.csiByte(b, i)
		default:
			s.now = s.base + int64(i) + 1
			i = s.escByte(b, i)
		}
	}
	return i
}

// stringByte reads inside a control string, of which nothing is kept.
func (s *Screen) stringByte(p []byte, i int) int {
	b := p[i]
	switch {
	case s.state == strEsc && b == '\\':
		s.state = ground
	case s.state == strEsc:
		s.state, s.inter = escape, 0
		return i
	case s.state == strC2 && b == 0x9c, b == 0x07, b == 0x18, b == 0x1a:
		s.state = ground
	case b == 0x1b:
		s.state = strEsc
	case b == 0xc2:
		s.state = strC2
	default:
		s.state = str
		for i+1 < len(p) && p[i+1] >= 0x20 && p[i+1] < 0x80 {
			i++
		}
	}
	return i + 1
}

// escByte reads what follows an ESC.
func (s *Screen) escByte(b byte, i int) int {
	switch {
	case b == 0x1b:
		s.state = escape
	case b == 0x18 || b == 0x1a || b >= 0x7f:
		s.state = ground
		if b >= 0x80 {
			return i
		}
	case b < 0x20:
		s.inside(b)
	case s.state == charset:
		s.graphics[s.slot] = b == '0' || b == '2'
		s.state = ground
	case b < 0x30:
		s.state = escSkip
		if s.inter == 0 && (b == '(' || b == ')') {
			s.state, s.slot = charset, int(b-'(')
		}
		s.inter = b
	case s.state == escSkip:
		s.state = ground
	default:
		s.state = ground
		s.escapeByte(b)
	}
	return i + 1
}

// csiByte reads inside a CSI.
func (s *Screen) csiByte(b byte, i int) int {
	if s.length++; s.length > maxSequence {
		s.state = ground
		return i
	}
	switch {
	case b == 0x1b:
		s.state, s.inter = escape, 0
	case b == 0x18 || b == 0x1a:
		s.state = ground
	case b >= 0x80:
		s.state = ground
		return i
	case b < 0x20:
		s.inside(b)
	case b == 0x7f:
	case b >= 0x40:
		known := s.state == csi
		s.state = ground
		if known {
			s.csiFinal(b)
		}
	case s.state == csiSkip:
	default:
		s.csiParam(b)
	}
	return i + 1
}

// csiParam takes a parameter or intermediate byte.
func (s *Screen) csiParam(b byte) {
	switch {
	case b >= 0x3c && s.length == 1:
		s.private = b
	case b >= 0x3c, b < 0x30 && s.inter != 0, b >= 0x30 && s.inter != 0:
		s.state = csiSkip
	case b < 0x30:
		s.inter = b
	case b == ';' || b == ':':
		s.nparams = max(s.nparams, 1)
		if s.nparams < maxParams {
			s.params[s.nparams] = 0
			if b == ':' {
				s.colons |= 1 << s.nparams
			}
		}
		s.nparams = min(s.nparams+1, maxParams+1)
	default:
		s.nparams = max(s.nparams, 1)
		if s.nparams <= maxParams {
			n := &s.params[s.nparams-1]
			*n = min(*n*10+int(b-'0'), maxParam)
		}
	}
}

// startCSI forgets the sequence before.
func (s *Screen) startCSI() {
	s.state, s.nparams, s.colons, s.private, s.inter, s.length = csi, 0, 0, 0, 0, 0
	s.params[0] = 0
}

// inside acts on the few controls that work in the middle of a sequence.
func (s *Screen) inside(b byte) {
	switch b {
	case '\r':
		s.carriageReturn()
	case '\b':
		s.backspace()
	case '\t':
		s.tab(1)
	}
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
