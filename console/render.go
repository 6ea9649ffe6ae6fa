package console

import (
	"strings"

	"offstage/task"
)

// Render is one row as a line of bytes for a pipe or a plain terminal: its text
// with our own codes where color is set, "×N" for equal rows, and how much was
// cut. It is what `logs` and `render` print; the window paints by itself.
func Render(l task.Line, color bool) string {
	l, _ = clean(l)
	var b strings.Builder
	at := 0
	for _, s := range l.Spans {
		open := ""
		if color {
			open = sgr(s.Style, false)
		}
		b.WriteString(l.Text[at:s.Start])
		b.WriteString(open)
		b.WriteString(l.Text[s.Start:s.End])
		if open != "" {
			b.WriteString(reset)
		}
		at = s.End
	}
	b.WriteString(l.Text[at:])
	if l.Cut > 0 {
		b.WriteString(" … +" + count(int64(l.Cut)) + " characters")
	}
	if l.Fold > 0 {
		b.WriteString(" +" + count(int64(l.Fold)) + " lines")
	}
	if l.Repeat > 1 {
		b.WriteString("  ×" + count(int64(l.Repeat)))
	}
	return b.String()
}
