package console

import "offstage/task"

// A page begins and ends anywhere, also inside a run of equal lines. Where two
// stretches of rows meet, what was one run becomes one row again (B6).

// joinRuns appends next to rows; seam is the byte where they meet.
func joinRuns(rows, next []*row, seam int64, g glyphs) []*row {
	if len(rows) == 0 || len(next) == 0 {
		return append(rows, next...)
	}
	a, b := rows[len(rows)-1], next[0]
	joined, ok := join(&a.line, &b.line, seam)
	if !ok {
		return append(rows, next...)
	}
	rows[len(rows)-1] = newRow(joined, g)
	return append(rows, next[1:]...)
}

// join makes one line of two that stand next to each other, where they are one
// run. The console never asks for unfolded rows, so two equal neighbours are.
func join(a, b *task.Line, seam int64) (task.Line, bool) {
	if !equalRuns(a, b) || seam < a.Offset {
		return task.Line{}, false
	}
	n := times(a)
	if a.End > b.Offset {
		n = share(a, b.Offset)
	}
	l := *a
	l.End, l.Repeat, l.At = b.End, n+times(b), b.At
	return l, true
}

func equalRuns(a, b *task.Line) bool {
	return a.Text == b.Text && a.Text != "" && a.Offset != b.Offset &&
		a.Mark == task.NoMark && b.Mark == task.NoMark && a.Cut == 0 && b.Cut == 0 &&
		a.Fold == 0 && b.Fold == 0 && !a.Live && !b.Live
}

// share is how many of the lines of a run start before a byte inside it. Equal
// lines are equally long but for codes that do not show.
func share(a *task.Line, at int64) int {
	n, length := int64(times(a)), max(a.End-a.Offset, 1)
	return int(((at-a.Offset)*n + length/2) / length)
}

func times(l *task.Line) int { return max(l.Repeat, 1) }
