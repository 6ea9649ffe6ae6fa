package screen

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
