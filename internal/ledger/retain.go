package ledger

import (
	"context"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// deliveries gives up on news whose teller died: it is shown as not delivered
// and never told again (N1).
func (s *Sweeper) deliveries(ctx context.Context, out *Swept) error {
	if err := s.oldNews(ctx); err != nil {
		return err
	}
	recs, err := s.Book.s.Claimed(1000)
	if err != nil {
		return err
	}
	for _, r := range recs {
		if Undelivered(r, s.probe) {
			done, err := s.Book.Deliver(r.ID, r.Run, task.DeliveryFailed, DiedTelling)
			if err != nil {
				return err
			}
			if done {
				out.Undelivered = append(out.Undelivered, r.ID)
			}
		}
		if err := s.tick(ctx); err != nil {
			return err
		}
	}
	return nil
}

// oldNews gives up on ends of observed tasks that nobody told within ten minutes:
// their agents tell by themselves, and a person wants no old bells. Those of our
// own tasks wait for their owner's next look.
func (s *Sweeper) oldNews(ctx context.Context) error {
	before := s.Book.now().Add(-newsAge)
	_, err := s.each(ctx, func() ([]task.Record, error) { return s.Book.s.StaleNews(before, own+":", Batch) }, func(tx *store.Tx, r task.Record) error {
		r.Delivery.State, r.Delivery.At = task.NothingToDeliver, s.Book.now()
		r.Rev++
		return tx.PutRecord(r)
	})
	return err
}

// ended stamps ends that have no time of their clean-up, and forgets records
// whose time has come.
func (s *Sweeper) ended(ctx context.Context, out *Swept) error {
	n, err := s.each(ctx, func() ([]task.Record, error) { return s.Book.s.Unstamped(Batch) }, stamp)
	out.Stamped += n
	if err != nil {
		return err
	}
	now := s.Book.now()
	n, err = s.each(ctx, func() ([]task.Record, error) { return s.Book.s.Due(now, Batch) }, func(tx *store.Tx, r task.Record) error {
		return tx.DropRecord(r.ID)
	})
	out.Pruned += n
	return err
}

// stamp sets when an ended record may go.
func stamp(tx *store.Tx, r task.Record) error {
	r.Ended = firstTime(r.Ended, r.LastEvent, r.Created, time.UnixMilli(1))
	r.CleanupAfter = Cleanup(r)
	r.Rev++
	return tx.PutRecord(r)
}

// each takes batches until there is none, or none of one is as it was, and does
// do to each record that is, in one transaction a batch.
func (s *Sweeper) each(ctx context.Context, batch func() ([]task.Record, error), do func(*store.Tx, task.Record) error) (int, error) {
	for n := 0; ; {
		recs, err := batch()
		if err != nil || len(recs) == 0 {
			return n, err
		}
		before := n
		err = s.Book.s.Update(false, func(tx *store.Tx) error {
			n = before
			for _, r := range recs {
				now, found, err := tx.Record(r.ID)
				if err != nil {
					return err
				}
				if !found || differ(now, r) {
					continue
				}
				if err := do(tx, now); err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil || n == before {
			return before, err
		}
		for range recs {
			if err := s.tick(ctx); err != nil {
				return n, err
			}
		}
	}
}

// folders removes the folders of our own tasks a week after their end, never one
// that a process has open or a person keeps; what fails is tried again.
func (s *Sweeper) folders(ctx context.Context, out *Swept) error {
	if s.Busy == nil || s.RemoveFolder == nil {
		return nil
	}
	for after := ""; ; {
		due, err := s.Book.s.DueFolders(s.Book.now(), after, Batch)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, o := range due {
			after = o.Task
			if err := s.folder(o, out); err != nil {
				return err
			}
			if err := s.tick(ctx); err != nil {
				return err
			}
		}
	}
}

func (s *Sweeper) folder(o store.FolderOrder, out *Swept) error {
	rec, found, err := s.Book.s.Record(o.Task)
	if err != nil || found && (rec.Keep || rec.Open()) || s.Busy(o.Path) {
		return err
	}
	if err := s.RemoveFolder(o.Path); err != nil {
		out.warn("The folder of task %s could not be removed: %v.", o.Task, err)
		return nil
	}
	out.Folders++
	return s.Book.s.Update(false, func(tx *store.Tx) error { return tx.DropFolder(o.Task) })
}

// flowBatch bounds the flows that one sweep looks at.
const flowBatch = 1000

// flows lets open flows follow their tasks, which repairs what a crash left, and
// forgets those that ended a week ago and have no open task.
func (s *Sweeper) flows(ctx context.Context, out *Swept) error {
	st, now := s.Book.s, s.Book.now()
	open, err := st.OpenFlows(flowBatch)
	if err != nil {
		return err
	}
	old, err := st.OldFlows(now.Add(-KeepEnded), flowBatch)
	if err != nil {
		return err
	}
	for i, f := range append(open, old...) {
		prune := i >= len(open)
		err := st.Update(false, func(tx *store.Tx) error {
			done, err := tidyFlow(tx, f.ID, prune, s.Book)
			if done {
				out.Flows++
			}
			return err
		})
		if err != nil {
			return err
		}
		if err := s.tick(ctx); err != nil {
			return err
		}
	}
	return nil
}

func tidyFlow(tx *store.Tx, id string, prune bool, b *Book) (bool, error) {
	f, found, err := tx.Flow(id)
	if err != nil || !found {
		return false, err
	}
	kids, err := tx.ByFlow(id)
	if err != nil {
		return false, err
	}
	if next, changed := Follow(f, kids, b.now()); changed {
		return true, tx.PutFlow(next)
	}
	if !prune || anyOpen(kids) {
		return false, nil
	}
	return true, tx.DropFlow(id)
}

func anyOpen(recs []task.Record) bool {
	for _, r := range recs {
		if r.Open() {
			return true
		}
	}
	return false
}
