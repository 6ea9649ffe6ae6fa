package screen

import (
	"sync/atomic"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// class is how a character takes up cells.
type class uint8

const (
	// one and two are ordinary characters of that many cells.
	one class = iota + 1
	two
	// zero attaches to the cell before: combining marks, variation selectors.
	zero
	// joining may become one cluster with the cell before: half of a flag, a skin
	// tone.
	joining
	// zwj glues emoji and is an unseen character anywhere else.
	zwj
	// unseen has no looks of its own and is shown as a mark (B7).
	unseen
)

// classes are computed a page of 256 characters at a time, when one is first
// met. Widths are those of package ansi, which the views measure with too.
var classes [(unicode.MaxRune + 1) / 256]atomic.Pointer[[256]class]

func classOf(r rune) class {
	if r < 0 || r > unicode.MaxRune {
		return one
	}
	p := classes[r>>8].Load()
	if p == nil {
		p = new([256]class)
		for i := range p {
			p[i] = classify(r&^0xff | rune(i))
		}
		classes[r>>8].Store(p)
	}
	return p[r&0xff]
}

func classify(r rune) class {
	switch {
	case r == 0x200d:
		return zwj
	case isUnseen(r):
		return unseen
	case r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff:
		return joining
	}
	switch ansi.StringWidth(string(r)) {
	case 0:
		return zero
	case 2:
		return two
	}
	return one
}

// cells is how many cells a character of the class takes when it stands alone.
func (c class) cells() int {
	switch c {
	case two, joining:
		return 2
	case one:
		return 1
	}
	return 0
}

// isUnseen says that a character changes the text without being seen in it:
// every format character (Unicode category Cf) but those of Arabic and its kin
// that have a shape, line and paragraph separators, and the blank fillers.
func isUnseen(r rune) bool {
	switch r {
	case 0x2028, 0x2029, 0x115f, 0x1160, 0x3164, 0xffa0, 0x034f, 0x17b4, 0x17b5:
		return true
	case 0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd, 0x110cd:
		return false
	}
	if r >= 0x0600 && r <= 0x0605 || r >= 0xe0100 && r <= 0xe01ef {
		return false
	}
	return unicode.Is(unicode.Cf, r) || r >= 0xe0000 && r <= 0xe007f
}
