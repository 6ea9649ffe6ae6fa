package console

import (
	"time"

	"offstage/task"
)

// What stands between two rows of the output: a long silence, and what a filter
// left out between its groups.

// silence is how long nothing came before a mark says so.
const silence = time.Minute

// gapBefore is the mark of a long silence between the last row and the next,
// where the times of both are known.
func (m *Model) gapBefore(out []*row, next *row) *row {
	if len(out) == 0 || next.line.Part > 0 {
		return nil
	}
	last := out[len(out)-1]
	if !m.came.quiet && next.line.At.IsZero() && last.line.At.IsZero() {
		return nil
	}
	at, before := m.timeOf(next), m.timeOf(last)
	d := at.Sub(before)
	if at.IsZero() || before.IsZero() || d < silence {
		return nil
	}
	l := task.Line{Offset: next.line.Offset, Part: -1, End: next.line.Offset, Mark: task.MarkGap, Text: task.Rough(d) + " of silence"}
	return &row{line: l, role: gapRow, text: m.set.mark(l.Mark, l.Text)}
}

// apart is the mark between two groups of rows that a filter shows with their
// context: other rows stand between them in the output.
func (m *Model) apart(out []*row, next *row) *row {
	f := m.win.filter
	if f == nil || f.Context == 0 || len(out) == 0 {
		return nil
	}
	last := &out[len(out)-1].line
	if last.End >= next.line.Offset || last.Offset == next.line.Offset {
		return nil
	}
	l := task.Line{Offset: next.line.Offset, Part: -1, End: next.line.Offset, Mark: task.MarkGap}
	return &row{line: l, role: gapRow, text: m.set.dots + m.set.dots}
}
