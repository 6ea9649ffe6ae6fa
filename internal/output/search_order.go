package output

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"time"

	"offstage/task"
)

// The blocks of a search are looked through side by side and told in the order in
// which they were asked for, so what a reader hears is as if one had done it.

// Bounds: searchers of one search, blocks that are begun or held before their
// turn, and how long a searcher gives way to pages that are being made.
const (
	searchers = 2
	ahead     = 4
	giveWay   = 20 * time.Millisecond
)

// looked is what one block had.
type looked struct {
	hits []task.Hit
	err  error
}

// searcher looks through blocks; one goroutine has one.
type searcher struct {
	l     *Log
	b     *book
	match *task.Matcher
	sv    *sieve
	light light
	start int64 // rows before it are not looked for
	hits  []task.Hit
	found []int64
}

// nearest gives the blocks from first to last, the nearest to at first, one to
// each side in turn.
func nearest(first, last, at int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for down, up := at, at-1; down <= last || up >= first; down, up = down+1, up-1 {
			if down <= last && !yield(down) {
				return
			}
			if up >= first && !yield(up) {
				return
			}
		}
	}
}

// inOrder has work look at every block of ks, by as many goroutines as there are
// workers, and gives each answer to take in the order of ks. It returns when all
// have ended. An error of take, or in an answer, ends it.
func inOrder(ctx context.Context, ks iter.Seq[int64], workers []func(context.Context, int64) looked, take func(int64, looked) error) error {
	type job struct {
		k   int64
		out chan looked
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	jobs := make(chan job, ahead)
	defer wg.Wait()
	defer cancel()
	defer close(jobs)
	for _, work := range workers {
		wg.Go(func() {
			for j := range jobs {
				j.out <- work(ctx, j.k)
			}
		})
	}
	var held []job
	next := func() error {
		j := held[0]
		held = held[1:]
		got := <-j.out
		if got.err != nil {
			return got.err
		}
		return take(j.k, got)
	}
	for k := range ks {
		j := job{k: k, out: make(chan looked, 1)}
		held = append(held, j)
		jobs <- j
		if len(held) < ahead {
			continue
		}
		if err := next(); err != nil {
			return err
		}
	}
	for len(held) > 0 {
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

// crew is at most n searchers, and no more than processors.
func (s *search) crew(b *book, start, n int64) []func(context.Context, int64) looked {
	var out []func(context.Context, int64) looked
	for range min(n, searchers, int64(runtime.GOMAXPROCS(0))) {
		w := &searcher{l: s.l, b: b, match: s.match, start: start,
			sv: newSieve(b.source, s.need, b.look.dec != nil || b.enc != utf8Text)}
		out = append(out, w.block)
	}
	return out
}

// block looks through block k.
func (w *searcher) block(ctx context.Context, k int64) looked {
	if w.l.pages.Load() > 0 { // a person scrolls
		sleep(ctx, giveWay)
	}
	w.hits = nil
	err := ctx.Err()
	if err == nil {
		err = w.rowsOf(ctx, k*block)
	}
	return looked{hits: w.hits, err: err}
}

func (w *searcher) rowsOf(ctx context.Context, lo int64) error {
	b := w.b
	if data, err := b.f.NextData(lo); err != nil || data >= min(lo+block, b.size) {
		return err
	}
	marks, err := w.sv.marks(ctx, lo, b.size)
	if err != nil {
		return err
	}
	for k := 0; k < perBlock; k++ {
		if !marks[k] || lo+int64(k+1)*segment <= w.start {
			continue
		}
		from := k
		for k+1 < perBlock && marks[k+1] && k-from < runOfSegments {
			k++
		}
		if err := w.rows(ctx, lo+int64(from)*segment, lo+int64(k+1)*segment); err != nil {
			return err
		}
	}
	return b.fresh()
}

// rows makes the rows that start in [from, to) and notes those that match.
func (w *searcher) rows(ctx context.Context, from, to int64) error {
	b := w.b
	if done, err := w.short(ctx, from, to); done || err != nil {
		return err
	}
	sg, err := b.span(ctx, from/segment, from, to, b.look, b.running, unnumbered)
	if err != nil {
		return err
	}
	for i := range sg.rows {
		if r := &sg.rows[i]; r.Mark == task.NoMark && w.match.Match(r.Text) {
			w.hits = append(w.hits, task.Hit{Offset: r.Offset, Part: r.Part})
		}
	}
	return nil
}

func unnumbered(int64) int64 { return 0 }

// short notes the rows that match on the short way; false where it is none.
func (w *searcher) short(ctx context.Context, from, to int64) (bool, error) {
	w.found = w.found[:0]
	done, err := w.light.lines(ctx, w.b, from, to, func(at int64, row string) {
		if w.match.Match(row) {
			w.found = append(w.found, at)
		}
	})
	if done {
		for _, at := range w.found {
			w.hits = append(w.hits, task.Hit{Offset: at})
		}
	}
	return done, err
}
