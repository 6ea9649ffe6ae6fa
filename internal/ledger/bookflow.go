package ledger

import (
	"context"
	"errors"
	"fmt"

	"offstage/internal/store"
	"offstage/task"
)

// NewFlow makes a flow; one with a controller is moved by it, one without
// follows its tasks.
func (b *Book) NewFlow(f task.Flow) (task.Flow, error) {
	now := b.now().UTC()
	f.Created, f.Updated, f.Revision = now, now, 0
	if f.Status == "" {
		f.Status = task.FlowQueued
	}
	err := b.s.Update(false, func(tx *store.Tx) error {
		if _, found, err := tx.Flow(f.ID); err != nil || found || f.ID == "" {
			return errors.Join(err, fmt.Errorf("make flow %q: it is there already, or has no id", f.ID))
		}
		return tx.PutFlow(f)
	})
	return f, err
}

// MoveFlow is a controller's move on the revision that it has read; with
// ErrFlowRevision the present flow is given back, to look again.
func (b *Book) MoveFlow(id string, revision int64, m FlowMove) (task.Flow, error) {
	var out task.Flow
	err := b.s.Update(false, func(tx *store.Tx) error {
		f, found, err := tx.Flow(id)
		if err != nil {
			return err
		}
		if !found {
			return ErrNoFlow
		}
		next, err := Move(f, m, revision, b.now())
		if out = next; err != nil {
			return err
		}
		return tx.PutFlow(next)
	})
	return out, err
}

// CancelFlow asks for the end of a flow: from here on it takes no task, each open
// task is cancelled by its runtime, and the flow is cancelled when the last one
// has settled, which may be later. The error joins those of the tasks.
func (b *Book) CancelFlow(ctx context.Context, id string, rt *Runtimes, reason string) (task.Flow, error) {
	var open []task.Record
	err := b.s.Update(true, func(tx *store.Tx) error {
		f, found, err := tx.Flow(id)
		switch {
		case err != nil:
			return err
		case !found:
			return ErrNoFlow
		case f.Status.Ended():
			return ErrFlowEnded
		}
		if f.CancelRequested.IsZero() {
			f.CancelRequested = b.now()
			f.Updated = f.CancelRequested
			f.Revision++
			if err := tx.PutFlow(f); err != nil {
				return err
			}
		}
		kids, err := tx.ByFlow(id)
		for _, k := range kids {
			if k.Open() {
				open = append(open, k)
			}
		}
		b.settle(tx, id, b.now()) // none open: it is cancelled now
		return err
	})
	if err != nil {
		return task.Flow{}, err
	}
	var faults []error
	for _, k := range open {
		if err := rt.For(k.Runtime).Cancel(ctx, k, reason); err != nil {
			faults = append(faults, fmt.Errorf("cancel task %s: %w", k.ID, err))
		}
	}
	f, _, err := b.s.Flow(id)
	return f, errors.Join(append(faults, err)...)
}

// Cancel asks a task's runtime for its end. A task that has ended is refused
// with the status that it has; what the runtime does not end stays as it is.
func (b *Book) Cancel(ctx context.Context, id string, rt *Runtimes, reason string) error {
	rec, found, err := b.s.Record(id)
	switch {
	case err != nil:
		return err
	case !found:
		return ErrUnknown
	case !rec.Open():
		return fmt.Errorf("cancel task %s: it has ended already: %s", id, rec.Status)
	}
	return rt.For(rec.Runtime).Cancel(ctx, rec, reason)
}
