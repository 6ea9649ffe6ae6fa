package redact

import "bytes"

// Flush ends the stream: what is held leaves as the last line. The Redactor is
// then as new.
func (r *Redactor) Flush() []byte {
	s := &r.stream
	s.out = s.out[:0]
	if n := len(s.buf) - s.start(); n > 0 {
		text := n
		if s.buf[len(s.buf)-1] == '\r' {
			text--
		}
		r.unfinishedOut(text)
	}
	r.waitingOut(false)
	s.clear()
	r.st, r.busy = State{}, false
	return s.out
}

// Release lets everything held leave because nothing more comes for now: a
// prompt must be seen. Only an escape sequence that is not whole stays. What may be part of a secret is masked: an open value,
// and lines that look like the body of a key. The stream goes on where it is.
func (r *Redactor) Release() []byte {
	s := &r.stream
	s.out = s.out[:0]
	if s.drop {
		return s.out
	}
	key := false
	for i, end := range s.ends {
		from := 0
		if i > 0 {
			from = s.ends[i-1]
		}
		n := len(bytes.TrimSpace(s.buf[from:end]))
		key = key || n == 64 || n == 70
	}
	r.waitingOut(key)
	raw := s.buf[:len(s.buf)-unfinished(s.buf)]
	if len(raw) <= s.left {
		return s.out
	}
	text := raw
	if raw[len(raw)-1] == '\r' {
		text = raw[:len(raw)-1]
	}
	found := r.judgeRest(textOf(text), true)
	open := len(found) > 0 && found[len(found)-1].End == len(text)
	if key && looksLikeBody(textOf(text), true) {
		found, open = []Range{{0, len(text)}}, true
	}
	r.spliceRest(text, found)
	s.out = append(s.out, raw[max(len(text), s.left):]...)
	r.settle(false)
	s.left, s.open = len(raw), open
	return s.out
}

// Pending is how many bytes are held back.
func (r *Redactor) Pending() int { return len(r.stream.buf) - r.stream.left }

// unfinished is the length of an escape sequence at the end of b that is not
// whole yet: nothing to see, and its text may be a secret's.
func unfinished(b []byte) int {
	k := bytes.LastIndexByte(b, 0x1b)
	if k < 0 || k+controlAt(textOf(b), k) < len(b) {
		return 0
	}
	last := b[len(b)-1]
	switch n := len(b) - k; {
	case n == 1:
		return n
	case b[k+1] == '[' && n > 2 && last >= 0x40 && last < 0x7f:
	case b[k+1] == '[' || hasText(b[k:]) && last != 0x07:
		return n
	}
	return 0
}
