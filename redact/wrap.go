package redact

import "unicode/utf8"

// A terminal or a tool may have cut a long line in the middle of a token (T5 of
// the threat cases): the rest then opens the next line. Lines are joined for
// that question only.

// wrapShape notes that the line ends inside a token of shape h, of which have
// characters behind the prefix are there.
func (x *scan) wrapShape(h *shape, have int) {
	if have < h.least {
		x.next.Wrap, x.next.WrapLeft = true, h.least-have
	} else {
		x.wrapValue()
	}
}

// openShape notes the prefix of a strong token at the line's very end, too short
// to be hidden.
func (x *scan) openShape(i int, set uint16) {
	for _, t := range shapeSet[set-1] {
		h := t.shape
		at := i - h.off
		from := at + len(h.prefix)
		if h.how&strong != 0 && hasAt(x.s, at, h.prefix) && x.leftOK(at, len(h.prefix)) && h.any.run(x.s, from) == len(x.s) {
			x.wrapShape(h, len(x.s)-from)
		}
	}
}

// wrapValue notes that a value of unknown length ends where lines are cut.
func (x *scan) wrapValue() {
	switch utf8.RuneCountInString(x.s) {
	case 80, 100, 120, 132:
		x.next.Wrap, x.next.WrapLeft = true, 0
	}
}

// wrapped hides what the cut token left at the start of this line.
func (x *scan) wrapped() {
	s, left := x.s, x.st.WrapLeft
	end := trimEnd(s, 0, setY.run(s, 0))
	switch {
	case end == 0:
	case x.live && end == len(s):
		x.add(0, end)
	case left == 0:
		if varied(s[:end]) && end >= 2 {
			x.add(0, end)
			x.named = max(x.named, end)
		}
	case end >= left && (left >= 8 || varied(s[:end]) || end < len(s) && left >= 4):
		x.add(0, end)
	case end == len(s) && end >= 8 && varied(s):
		x.add(0, end)
		x.next.Wrap, x.next.WrapLeft = true, left-end
	}
}
