package console

import (
	"strings"
	"unicode/utf8"

	"offstage/task"
)

// clean is the last line of defence: rows come without control bytes, and if
// one should not, none of it reaches the terminal or the clipboard. Controls
// (C0, DEL, C1), line separators and bidi controls are dropped, a tab is one
// space, bytes that are no UTF-8 are U+FFFD. Spans move along.
func clean(l task.Line) (task.Line, bool) {
	ascii, dirty := inspect(l.Text)
	if dirty {
		l.Text, l.Spans = scrub(l.Text, l.Spans)
		ascii, _ = inspect(l.Text)
	}
	if !spansFit(l.Spans, len(l.Text)) {
		l.Spans = mend(l.Spans, len(l.Text))
	}
	return l, ascii
}

// inspect says whether a text is printable ASCII only, and whether it holds
// anything that must not be drawn. It looks at eight bytes at a time: every row
// of every page comes through here.
func inspect(s string) (ascii, dirty bool) {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		if !printable(x) {
			break
		}
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return false, inspectRunes(s[i:])
		case c < 0x20 || c == 0x7f:
			return false, true
		}
	}
	return true, false
}

// printable: none of eight bytes is below space, DEL or above ASCII.
func printable(x uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	del := x ^ 0x7f*ones
	return (x|(x-0x20*ones)|(del-ones)&^del)&highs == 0
}

func inspectRunes(s string) (dirty bool) {
	for i, r := range s {
		if unwanted(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return true
		}
	}
	return false
}

// unwanted are the runes that would move the cursor, turn the direction of
// writing or break a line.
func unwanted(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// scrub drops what is unwanted and moves the spans to where their text went.
func scrub(s string, spans []task.Span) (string, []task.Span) {
	var b strings.Builder
	moved := make([]int, len(s)+1)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		for k := i; k < i+n; k++ {
			moved[k] = b.Len()
		}
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case !unwanted(r):
			b.WriteRune(r)
		}
		i += n
	}
	moved[len(s)] = b.Len()
	out := make([]task.Span, 0, len(spans))
	for _, sp := range spans {
		if sp.Start < 0 || sp.End > len(s) || sp.Start >= sp.End {
			continue
		}
		if a, e := moved[sp.Start], moved[sp.End]; a < e {
			out = append(out, task.Span{Start: a, End: e, Style: sp.Style})
		}
	}
	return b.String(), out
}

func spansFit(spans []task.Span, size int) bool {
	at := 0
	for _, sp := range spans {
		if sp.Start < at || sp.End < sp.Start || sp.End > size {
			return false
		}
		at = sp.End
	}
	return true
}

// mend keeps the spans that stand in order inside the text.
func mend(spans []task.Span, size int) []task.Span {
	var out []task.Span
	at := 0
	for _, sp := range spans {
		if sp.Start >= at && sp.End > sp.Start && sp.End <= size {
			out, at = append(out, sp), sp.End
		}
	}
	return out
}

// word cleans a text of one line that is drawn in the header or a strip.
func word(s string) string {
	if _, dirty := inspect(s); !dirty {
		return s
	}
	s, _ = scrub(strings.ReplaceAll(s, "\n", " "), nil)
	return s
}
