package output

import (
	"context"
	"errors"
	"slices"

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

// stretch is rows in one direction from a place. reach is how far they go: where
// to ask for what comes next, also where a long way has no row at all. edge:
// nothing stands beyond.
type stretch struct {
	rows  []task.Line
	reach int64
	edge  bool
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

// back gives the last n rows that start before at. Where rows are folded it goes
// on to the start of a run.
func (b *book) back(at int64, n int, folded bool, budget int64) (stretch, error) {
	if at <= b.head {
		return stretch{edge: true}, nil
	}
	if n == 0 {
		return stretch{reach: at}, nil
	}
	var parts [][]task.Line
	got, low, top := 0, at, false
	for k := (at - 1) / segment; k >= 0; {
		s, err := b.seg(k)
		if err != nil {
			return stretch{}, err
		}
		low = min(low, k*segment)
		if part := before(s.rows, at, folded); len(part) > 0 {
			if m := len(parts); folded && m > 0 && same(&part[len(part)-1], &parts[m-1][0]) {
				got-- // a run goes on over the border
			}
			parts = append(parts, part)
			got += len(part)
		}
		if budget -= segment; got > n || budget <= 0 { // one more than asked for: the run has its start
			break
		}
		if k, err = b.previous(s); err != nil {
			return stretch{}, err
		}
		top = k < 0
	}
	slices.Reverse(parts)
	rows := slices.Concat(parts...)
	if folded {
		rows = fold(rows)
	}
	out := stretch{rows: lastOf(rows, n), reach: low}
	out.edge = top && len(out.rows) == len(rows)
	if len(out.rows) < len(rows) {
		out.reach = out.rows[0].Offset
	}
	if out.edge {
		out.reach = 0
	}
	return out, nil
}

// before gives the rows that start before at.
func before(rows []task.Line, at int64, folded bool) []task.Line {
	for len(rows) > 0 && rows[len(rows)-1].Offset >= at {
		rows = rows[:len(rows)-1]
	}
	if folded {
		return fold(rows)
	}
	return rows
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

// forth gives the first n rows from at on.
func (b *book) forth(at int64, n int, folded bool) (stretch, error) {
	var rows []task.Line
	bottom, reach := false, at
	budget := int64(pageBytes)
	for k := at / segment; ; {
		s, err := b.seg(k)
		if err != nil {
			return stretch{}, err
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
		if s.inside >= 0 { // the rest of a long line or a gap
			if end, err = b.outOf(s.inside, end); err != nil {
				return stretch{}, err
			}
		}
		budget -= segment
		reach, bottom = end, end >= b.size
		if bottom || len(rows) > n || budget <= 0 {
			break
		}
		k = max(end/segment, k+1)
	}
	out := stretch{rows: firstOf(rows, n), reach: min(reach, b.size)}
	out.edge = bottom && len(out.rows) == len(rows)
	if len(out.rows) < len(rows) {
		out.reach = rows[len(out.rows)].Offset
	}
	return out, nil
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
