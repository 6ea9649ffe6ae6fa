package redact

// The filter finds the places of a text where a scanner has to look. It reads
// two bytes a step and asks a table of pairs whether they can be part of one of
// the triggers; only then a hash of three bytes gives the class. False alarms
// cost time and nothing else: each scanner checks for itself.

const (
	pairFirst   uint8 = 1 << iota // the first two bytes of a trigger
	pairSecond                    // its last two
	pairControl                   // one of them may be a control or an invisible character
)

const triBits = 15

var (
	pairs    [1 << 16]uint8
	tris     [1 << triBits]uint8
	shapeAt  [1 << triBits]uint16 // 1 + index into shapeSets
	shapeSet [][]*shape
	shapes   []shape
)

func triHash(a, b, c byte) uint32 {
	return ((uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1) >> (32 - triBits)
}

func init() {
	shapes = append(append(shapes, codeShapes...), appShapes...)
	for i := range shapes {
		shapes[i].init()
	}
	for _, t := range allTriggers() {
		addTrigger(t)
	}
	for i := range shapes {
		addShape(&shapes[i])
	}
	addControls()
}

func addTrigger(t trigger) {
	for fold := 0; fold < 8; fold++ {
		if fold > 0 && !t.fold {
			return
		}
		b := [3]byte{t.three[0], t.three[1], t.three[2]}
		for k := range b {
			if fold&(1<<k) != 0 && isLower(b[k]) {
				b[k] -= 'a' - 'A'
			}
		}
		pairs[uint16(b[0])<<8|uint16(b[1])] |= pairFirst
		pairs[uint16(b[1])<<8|uint16(b[2])] |= pairSecond
		tris[triHash(b[0], b[1], b[2])] |= t.class
	}
}

func addShape(h *shape) {
	p := h.prefix
	for c := 0; c < 256; c++ {
		third := byte(c)
		if len(p) > 2 && third != p[2] || len(p) == 2 && !h.segs[0].alphabet.has(third) {
			continue
		}
		at := &shapeAt[triHash(p[0], p[1], third)]
		if *at == 0 {
			shapeSet = append(shapeSet, nil)
			*at = uint16(len(shapeSet))
		}
		shapeSet[*at-1] = append(shapeSet[*at-1], h)
	}
}

// addControls marks the pairs that may hold something that strip takes away.
func addControls() {
	for a := 0; a < 256; a++ {
		for b := 0; b < 256; b++ {
			pair := a<<8 | b
			first, second := byte(a), byte(b)
			c1 := func(c byte) bool { return c >= 0x80 && c < 0xa0 }
			if isControl(first) || isControl(second) ||
				first == 0xe2 && (second == 0x80 || second == 0x81) || first == 0xc2 || second == 0xc2 ||
				first == 0xef && second == 0xbb || first == 0xbb && second == 0xbf ||
				first == 0x80 && (second >= 0x8b && second <= 0x8f || second >= 0xaa && second <= 0xae) ||
				first == 0x81 && second >= 0xa0 && second <= 0xaf ||
				first < 0x80 && c1(second) || c1(first) && second < 0x80 {
				pairs[pair] |= pairControl
			}
		}
	}
}

func isControl(b byte) bool { return b < 0x20 && b != '\t' || b == 0x7f }

// next gives the first place from i on where something may start, and what; at
// is len(s) when there is none. Controls are reported only where strict is set.
func next(s string, i int, strict bool) (at int, class uint8) {
	last := len(s) - 1
	for j := i; j < last; j += 2 {
		f := pairs[uint16(s[j])<<8|uint16(s[j+1])]
		if f == 0 {
			continue
		}
		if f&pairControl != 0 && strict && (controlAt(s, j) > 0 || controlAt(s, j+1) > 0 || j > 0 && controlAt(s, j-1) > 0) {
			return j, atControl
		}
		if f&pairSecond != 0 && j > i {
			if m := tris[triHash(s[j-1], s[j], s[j+1])]; m != 0 {
				return j - 1, m
			}
		}
		if f&pairFirst != 0 && j+2 < len(s) {
			if m := tris[triHash(s[j], s[j+1], s[j+2])]; m != 0 {
				return j, m
			}
		}
	}
	if strict && last >= 0 && controlAt(s, last) > 0 {
		return last, atControl
	}
	return len(s), 0
}
