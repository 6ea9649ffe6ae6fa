package redact

import "bytes"

// The filter: bytes in, the same bytes out but for secrets. A line leaves when
// it is complete, since only one thing that comes later changes it: the END of a
// private key whose BEGIN was never seen. Lines that look like the body of such
// a key wait for it, at most maxHeld lines or window bytes.
//
// Memory is bounded: window bytes of lines that wait, window bytes of the
// unfinished line (a longer one leaves in pieces, long.go), and what one call of
// Write gives back.

const (
	window  = 64 << 10
	maxHeld = 400
)

// stream is what Write holds back.
type stream struct {
	buf  []byte // complete lines that wait, then the unfinished line
	ends []int  // where in buf each waiting line ends
	out  []byte
	// left is how much of the unfinished line has left already; it is kept because
	// names and signs in it tell what follows. open: what left ended in a Mark
	// whose secret may go on.
	left int
	open bool
	// inside: the unfinished line's start is gone. drop: a secret longer than a
	// window is being left out; quote is what ends it, 0 for an unquoted one.
	inside bool
	drop   bool
	quote  byte
	before byte
}

func (s *stream) clear() {
	s.buf, s.ends, s.left, s.open = s.buf[:0], s.ends[:0], 0, false
	s.inside, s.drop, s.quote, s.before = false, false, 0, 0
}

// start is where in buf the unfinished line starts.
func (s *stream) start() int {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// Write takes the next bytes of the stream and gives what may leave: nothing but
// secrets is changed. The result is valid until the next call.
func (r *Redactor) Write(p []byte) []byte {
	s := &r.stream
	r.fresh = false
	s.out = s.out[:0]
	for len(p) > 0 {
		switch {
		case s.drop:
			p = p[s.dropped(p):]
		case len(s.buf) > s.start():
			p = p[r.finish(p):]
		default:
			p = p[r.lines(p):]
		}
	}
	return s.out
}

// lines reads the complete lines of p and gives how much it took; what is left
// of p then has no line's end, and is taken as the start of the next line.
func (r *Redactor) lines(p []byte) int {
	s := &r.stream
	clean, at := 0, 0 // p[clean:at] is clean and goes out at once
	cr, nl := -1, -1  // where in p the next CR and the next LF stand
	for at < len(p) {
		if cr < at {
			cr = nextByte(p, at, '\r')
		}
		if nl < at {
			nl = nextByte(p, at, '\n')
		}
		text, end := lineEnd(p[at:], cr-at, nl-at)
		if end < 0 {
			break
		}
		line := p[at : at+text]
		hit, class := r.first(line)
		if class != 0 || len(s.ends) > 0 || !r.isClean(line) {
			s.out = append(s.out, p[clean:at]...)
			if len(s.ends) == 0 && class != 0 && !looksLikeBody(textOf(line), false) {
				r.emit(line, hit, class)
				s.out = append(s.out, p[at+text:at+end]...)
			} else {
				r.lineOut(line, p[at:at+end])
			}
			clean = at + end
		}
		at += end
	}
	s.out = append(s.out, p[clean:at]...)
	rest := min(len(p), at+window)
	if rest > at {
		s.buf = append(s.buf, p[at:rest]...)
		r.overflow()
	}
	return rest
}

// first gives the filter's first find in a complete line.
func (r *Redactor) first(line []byte) (at int, class uint8) {
	r.x.begin(textOf(line), nil, false)
	return r.x.seek(0, true)
}

// isClean says that a line in which the filter found nothing needs no second
// look and changes no state.
func (r *Redactor) isClean(line []byte) bool {
	if r.busy || len(r.x.user) > 0 {
		return false
	}
	t := textOf(line)
	return !isSection(t) && !looksLikeBody(t, false) && !r.recalls(t)
}

// nextByte gives the place of b in p from at on, len(p) where there is none.
func nextByte(p []byte, at int, b byte) int {
	if k := bytes.IndexByte(p[at:], b); k >= 0 {
		return at + k
	}
	return len(p)
}

// lineEnd finds the first end of a line in p, in which the first CR and LF stand
// at cr and nl, len(p) without one: where its text ends and where the next line
// starts; -1 where that is not known yet. A CR ends a line too: each redraw is a
// text of its own.
func lineEnd(p []byte, cr, nl int) (text, end int) {
	switch {
	case nl < cr:
		return nl, nl + 1
	case cr+1 >= len(p):
		return -1, -1
	case p[cr+1] == '\n':
		return cr, cr + 2
	}
	return cr, cr + 1
}

// finish adds p to the unfinished line, and does the line if it ends in p. It
// gives how much of p it took.
func (r *Redactor) finish(p []byte) int {
	s := &r.stream
	from := s.start()
	if s.buf[len(s.buf)-1] == '\r' {
		n := 0
		if p[0] == '\n' {
			s.buf = append(s.buf, '\n')
			n = 1
		}
		r.unfinishedOut(len(s.buf) - 1 - n - from)
		return n
	}
	k := bytes.IndexAny(p[:min(len(p), window)], "\r\n")
	room := from + window - len(s.buf)
	if k < 0 || k >= room {
		n := min(len(p), max(room, 1))
		if k >= 0 {
			n = min(n, k)
		}
		if n > 0 {
			s.buf = append(s.buf, p[:n]...)
			r.overflow()
			return n
		}
	}
	s.buf = append(s.buf, p[:k+1]...)
	if p[k] == '\n' {
		r.unfinishedOut(len(s.buf) - 1 - from)
	}
	return k + 1
}

// unfinishedOut does the line at the end of buf, now complete; text is the
// length of its text.
func (r *Redactor) unfinishedOut(text int) {
	s := &r.stream
	from := s.start()
	raw := s.buf[from:]
	if s.left == 0 && !s.inside {
		// The line may itself have to wait: it must not be in buf then.
		line := append([]byte(nil), raw...)
		s.buf = s.buf[:from]
		r.lineOut(line[:text], line)
		return
	}
	r.waitingOut(false)
	raw = s.buf[s.start():]
	found := r.judgeRest(textOf(raw[:text]), false)
	r.spliceRest(raw[:text], found)
	s.out = append(s.out, raw[max(text, s.left):]...)
	r.settle(true)
	s.buf, s.left, s.open, s.inside = s.buf[:0], 0, false, false
}

// judgeRest judges the unfinished line; the state before it counts only where
// its start is there.
func (r *Redactor) judgeRest(line string, live bool) []Range {
	if r.stream.inside {
		r.st, r.busy = State{}, false
	}
	return r.judge(line, live)
}

// lineOut does one complete line; raw is line and what ends it.
func (r *Redactor) lineOut(line, raw []byte) {
	s := &r.stream
	t := textOf(line)
	switch {
	case len(s.ends) > 0 && isKeyEnd(t):
		r.waitingOut(true)
	case r.st.Key == 0 && r.st.Block == 0 && looksLikeBody(t, len(s.ends) > 0):
		if len(s.ends) >= maxHeld || len(s.buf)+len(raw) > window {
			r.waitingOut(false)
		}
		s.buf = append(s.buf, raw...)
		s.ends = append(s.ends, len(s.buf))
		return
	default:
		r.waitingOut(false)
	}
	hit, class := r.first(line)
	r.emit(line, hit, class)
	s.out = append(s.out, raw[len(line):]...)
}

// emit judges a complete line, in which the filter's first find is given, and
// writes it.
func (r *Redactor) emit(line []byte, hit int, class uint8) {
	found := r.judgeAt(textOf(line), false, hit, class)
	r.splice(line, found, 0)
	r.settle(true)
}

// waitingOut lets the lines that wait leave: masked where they are a key's, else
// like any other.
func (r *Redactor) waitingOut(key bool) {
	s := &r.stream
	at := 0
	for _, end := range s.ends {
		raw := s.buf[at:end]
		line := bytes.TrimRight(raw, "\r\n")
		if key {
			a, b := bodyOf(textOf(line))
			s.out = append(append(append(s.out, line[:a]...), Mark...), line[b:]...)
		} else {
			hit, class := r.first(line)
			r.emit(line, hit, class)
		}
		s.out = append(s.out, raw[len(line):]...)
		at = end
	}
	s.buf = append(s.buf[:0], s.buf[at:]...)
	s.ends = s.ends[:0]
}
