package output

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"offstage/internal/tail"
	"offstage/task"
)

// Paces of a search: how often it tells what it found, and how long it lets
// output gather before it looks at what came.
const (
	tellEvery = 50 * time.Millisecond
	lookAgain = 100 * time.Millisecond
)

// Search looks through the whole output; see task.Output. Only masked rows are
// matched, so a query can neither show nor confirm what is hidden.
func (l *Log) Search(ctx context.Context, req task.SearchRequest, report func(task.Found)) error {
	m, err := task.NewMatcher(req.Query)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.closed, cancel)()
	s := &search{l: l, match: m, need: needlesOf(req.Query), report: report}
	for {
		rev := l.Facts().Rev
		err := s.round(ctx, req.From)
		if errors.Is(err, errStale) || errors.Is(err, tail.ErrReplaced) {
			s.gen, err = 0, nil // begin again with the file that is there now
		}
		if err == nil {
			err = l.Changed(ctx, rev)
		}
		if err == nil {
			sleep(ctx, lookAgain)
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// search is one search under way: a pass over all of a generation, then what is
// added to it.
type search struct {
	l      *Log
	match  *task.Matcher
	need   needles
	report func(task.Found)

	gen  int // 1 + the generation that was begun
	rev  uint64
	size int64
	// fixed are the hits before edge; those behind are looked at again when the
	// output grows, for a row near the end may still change.
	edge   int64
	fixed  int64
	looked int64
	// kept of the hits were told by their place, keptFixed of those before edge.
	kept, keptFixed int
	found           task.Found
	told            time.Time

	light light
	hits  []int64
}

// round looks through what was not looked through yet.
func (s *search) round(ctx context.Context, from int64) error {
	f := s.l.file()
	if f == nil {
		return nil
	}
	b := s.l.book(ctx, f)
	rev := s.l.secrets.Rev()
	if s.gen == b.gen+1 && s.size == b.size && s.rev == rev {
		return nil
	}
	first := s.gen != b.gen+1 || s.rev != rev // rows may show less now
	s.rev = rev
	if first {
		s.gen, s.fixed, s.keptFixed, s.edge = b.gen+1, 0, 0, 0
	} else {
		from = s.edge
	}
	s.found = task.Found{Gen: b.gen, Again: true, Since: s.edge, Count: s.fixed}
	s.kept, s.looked = s.keptFixed, s.edge
	start := s.edge
	s.size = b.size
	s.edge = max((b.size-1)/segment-1, 0) * segment
	if err := s.outward(ctx, b, start, from); err != nil {
		return err
	}
	s.looked = s.size
	s.tell(true)
	return b.fresh()
}

// outward looks through the blocks from start to the end, the nearest to from
// first, one to each side in turn.
func (s *search) outward(ctx context.Context, b *book, start, from int64) error {
	sv := newSieve(b.source, s.need, b.look.dec != nil || b.enc != utf8Text)
	b.look.text = wholeText
	first := start / block
	last := max(b.size-1, 0) / block
	at := min(max(from, 0)/block, last)
	for down, up := at, at-1; down <= last || up >= first; down, up = down+1, up-1 {
		for _, k := range []int64{down, up} {
			if k > last || k < first || k == up && up == down {
				continue
			}
			if err := s.block(ctx, b, sv, k*block, start); err != nil {
				return err
			}
		}
	}
	return nil
}

// block looks through one block, from start on.
func (s *search) block(ctx context.Context, b *book, sv *sieve, lo, start int64) error {
	hi := min(lo+block, b.size)
	if data, err := b.f.NextData(lo); err != nil || data >= hi {
		s.looked += hi - lo
		return err
	}
	marks, err := sv.marks(ctx, lo, b.size)
	if err != nil {
		return err
	}
	for k := 0; k < perBlock; k++ {
		if !marks[k] || lo+int64(k+1)*segment <= start {
			continue
		}
		from := k
		for k+1 < perBlock && marks[k+1] && k-from < runOfSegments {
			k++
		}
		if err := s.rows(ctx, b, lo+int64(from)*segment, lo+int64(k+1)*segment); err != nil {
			return err
		}
	}
	s.looked += hi - max(lo, min(start, hi))
	s.tell(false)
	return b.fresh()
}

// runOfSegments bounds the rows that are made at a time.
const runOfSegments = 15

// rows makes the rows that start in [a, b) and notes those that match.
func (s *search) rows(ctx context.Context, b *book, from, to int64) error {
	if done, err := s.short(ctx, b, from, to); done || err != nil {
		return err
	}
	sg, err := b.span(ctx, from/segment, from, to, b.look, b.running, unnumbered)
	if err != nil {
		return err
	}
	for i := range sg.rows {
		if r := &sg.rows[i]; r.Mark == task.NoMark && s.match.Match(r.Text) {
			s.hit(task.Hit{Offset: r.Offset, Part: r.Part})
		}
	}
	return nil
}

func unnumbered(int64) int64 { return 0 }

func (s *search) hit(h task.Hit) {
	fixed, kept := h.Offset < s.edge, s.kept < task.SearchKeeps
	s.found.Count++
	if fixed {
		s.fixed++
	}
	if kept {
		s.kept++
		s.found.Hits = append(s.found.Hits, h)
	}
	if fixed && kept {
		s.keptFixed++
	}
	if s.found.Count == 1 {
		s.told = time.Time{} // the first is told at once
	}
}

// tell reports what was found since the last time, if it is time.
func (s *search) tell(done bool) {
	if !done && time.Since(s.told) < tellEvery {
		return
	}
	s.l.Remask()
	f := s.found
	f.Looked, f.Size, f.Done = min(s.looked, s.size), s.size, done
	slices.SortFunc(f.Hits, func(a, b task.Hit) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Part, b.Part))
	})
	s.report(f)
	s.told = time.Now()
	s.found.Hits, s.found.Again, s.found.Since = nil, false, math.MaxInt64
}
