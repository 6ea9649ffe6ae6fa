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
// first.
func (s *search) outward(ctx context.Context, b *book, start, from int64) error {
	b.look.text = wholeText
	first, last := start/block, max(b.size-1, 0)/block
	at := max(min(max(from, 0)/block, last), first)
	return inOrder(ctx, nearest(first, last, at), s.crew(b, start, last-first+1), func(k int64, got looked) error {
		for _, h := range got.hits {
			s.hit(h)
		}
		lo, hi := k*block, min((k+1)*block, b.size)
		s.looked += hi - max(lo, min(start, hi))
		s.tell(false)
		return b.fresh()
	})
}

// runOfSegments bounds the rows that are made at a time.
const runOfSegments = 15

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
