package output

import (
	"context"
	"errors"

	"offstage/internal/tail"
	"offstage/task"
)

// ErrNoRow: no row starts at the offset.
var ErrNoRow = errors.New("no row of output starts there")

// Whole gives the row at offset with up to 1 MiB of text, masked.
func (l *Log) Whole(ctx context.Context, offset int64) (task.Line, error) {
	f := l.file()
	if f == nil {
		return task.Line{}, ErrNoRow
	}
	if err := l.enter(ctx); err != nil {
		return task.Line{}, err
	}
	defer l.leave()
	defer l.Remask()
	for {
		rev := l.secrets.Rev()
		r, err := l.wholeRow(ctx, f, offset)
		if err != nil || l.secrets.Rev() == rev {
			return r, err
		}
	}
}

func (l *Log) wholeRow(ctx context.Context, f *tail.File, offset int64) (task.Line, error) {
	b := l.book(ctx, f)
	b.look.text = wholeText
	s, err := b.make(ctx, max(offset, 0)/segment, b.look, b.running, b.line)
	if err != nil {
		return task.Line{}, err
	}
	for _, r := range s.rows {
		if r.Offset == offset && r.Mark == task.NoMark {
			clipBytes(&r, wholeText)
			return r, nil
		}
	}
	return task.Line{}, ErrNoRow
}

// clipBytes bounds a row's text to n bytes.
func clipBytes(r *task.Line, n int) {
	if len(r.Text) > n {
		cut(r, n/4) // a character is at most four bytes
	}
}
