package output

import (
	"context"
	"errors"

	"offstage/internal/tail"
	"offstage/task"
)

// Bounds of one page: rows, and bytes of file that are looked at for it. A page
// that meets its bound has fewer rows than were asked for and says so by Top and
// Bottom; the reader asks on from its ends.
const (
	pageRows  = 10_000
	pageBytes = 32 << 20
	tipBytes  = 2 << 20
)

// Page gives rows around a place; see task.Output.
func (l *Log) Page(ctx context.Context, req task.PageRequest) (task.Page, error) {
	l.touch()
	l.pages.Add(1)
	defer l.pages.Add(-1)
	if err := l.enter(ctx); err != nil {
		return task.Page{}, err
	}
	defer l.leave()
	defer l.Remask()
	for tries := 0; ; {
		rev := l.secrets.Rev()
		p, err := l.page(ctx, req)
		if err == nil && l.secrets.Rev() != rev { // it told of a value: at most as often as values are kept
			continue
		}
		if errors.Is(err, errStale) || errors.Is(err, tail.ErrReplaced) {
			if tries++; tries <= 3 {
				continue
			}
			return task.Page{Facts: l.Facts()}, nil // it changes faster than it can be read: the next news tells
		}
		return p, err
	}
}

// enter waits for its turn to read; leave gives it on.
func (l *Log) enter(ctx context.Context) error {
	select {
	case l.reading <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.closed.Done():
		return errClosed
	}
}

func (l *Log) leave() { <-l.reading }

func (l *Log) page(ctx context.Context, req task.PageRequest) (task.Page, error) {
	f := l.file()
	if f == nil {
		return task.Page{Top: true, Bottom: true, Facts: l.Facts()}, nil
	}
	req.Before, req.After = clamp(req.Before), clamp(req.After)
	b := l.book(ctx, f)
	var p task.Page
	var err error
	switch {
	case req.Filter != nil:
		p, err = b.filter(req)
	case req.Tail && !req.NoFold && l.o.Decoder == nil:
		p, err = l.tipPage(b, req.Before)
	default:
		p, err = b.around(req)
	}
	if err == nil {
		err = b.fresh()
	}
	if err != nil {
		return task.Page{}, err
	}
	p.Facts = l.Facts()
	l.dress(b, &p)
	return p, nil
}

func clamp(n int) int { return min(max(n, 0), pageRows) }

// book makes pages of one generation of a file.
type book struct {
	source
	ctx     context.Context
	cache   *segments
	look    look
	size    int64
	running bool
	counted int64 // up to here line numbers are known
	// line is the number of the line at off, find a place before newline n.
	line func(off int64) int64
	find func(n int64) (at, have int64, ok bool)
}

func (l *Log) book(ctx context.Context, f *tail.File) *book {
	b := &book{source: newSource(f), ctx: ctx, cache: &l.cache, look: look{dec: l.o.Decoder, secrets: l.secrets}, size: f.Size(), running: l.running.Load()}
	b.look.enc = b.enc
	l.learnHead(ctx, f)
	b.cache.under(l.secrets.Rev())
	if b.look.dec == nil {
		b.mark = endOf(f, b.size).at
	}
	b.counted = l.countedTo(b.gen)
	b.line = func(off int64) int64 { return l.lineAt(b.source, off) }
	b.find = func(n int64) (int64, int64, bool) { return l.find(b.gen, n) }
	return b
}

// seg gives segment k, made or kept.
func (b *book) seg(k int64) (*seg, error) {
	if s := b.cache.get(b.gen, k, b.size, b.running, b.counted >= (k+1)*segment); s != nil {
		return s, nil
	}
	s, err := b.run(k), error(nil)
	if s == nil {
		s, err = b.make(b.ctx, k, b.look, b.running, b.line)
	}
	if err != nil {
		return nil, err
	}
	b.cache.put(s)
	return s, nil
}

// around answers every request but the folded tail.
func (b *book) around(req task.PageRequest) (task.Page, error) {
	at, err := b.place(req)
	if err != nil {
		return task.Page{}, err
	}
	before, err := b.back(at, req.Before, !req.NoFold, pageBytes)
	if err != nil {
		return task.Page{}, err
	}
	after := stretch{reach: min(at, b.size), edge: at > b.size}
	if req.After > 0 && !after.edge {
		if after, err = b.forth(at, req.After, !req.NoFold); err != nil {
			return task.Page{}, err
		}
	}
	rows := append(before.rows, after.rows...)
	if !req.NoFold {
		rows = fold(rows)
	}
	return task.Page{Lines: rows, Start: min(before.reach, b.size), End: after.reach, Top: before.edge, Bottom: after.edge}, nil
}

// place turns a request into the offset where a row starts; one behind the end
// of the file for the tail.
func (b *book) place(req task.PageRequest) (int64, error) {
	at := req.At
	switch {
	case req.Tail:
		return b.size + 1, nil // a mark may stand at the very end
	case req.AtPercent:
		at = int64(min(max(req.Percent, 0), 1) * float64(b.size))
	case req.Line > 0:
		off, err := b.offsetOf(req.Line)
		if err != nil {
			return 0, err
		}
		if off >= 0 {
			return off, nil
		}
	}
	at = min(max(at, 0), b.size)
	if at == 0 || at == b.size {
		return at, nil
	}
	near, err := b.back(min(at+1, b.size), 1, false, pageBytes)
	if err != nil || len(near.rows) == 0 {
		return at, err
	}
	if last := near.rows[len(near.rows)-1]; at < last.End {
		return last.Offset, nil
	}
	return at, nil
}
