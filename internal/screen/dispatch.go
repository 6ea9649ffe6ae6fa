package screen

// escapeByte acts on ESC b, or on the C1 control that is its twin. What is not
// known is let go.
func (s *Screen) escapeByte(b byte) {
	switch b {
	case '[':
		s.startCSI()
		return
	case ']', 'P', '_', '^', 'X':
		s.state = str
		return
	case 'c':
		s.hardReset()
		return
	}
	if s.mode.alt {
		return
	}
	switch b {
	case 'D':
		s.index()
	case 'E':
		s.index()
		s.carriageReturn()
	case 'M':
		s.reverseIndex()
	case '7':
		s.saveCursor()
	case '8':
		s.restoreCursor()
	}
}

// arg is parameter i, at least 1: how far moves and erasures go.
func (s *Screen) arg(i int) int {
	if i >= min(s.nparams, maxParams) || s.params[i] == 0 {
		return 1
	}
	return s.params[i]
}

// csiFinal acts on a whole CSI.
func (s *Screen) csiFinal(b byte) {
	s.nparams = min(s.nparams, maxParams)
	if s.private != 0 || s.inter != 0 {
		if s.private == '?' && s.inter == 0 {
			s.privateMode(b)
		}
		return
	}
	switch {
	case b == 'm':
		s.sgr()
	case s.mode.alt:
		s.letGo()
	case b >= 'A' && b <= 'H', b == 'a', b == 'd', b == 'e', b == 'f', b == '`', b == 'I', b == 'Z', b == 's', b == 'u':
		s.moveCSI(b)
	default:
		s.editCSI(b)
	}
}

// moveCSI acts on the sequences that only move the cursor.
func (s *Screen) moveCSI(b byte) {
	n := s.arg(0)
	switch b {
	case 'A':
		s.up(n)
	case 'B', 'e':
		s.down(n)
	case 'C', 'a':
		s.column(s.inner() + n)
	case 'D':
		s.column(s.inner() - n)
	case 'E':
		s.down(n)
		s.carriageReturn()
	case 'F':
		s.up(n)
		s.carriageReturn()
	case 'G', '`':
		s.column(n - 1)
	case 'H', 'f':
		s.place(n-1, s.arg(1)-1)
	case 'd':
		s.place(n-1, s.inner())
	case 'I':
		s.tab(n)
	case 'Z':
		s.backTab(n)
	case 's':
		s.saveCursor()
	case 'u':
		s.restoreCursor()
	}
}

// editCSI acts on the sequences that change what stands there.
func (s *Screen) editCSI(b byte) {
	n := s.arg(0)
	switch b {
	case 'J':
		s.eraseDisplay(s.params[0])
	case 'K':
		s.eraseLine(s.params[0])
	case 'L':
		s.insertRows(n)
	case 'M':
		s.deleteRows(n)
	case 'P':
		s.deleteCells(n)
	case '@':
		s.insertCells(n)
	case 'X':
		s.eraseCells(s.inner(), s.inner()+n)
	case 'S':
		s.scrollUp(n)
	case 'b':
		s.repeat(n)
	case 'r':
		s.margins()
	case 'h', 'l':
		for _, p := range s.params[:s.nparams] {
			if p == 4 {
				s.mode.insert = b == 'h'
			}
		}
	}
}

// privateMode acts on CSI ? … h and l: autowrap and the alternate screen.
func (s *Screen) privateMode(b byte) {
	if b != 'h' && b != 'l' {
		return
	}
	for _, p := range s.params[:s.nparams] {
		switch p {
		case 7:
			s.mode.nowrap = b == 'l'
		case 47, 1047, 1049:
			s.alternate(b == 'h')
		}
	}
}
