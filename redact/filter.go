package redact

import "sync"

// The filter finds the places of a text where a scanner has to look. It reads
// eight bytes a step and asks a table of pairs whether one of them can be part of
// a trigger; only then a hash of three bytes gives the class, and worth.go drops
// what is nothing after all.

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
	shapeSet [][]start
	shapes   []shape
)

func triHash(a, b, c byte) uint32 {
	return ((uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1) >> (32 - triBits)
}

// triHash4 is triHash of the low three bytes of v.
func triHash4(v uint32) uint32 { return ((v & 0xffffff) * 0x9E3779B1) >> (32 - triBits) }

// prepare fills the tables with the first text that is looked at: programs that
// never look at one, a supervisor above all, do not pay for them (2 ms, 330 kB).
var prepare = sync.OnceFunc(func() {
	for _, d := range dicts {
		d.fill()
	}
	refStarts, wrapStarts, oddStarts = makeRefStarts(), makeWrapStarts(), makeOddStarts()
	oftenPairs = makeOftenPairs()
	shapes = append(append(shapes, codeShapes...), appShapes...)
	for i := range shapes {
		shapes[i].init()
	}
	for i := range shapes {
		shapes[i].choose()
	}
	for _, t := range allTriggers() {
		addTrigger(t)
	}
	for i := range shapes {
		addShape(&shapes[i])
	}
	addControls()
})

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
		pairs[uint16(b[0])|uint16(b[1])<<8] |= pairFirst
		pairs[uint16(b[1])|uint16(b[2])<<8] |= pairSecond
		tris[triHash(b[0], b[1], b[2])] |= t.class
	}
}

func addShape(h *shape) {
	p := h.prefix
	if len(p) > 2 {
		p = p[h.off:]
	}
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
		shapeSet[*at-1] = append(shapeSet[*at-1], h.start())
	}
}

// addControls marks the pairs that may hold something that strip takes away.
func addControls() {
	for a := 0; a < 256; a++ {
		for b := 0; b < 256; b++ {
			pair := a | b<<8
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

// seek gives the first place of x.s from i on where something may start, and
// what; at is len(x.s) when there is none. Controls are reported only where
// strict is set.
func (x *scan) seek(i int, strict bool) (at int, class uint8) {
	s := x.s
	j := i
	for ; j+10 <= len(s); j += 8 {
		w := load8(s, j)
		if pairs[uint16(w)]|pairs[uint16(w>>16)]|pairs[uint16(w>>32)]|pairs[uint16(w>>48)] == 0 {
			continue
		}
		for k := j; k < j+8; k += 2 {
			f := pairs[uint16(w)]
			w >>= 16
			if f == 0 {
				continue
			}
			if f&pairControl == 0 && k > i {
				// Most are nothing: two looks at three bytes.
				v := load4(s, k-1)
				if m := tris[triHash4(v)]; m != 0 {
					if m = x.worth(k-1, m); m != 0 {
						return k - 1, m
					}
				}
				if m := tris[triHash4(v>>8)]; m != 0 {
					if m = x.worth(k, m); m != 0 {
						return k, m
					}
				}
				continue
			}
			if at, class = x.hit(k, i, f, strict); class != 0 {
				return at, class
			}
		}
	}
	for ; j+2 <= len(s); j += 2 {
		if f := pairs[uint16(s[j])|uint16(s[j+1])<<8]; f != 0 {
			if at, class = x.hit(j, i, f, strict); class != 0 {
				return at, class
			}
		}
	}
	if last := len(s) - 1; strict && last >= 0 && controlAt(s, last) > 0 {
		return last, atControl
	}
	return len(s), 0
}

// hit looks at the pair at j, of which the table says f: a control, or one of
// the two places from i on where a trigger may start.
func (x *scan) hit(j, i int, f uint8, strict bool) (at int, class uint8) {
	s := x.s
	if f&pairControl != 0 && strict && (controlAt(s, j) > 0 || controlAt(s, j+1) > 0 || j > 0 && controlAt(s, j-1) > 0) {
		return j, atControl
	}
	if f&pairSecond != 0 && j > i {
		if m := tris[triHash(s[j-1], s[j], s[j+1])]; m != 0 {
			if m = x.worth(j-1, m); m != 0 {
				return j - 1, m
			}
		}
	}
	if f&pairFirst != 0 && j+2 < len(s) {
		if m := tris[triHash(s[j], s[j+1], s[j+2])]; m != 0 {
			if m = x.worth(j, m); m != 0 {
				return j, m
			}
		}
	}
	return len(s), 0
}
