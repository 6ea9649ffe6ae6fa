package registry

import (
	"context"
	"slices"
	"strings"
	"time"

	"offstage/internal/ledger"
	"offstage/task"
)

// maxPending bounds how many ends are looked at in one go.
const maxPending = 1000

// TakeNews are the ends of tasks of our own that the owners are to be told of and
// nobody has told yet; whoever takes one has to tell it, for nobody else will
// (N1). Ends of an agent's own tasks are not among them: their agent tells itself.
// An owner is a session's id.
func (r *Registry) TakeNews(owners ...string) []task.Record {
	d := r.ledger.diary
	if d == nil {
		return nil
	}
	list, err := d.book.Store().Owed(owners, maxPending)
	if err != nil {
		return nil // said with the next snapshot; the news stays
	}
	var out []task.Record
	for _, rec := range list {
		if !strings.HasPrefix(rec.ID, OwnSource+":") || !ledger.TellsEnd(rec) {
			continue
		}
		if won, err := d.book.Claim(rec.ID, rec.Run, d.self()); err == nil && won {
			out = append(out, rec)
		}
	}
	return out
}

// Told notes what came of the news that TakeNews gave: delivered, or why not.
func (r *Registry) Told(rec task.Record, to task.DeliveryState, why string) {
	if d := r.ledger.diary; d != nil {
		_, _ = d.book.Deliver(rec.ID, rec.Run, to, why) // a ledger that cannot be written shows it as not delivered
	}
}

// EndNotice is the end of a task in the form that agents read (N2).
func EndNotice(rec task.Record) string { return ledger.EndNotice(rec).XML() }

// Watch is one reader of what happens to tasks (I3).
type Watch struct {
	r *Registry
	w *ledger.Watcher
}

// Watch begins behind the newest event. Sessions are ids, none watches all; kinds
// none is the default: finished sub-agents and every failure.
func (r *Registry) Watch(sessions []string, kinds []task.NewsKind) (*Watch, error) {
	if r.ledger.diary == nil {
		return nil, ErrNoLedger
	}
	var wants func(task.News) bool
	if len(kinds) > 0 {
		wants = func(n task.News) bool { return slices.Contains(kinds, n.Kind) }
	}
	w, err := r.ledger.diary.book.Watch(sessions, wants)
	if err != nil {
		return nil, err
	}
	return &Watch{r, w}, nil
}

// watchEvery is how often the events of other programs are looked for.
const watchEvery = 250 * time.Millisecond

// Next waits for events; an empty answer with ctx's error is that its time was
// over.
func (w *Watch) Next(ctx context.Context) ([]task.News, error) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	w.r.Begin()
	for {
		news, _, err := w.w.Next()
		if err != nil {
			return nil, err
		}
		if w.r.Settled() {
			w.r.mu.Lock()
			snap, now := w.r.last, w.r.w.Now()
			w.r.mu.Unlock()
			if snap.Rev > 0 { // before the first look nothing is known to rest
				if n, ok := w.w.Idle(snap, now); ok {
					news = append(news, n)
				}
			}
		}
		if len(news) > 0 {
			return news, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
