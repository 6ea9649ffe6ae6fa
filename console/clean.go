package console

import (
	"strings"
	"unicode"
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
// anything that must not be drawn.
func inspect(s string) (ascii, dirty bool) {
	ascii = true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			ascii = false
		case c < 0x20 || c == 0x7f:
			return false, true
		}
	}
	if ascii {
		return true, false
	}
	for _, r := range s {
		if r >= utf8.RuneSelf && unwanted(r) {
			return false, true
		}
	}
	return false, !utf8.ValidString(s)
}

// unwanted are the runes that would move the cursor, turn the direction of
// writing or break a line.
func unwanted(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return true
	}
	return unicode.Is(unicode.Cc, r)
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
