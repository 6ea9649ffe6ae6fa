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
	l.pages.Add(1)
	defer l.pages.Add(-1)
	l.pageMu.Lock()
	defer l.pageMu.Unlock()
	for tries := 0; ; tries++ {
		p, err := l.page(ctx, req)
		if errors.Is(err, errStale) || errors.Is(err, tail.ErrReplaced) {
			if tries < 3 {
				continue
			}
			return task.Page{Facts: l.Facts()}, nil // it changes faster than it can be read: the next news tells
		}
		return p, err
	}
}

func (l *Log) page(ctx context.Context, req task.PageRequest) (task.Page, error) {
	f := l.file()
	if f == nil {
		return task.Page{Top: true, Bottom: true, Facts: l.Facts()}, nil
	}
	req.Before, req.After = clamp(req.Before), clamp(req.After)
	b := l.book(ctx, f)
	var p task.Page
	var err error
	if req.Tail && !req.NoFold && l.o.Decoder == nil {
		p, err = l.tipPage(b, req.Before)
	} else {
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
	b := &book{source: newSource(f), ctx: ctx, cache: &l.cache, look: look{dec: l.o.Decoder}, size: f.Size(), running: l.running.Load()}
	b.look.enc = b.enc
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
	s, err := b.make(b.ctx, k, b.look, b.running, b.line)
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
	before, top, err := b.back(at, req.Before, !req.NoFold, pageBytes)
	if err != nil {
		return task.Page{}, err
	}
	var after []task.Line
	bottom := at >= b.size
	if req.After > 0 && !bottom {
		if after, bottom, err = b.forth(at, req.After, !req.NoFold); err != nil {
			return task.Page{}, err
		}
	}
	rows := append(before, after...)
	if !req.NoFold {
		rows = fold(rows)
	}
	p := task.Page{Lines: rows, Start: at, End: at, Top: top, Bottom: bottom}
	if len(rows) > 0 {
		p.Start, p.End = rows[0].Offset, rows[len(rows)-1].End
	}
	return p, nil
}

// place turns a request into the offset where a row starts; the size of the file
// for the tail.
func (b *book) place(req task.PageRequest) (int64, error) {
	at := req.At
	switch {
	case req.Tail:
		return b.size, nil
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
	if at == 0 {
		return 0, nil
	}
	rows, _, err := b.back(min(at+1, b.size), 1, false, pageBytes)
	if err != nil || len(rows) == 0 {
		return at, err
	}
	if last := rows[len(rows)-1]; at < last.End || last.End >= b.size {
		return lastOf(rows, 1)[0].Offset, nil
	}
	return at, nil
}

// back gives the last n rows that start before at, and whether nothing stands
// before them. Where rows are folded it goes on to the start of a run.
func (b *book) back(at int64, n int, folded bool, budget int64) (rows []task.Line, top bool, err error) {
	if at <= b.head {
		return nil, true, nil
	}
	if n == 0 {
		return nil, false, nil
	}
	var parts [][]task.Line
	got := 0
	for k := (at - 1) / segment; k >= 0; {
		s, err := b.seg(k)
		if err != nil {
			return nil, false, err
		}
		part := s.rows
		for len(part) > 0 && part[len(part)-1].Offset >= at {
			part = part[:len(part)-1]
		}
		if folded {
			part = fold(part)
		}
		if len(part) > 0 && len(parts) > 0 && folded { // a run goes on over the border
			if next := parts[len(parts)-1]; same(&part[len(part)-1], &next[0]) {
				got--
			}
		}
		if len(part) > 0 {
			parts = append(parts, part)
		}
		budget -= segment
		if got += len(part); got > n || budget <= 0 { // one more than asked for: the run has its start
			break
		}
		if k, err = b.previous(s); err != nil {
			return nil, false, err
		}
		top = k < 0
	}
	for i := len(parts) - 1; i >= 0; i-- {
		rows = append(rows, parts[i]...)
	}
	if folded {
		rows = fold(rows)
	}
	kept := lastOf(rows, n)
	return kept, top && len(kept) == len(rows), nil
}

// previous is the segment to look at before s, -1 at the top: the one before,
// or, inside of a long line or a gap, the one where that starts.
func (b *book) previous(s *seg) (int64, error) {
	if s.inside <= 0 || s.k == 0 {
		return s.k - 1, nil
	}
	at, err := b.gapBefore(s.inside)
	if err == nil && at == s.inside {
		at, err = b.lineStart(b.ctx, s.inside)
	}
	if err != nil {
		return 0, err
	}
	return min(at/segment, s.k-1), nil
}

// forth gives the first n rows from at on, and whether nothing stands behind.
func (b *book) forth(at int64, n int, folded bool) (rows []task.Line, bottom bool, err error) {
	budget := int64(pageBytes)
	for k := at / segment; ; {
		s, err := b.seg(k)
		if err != nil {
			return nil, false, err
		}
		end := (k + 1) * segment
		for _, r := range s.rows {
			end = max(end, r.End)
			switch {
			case r.Offset < at:
			case folded:
				rows = pushFolded(rows, r)
			default:
				rows = append(rows, r)
			}
		}
		budget -= segment
		bottom = end >= b.size
		if bottom || len(rows) > n || budget <= 0 {
			break
		}
		if s.inside >= 0 { // the rest of a long line or a gap
			if end, err = b.outOf(s.inside, end); err != nil {
				return nil, false, err
			}
		}
		k = max(end/segment, k+1)
	}
	kept := firstOf(rows, n)
	return kept, bottom && len(kept) == len(rows), nil
}

// outOf is where the long line or gap around at ends.
func (b *book) outOf(at, end int64) (int64, error) {
	gap, err := b.holeAt(at)
	if err != nil {
		return 0, err
	}
	if gap > at {
		return max(gap, end), nil
	}
	next, _, err := b.nextLine(b.ctx, at, b.size)
	return max(next, end), err
}
