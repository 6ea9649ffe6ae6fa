package console

import (
	"strings"
	"unicode/utf8"
)

// The runes that make one glyph of several, or a wide one of a narrow one.
const (
	joiner = '\u200d'
	emoji  = '\ufe0f'
	// symbols begin here: what is joined below them are letters (Sinhala, Malayalam),
	// whose cells a joiner does not change.
	symbols = 0x2190
)

// unjoined is a text as it is drawn where the terminal does not measure by grapheme:
// without the joiners between emoji and the wish for an emoji's own look. Such
// terminals differ in what they make of them – tmux 3.3 joins a family of eight cells
// to two, xterm does not – and every border behind it would stand elsewhere. Without
// them all agree, and the widths are those that were measured: both have none. What is
// copied keeps them.
func unjoined(s string) string {
	if !strings.ContainsRune(s, joiner) && !strings.ContainsRune(s, emoji) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r == emoji {
			continue
		}
		if r == joiner {
			if next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):]); next >= symbols || next == utf8.RuneError {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}
