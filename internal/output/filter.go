package output

import (
	"errors"
	"sync"
	"time"

	"offstage/task"
)

// A filtered page has only rows that match, with rows around them for context.
// Segments in which no row could match are passed over by their raw bytes, as in
// a search, so a word that is rare is found at the speed of the disk. A page that
// takes longer than filterTime is handed out with what it has: it says how far it
// looked, and the reader asks on from there.

// filterTime bounds the work for one page, maxContext the rows around a match.
const (
	filterTime = 120 * time.Millisecond
	maxContext = 50
)

// filtered makes the pages of one filter.
type filtered struct {
	*book
	match   *task.Matcher
	out     bool
	context int
	sv      *sieve
	until   time.Time
	// marked are the marks of block number at.
	marked [perBlock]bool
	at     int64
	// sure are the marks that were refined.
	sure  [perBlock]bool
	light [2]light
}

// filter answers a request that has one.
func (b *book) filter(req task.PageRequest) (task.Page, error) {
	m, err := task.NewMatcher(req.Filter.Query)
	if err != nil {
		return task.Page{}, err
	}
	need := needlesOf(req.Filter.Query)
	need.all = need.all || req.Filter.Out
	f := &filtered{book: b, match: m, out: req.Filter.Out, context: min(max(req.Filter.Context, 0), maxContext), at: -1,
		sv: newSieve(b.source, need, b.look.dec != nil || b.enc != utf8Text), until: time.Now().Add(filterTime)}
	at, err := b.place(req)
	if err != nil {
		return task.Page{}, err
	}
	if !req.Tail && !req.AtPercent && req.At < b.size && (req.After == 0 || req.Before == 0 && req.At%segment == 0) {
		at = max(req.At, 0) // where a page ended or began, which may be inside a row
	}
	after := stretch{reach: min(at, b.size), edge: at >= b.size}
	if req.After > 0 && !after.edge {
		if after, err = f.forth(at, req.After); err != nil {
			return task.Page{}, err
		}
		f.until = time.Now().Add(filterTime)
	}
	before, err := f.back(min(at, b.size), req.Before)
	if err != nil {
		return task.Page{}, err
	}
	return task.Page{Lines: append(before.rows, after.rows...), Start: before.reach, End: after.reach, Top: before.edge, Bottom: after.edge, Filter: req.Filter}, nil
}

// back gives the last n rows before at that the filter shows.
func (f *filtered) back(at int64, n int) (stretch, error) {
	out := stretch{reach: at, edge: at <= f.head}
	var parts [][]task.Line
	got := 0
	for k := (at - 1) / segment; !out.edge && got < n; {
		if got > 0 && !f.time() {
			break
		}
		prev := k - 1
		if ok, err := f.could(k); err != nil {
			return out, err
		} else if ok {
			rows, s, err := f.shown(k)
			if err != nil {
				return out, err
			}
			if prev, err = f.previous(s); err != nil {
				return out, err
			}
			if rows = startingBefore(rows, at); len(rows) > 0 {
				parts, got = append(parts, rows), got+len(rows)
			}
		}
		out.reach, out.edge = min(k*segment, at), k == 0
		if k = prev; !f.time() {
			break
		}
	}
	for i := len(parts) - 1; i >= 0; i-- {
		out.rows = join(out.rows, parts[i])
	}
	if rows := lastOf(out.rows, n); len(rows) < len(out.rows) {
		out.rows, out.reach, out.edge = rows, rows[0].Offset, false
	}
	if out.edge {
		out.reach = 0
	}
	return out, nil
}

// forth gives the first n rows from at on that the filter shows.
func (f *filtered) forth(at int64, n int) (stretch, error) {
	out := stretch{reach: at}
	for k := at / segment; len(out.rows) < n; {
		end := (k + 1) * segment
		if ok, err := f.could(k); err != nil {
			return out, err
		} else if ok {
			rows, s, err := f.shown(k)
			if err != nil {
				return out, err
			}
			for len(rows) > 0 && rows[0].Offset < at {
				rows = rows[1:]
			}
			out.rows = join(out.rows, rows)
			if s.inside >= 0 {
				if end, err = f.resume(f.ctx, s.resume, end, f.size); err != nil {
					return out, err
				}
			}
		}
		out.reach = min(end, f.size)
		if out.edge = end >= f.size; out.edge || !f.time() {
			break
		}
		k = max(end/segment, k+1)
	}
	if rows := firstOf(out.rows, n); len(rows) < len(out.rows) {
		out.reach, out.edge = out.rows[len(rows)].Offset, false
		out.rows = rows
	}
	return out, nil
}

// time says whether there is any left, and nobody has called it off.
func (f *filtered) time() bool { return f.ctx.Err() == nil && time.Now().Before(f.until) }

// could says whether a row of segment k could be shown.
func (f *filtered) could(k int64) (bool, error) {
	if n := k / perBlock; n != f.at {
		if data, err := f.f.NextData(n * block); err != nil {
			return false, err
		} else if data >= (n+1)*block {
			f.marked, f.at = [perBlock]bool{}, n
			return false, nil
		}
		marks, err := f.sv.marks(f.ctx, n*block, f.size)
		if err != nil {
			return false, err
		}
		f.marked, f.at, f.sure = marks, n, [perBlock]bool{}
	}
	if i := k % perBlock; f.marked[i] && !f.sure[i] {
		if err := f.refine(k); err != nil {
			return false, err
		}
	}
	return f.marked[k%perBlock], nil
}

// refine looks through marked segments around k, which may be many, on the short
// way of a search: what has no row to show need not be made. Two goroutines share
// the work.
func (f *filtered) refine(k int64) error {
	n := k / perBlock * perBlock
	from := (k - n) / refined * refined
	for i := from; i < from+refined; i++ {
		f.sure[i] = true
	}
	var wg sync.WaitGroup
	var errs [len(f.light)]error
	for i := range f.light {
		wg.Go(func() {
			part := from + int64(i)*refinedPart
			has, ok, err := f.refinePart(&f.light[i], n+part)
			if errs[i] = err; ok {
				copy(f.marked[part:part+refinedPart], has[:])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs[:]...)
}

// refined is how many segments are looked through at a time, refinedPart how many
// by each goroutine; a block is a multiple of both.
const (
	refined     = 16
	refinedPart = refined / 2
)

// refinePart says which of the segments from k on have a row to show; not ok
// where the short way is none.
func (f *filtered) refinePart(s *light, k int64) (has [refinedPart]bool, ok bool, err error) {
	base := k * segment
	if base >= f.size {
		return has, false, nil
	}
	ok, err = s.lines(f.ctx, f.book, base, base+refinedPart*segment, func(at int64, row string) {
		if i := (at - base) / segment; !has[i] {
			has[i] = f.match.Match(row) != f.out
		}
	})
	return has, ok && err == nil, err
}

// shown are the rows that start in segment k and match, with those around them,
// which may be of the segments beside it.
func (f *filtered) shown(k int64) ([]task.Line, *seg, error) {
	s, err := f.seg(k)
	if err != nil {
		return nil, nil, err
	}
	rows := fold(s.rows)
	var hits []int
	for i := range rows {
		if f.passes(&rows[i]) {
			hits = append(hits, i)
		}
	}
	if len(hits) == 0 || f.context == 0 {
		out := make([]task.Line, 0, len(hits))
		for _, i := range hits {
			out = append(out, rows[i])
		}
		return out, s, nil
	}
	var head, tail []task.Line
	if hits[0] < f.context {
		if head, err = f.beside(k-1, false); err != nil {
			return nil, nil, err
		}
	}
	if hits[len(hits)-1] >= len(rows)-f.context {
		if tail, err = f.beside(k+1, true); err != nil {
			return nil, nil, err
		}
	}
	all := append(append(append([]task.Line(nil), head...), rows...), tail...)
	var out []task.Line
	next := 0
	for _, i := range hits {
		i += len(head)
		for j := max(i-f.context, next); j <= min(i+f.context, len(all)-1); j++ {
			out = append(out, all[j])
			next = j + 1
		}
	}
	return out, s, nil
}

// beside are the rows of a neighbour that may be context: its first or its last.
func (f *filtered) beside(k int64, first bool) ([]task.Line, error) {
	if k < 0 || k*segment >= f.size {
		return nil, nil
	}
	s, err := f.seg(k)
	if err != nil {
		return nil, err
	}
	rows := fold(s.rows)
	if first {
		return firstOf(rows, f.context), nil
	}
	return lastOf(rows, f.context), nil
}

func (f *filtered) passes(r *task.Line) bool {
	if r.Mark != task.NoMark {
		return f.out
	}
	return f.match.Match(r.Text) != f.out
}

// join appends the rows that stand behind the last of out: context may overlap.
func join(out, rows []task.Line) []task.Line {
	for _, r := range rows {
		if n := len(out); n == 0 || out[n-1].Offset < r.Offset || out[n-1].Offset == r.Offset && out[n-1].Part < r.Part {
			out = append(out, r)
		}
	}
	return out
}
