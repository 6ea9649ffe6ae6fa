package output

import (
	"strings"
	"unicode/utf8"

	"offstage/redact"
	"offstage/task"
)

// maxText is the display limit of a row in characters (B8); wholeText is the
// limit of a row that was asked for whole.
const (
	maxText   = 4000
	wholeText = 1 << 20
)

// liveMask is what package screen asks about a row that is about to change. A
// value that the row tells of is remembered as it stands: the row is not seen again.
func (r *renderer) liveMask(row string) [][2]int {
	rs := r.beside.Live(row)
	if rs == nil {
		return nil
	}
	if r.secrets != nil {
		r.secrets.note(row, r.beside.Ranges(row))
		r.beside.Restore(redact.State{})
	}
	out := make([][2]int, len(rs))
	for i, r := range rs {
		out[i] = [2]int{r.Start, r.End}
	}
	return out
}

// hide replaces the ranges of a row's text and moves its spans along.
func hide(row *task.Line, rs []redact.Range) {
	if len(rs) == 0 {
		return
	}
	row.Text, row.Spans = redact.Apply(row.Text, rs), moveSpans(row.Spans, rs)
	row.Redacted += len(rs)
}

// moveSpans maps style runs over the old text to the new one. A run that ends
// or starts inside a hidden range leaves its mark alone.
func moveSpans(spans []task.Span, rs []redact.Range) []task.Span {
	out := make([]task.Span, 0, len(spans))
	for _, s := range spans {
		s.Start, s.End = moved(s.Start, rs, true), moved(s.End, rs, false)
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// moved is where a border of a run stands in the new text; inside a range the
// start goes behind the mark, the end before it.
func moved(pos int, rs []redact.Range, start bool) int {
	shift := 0
	for _, r := range rs {
		switch {
		case pos >= r.End:
			shift += len(redact.Mark) - (r.End - r.Start)
		case pos > r.Start:
			if start {
				return r.Start + shift + len(redact.Mark)
			}
			return r.Start + shift
		default:
			return pos + shift
		}
	}
	return pos + shift
}

// cut shortens a row to limit characters and counts what went (B8).
func cut(row *task.Line, limit int) {
	if len(row.Text) <= limit {
		return
	}
	n := 0
	for i := range row.Text {
		if n == limit {
			row.Cut += utf8.RuneCountInString(row.Text[i:])
			row.Text = row.Text[:i]
			row.Spans = clip(row.Spans, i)
			return
		}
		n++
	}
}

func clip(spans []task.Span, end int) []task.Span {
	var out []task.Span
	for _, s := range spans {
		if s.End = min(s.End, end); s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// plain makes sure that no control byte is in a decoder's row: what it did not
// take away becomes U+FFFD, and then styles, whose places moved, go.
func plain(row *task.Line) {
	bad := func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }
	if strings.IndexFunc(row.Text, bad) < 0 && utf8.ValidString(row.Text) {
		return
	}
	row.Text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case bad(r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(row.Text, "\ufffd"))
	row.Spans = nil
}
