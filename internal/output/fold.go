package output

import (
	"slices"

	"offstage/task"
)

// same says whether two neighbours are one row to a reader (B6).
func same(a, b *task.Line) bool {
	return a.Mark == task.NoMark && b.Mark == task.NoMark && a.Text == b.Text && a.Cut == b.Cut &&
		a.Fold == 0 && b.Fold == 0 && a.Aside == b.Aside && slices.Equal(a.Spans, b.Spans)
}

// times is how many rows a row stands for.
func times(r *task.Line) int { return max(r.Repeat, 1) }

// pushFolded appends row, or counts it on the last row when that is equal.
func pushFolded(rows []task.Line, row task.Line) []task.Line {
	if n := len(rows); n > 0 && same(&rows[n-1], &row) {
		last := &rows[n-1]
		last.Repeat = times(last) + times(&row)
		last.End, last.Live, last.Redacted = row.End, row.Live, last.Redacted+row.Redacted
		return rows
	}
	return append(rows, row)
}

// fold gives rows with equal neighbours as one.
func fold(rows []task.Line) []task.Line {
	out := make([]task.Line, 0, min(len(rows), 4096))
	for _, r := range rows {
		out = pushFolded(out, r)
	}
	return out
}

// lastOf keeps the last n rows, and more where a record would be parted.
func lastOf(rows []task.Line, n int) []task.Line {
	i := max(len(rows)-n, 0)
	for i > 0 && rows[i-1].Offset == rows[i].Offset {
		i--
	}
	return rows[i:]
}

// firstOf keeps the first n rows, and more where a record would be parted.
func firstOf(rows []task.Line, n int) []task.Line {
	i := min(n, len(rows))
	for i > 0 && i < len(rows) && rows[i].Offset == rows[i-1].Offset {
		i++
	}
	return rows[:i]
}
