package redact

import "strings"

// splice writes line from byte from on with its ranges replaced. Escape
// sequences inside a secret stand behind the Mark in their order; what else a
// terminal would not show of it goes.
func (r *Redactor) splice(line []byte, found []Range, from int) {
	s := &r.stream
	at := from
	for _, g := range found {
		if g.End <= at {
			continue
		}
		r.copyOut(line, at, max(g.Start, at))
		if g.Start < from && s.open {
			s.open = false // its Mark has left already
		} else {
			s.out = append(s.out, Mark...)
		}
		for _, c := range r.cutsIn(max(g.Start, at), g.End) {
			if !c.drop {
				r.sequenceOut(line[c.from:c.to])
			}
		}
		at = g.End
	}
	r.copyOut(line, at, len(line))
}

// spliceRest is splice for a line of which stream.left bytes have left.
func (r *Redactor) spliceRest(line []byte, found []Range) {
	r.splice(line, found, min(len(line), r.stream.left))
}

// cutsIn gives what strip took out of line[a:b]; none if it had no controls.
func (r *Redactor) cutsIn(a, b int) []cut {
	if !r.cutUp {
		return nil
	}
	all := r.strips[0].cuts
	lo, hi := 0, len(all)
	for lo < hi {
		if mid := (lo + hi) / 2; all[mid].from < a {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	end := lo
	for end < len(all) && all[end].from < b {
		end++
	}
	return all[lo:end]
}

// copyOut writes line[a:b] as it is but for secrets in the texts of escape
// sequences: the target of a link, a title.
func (r *Redactor) copyOut(line []byte, a, b int) {
	for _, c := range r.cutsIn(a, b) {
		if c.to-c.from > 12 && c.to <= b && hasText(line[c.from:c.to]) {
			r.stream.out = append(r.stream.out, line[a:c.from]...)
			r.sequenceOut(line[c.from:c.to])
			a = c.to
		}
	}
	r.stream.out = append(r.stream.out, line[a:b]...)
}

// hasText says that a run of escape sequences holds one with a text in it.
func hasText(seq []byte) bool {
	for i := 0; i+1 < len(seq); i++ {
		if seq[i] == 0x1b {
			switch seq[i+1] {
			case ']', 'P', 'X', '^', '_':
				return true
			}
		}
	}
	return false
}

// sequenceOut writes a run of escape sequences, the texts in them redacted.
func (r *Redactor) sequenceOut(seq []byte) {
	out := &r.stream.out
	if len(seq) <= 12 || !hasText(seq) {
		*out = append(*out, seq...)
		return
	}
	for i := 0; i < len(seq); {
		n := max(1, controlAt(textOf(seq), i))
		one := seq[i : i+n]
		i += n
		if n <= 12 || !hasText(one[:2]) {
			*out = append(*out, one...)
			continue
		}
		t := strings.TrimRight(textOf(one), "\x07\x1b\\")
		r.aside.reset(t, nil, &r.none, false)
		at, class := r.aside.seek(2, false)
		r.aside.line(at, class, false)
		from := 0
		for _, g := range r.aside.out {
			*out = append(append(*out, one[from:g.Start]...), Mark...)
			from = g.End
		}
		*out = append(*out, one[from:]...)
		r.aside.s = ""
	}
}
