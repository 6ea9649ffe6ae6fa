package redact

// given is where what Line and Ranges give away is put together: a block is cut
// into pieces, so that a line with a secret costs no allocation of its own. A
// piece is never written again once it is given, and never grows into the next.
type given struct {
	text   []byte
	ranges []Range
}

// Sizes of the blocks. What a caller keeps of one keeps all of it alive.
const (
	textBlock  = 4 << 10
	rangeBlock = 128
)

// apply is Apply with its result in a block.
func (v *given) apply(line string, rs []Range) string {
	n := len(line) + len(rs)*len(Mark)
	if n > cap(v.text)-len(v.text) {
		if n > textBlock/2 {
			return Apply(line, rs)
		}
		v.text = make([]byte, 0, textBlock)
	}
	from, at := len(v.text), 0
	for _, g := range rs {
		if g.End <= at {
			continue
		}
		v.text = append(append(v.text, line[at:max(at, g.Start)]...), Mark...)
		at = g.End
	}
	v.text = append(v.text, line[at:]...)
	return textOf(v.text[from:])
}

// keep copies rs into a block; nil for none.
func (v *given) keep(rs []Range) []Range {
	if len(rs) == 0 {
		return nil
	}
	if len(rs) > cap(v.ranges)-len(v.ranges) {
		v.ranges = make([]Range, 0, max(rangeBlock, len(rs)))
	}
	from := len(v.ranges)
	v.ranges = append(v.ranges, rs...)
	return v.ranges[from:len(v.ranges):len(v.ranges)]
}
