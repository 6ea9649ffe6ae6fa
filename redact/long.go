package redact

import "bytes"

// A line longer than a window leaves in pieces. Each piece is judged with
// context bytes of what left before it and margin bytes of what follows, so that
// a secret shorter than both is seen whole wherever the cut falls. A longer one
// is dropped up to what ends it.
const (
	context = 1 << 10
	margin  = 4 << 10
)

// overflow lets a piece of the unfinished line leave when it fills the window.
func (r *Redactor) overflow() {
	s := &r.stream
	if len(s.buf)-s.start() < window {
		return
	}
	r.waitingOut(false)
	raw := s.buf
	found := r.judgeRest(textOf(raw), false)
	cut := pieceEnd(raw, s.left)
	for k, g := range found {
		if g.Start >= cut || g.End <= cut {
			continue
		}
		cut = g.End
		if g.End == len(raw) {
			cut = g.Start
			if len(raw)-g.Start > window/2 || g.Start <= s.left {
				r.dropFrom(raw, found[:k+1])
				return
			}
		}
	}
	cut = max(cut, s.left)
	n := 0
	for n < len(found) && found[n].Start < cut {
		n++
	}
	r.splice(raw[:cut], found[:n], s.left)
	r.settle(false)
	keep := min(cut, context)
	s.buf = append(s.buf[:0], raw[cut-keep:]...)
	s.left, s.open, s.inside = keep, false, true
}

// pieceEnd chooses where to cut: behind a blank, before the margin.
func pieceEnd(raw []byte, left int) int {
	end := len(raw) - margin
	if k := bytes.LastIndexAny(raw[end-margin:end], " \t"); k >= 0 && end-margin+k+1 > left {
		return end - margin + k + 1
	}
	return end
}

// dropFrom writes all before the last range, its Mark, and drops what follows
// until the secret ends.
func (r *Redactor) dropFrom(raw []byte, found []Range) {
	s := &r.stream
	last := found[len(found)-1]
	r.splice(raw[:last.End], found, s.left)
	s.quote = 0
	if last.Start > 0 && (raw[last.Start-1] == '"' || raw[last.Start-1] == '\'') {
		s.quote = raw[last.Start-1]
	}
	r.settle(false)
	s.before = raw[len(raw)-1]
	s.buf, s.left, s.open = s.buf[:0], 0, false
	s.drop, s.inside = true, true
}

// dropped gives how much of p belongs to the secret that is being dropped.
func (s *stream) dropped(p []byte) int {
	for i, b := range p {
		ends := b == '\n' || b == '\r'
		if s.quote != 0 {
			ends = ends || b == s.quote && s.before != '\\'
		} else {
			ends = ends || !setY.has(b) && b != '%' && b != '~' && b < 0x80 && b > ' ' || isBlank(b)
		}
		if ends {
			s.drop = false
			return i
		}
		s.before = b
	}
	return len(p)
}
