package registry

import (
	"context"
	"errors"

	"offstage/internal/ledger"
	"offstage/task"
)

// Finding is one thing in the ledger that looks wrong (R10).
type Finding = ledger.Finding

// ErrNoLedger: there is no ledger to audit, or it cannot be used; the snapshot's
// troubles say why.
var ErrNoLedger = errors.New("there is no ledger here")

// Audit reads the whole ledger and says what looks wrong in it. It writes nothing.
func (r *Registry) Audit(ctx context.Context) ([]Finding, error) {
	s, err := r.auditor()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.Audit()
}

// Fix repairs what can be of the findings, and gives those that it has repaired.
func (r *Registry) Fix(ctx context.Context, findings []Finding) ([]Finding, error) {
	s, err := r.auditor()
	if err != nil {
		return nil, err
	}
	return s.Fix(ctx, findings)
}

// auditor is a sweeper over the ledger as it was opened; a reader can audit too.
func (r *Registry) auditor() (*ledger.Sweeper, error) {
	switch {
	case r.ledger.store == nil:
		return nil, ErrNoLedger
	case r.ledger.diary == nil:
		d := newDiary(r.ledger.store, r.w)
		return &ledger.Sweeper{Book: d.book, Probe: d.probe}, nil
	}
	return r.sweeper(), nil
}

// Undelivered are the tasks of whose end nobody was told although somebody was to
// be (N1), as the rows and doctor say it.
func (r *Registry) Undelivered() ([]task.Record, error) {
	if r.ledger.store == nil {
		return nil, nil
	}
	list, err := r.ledger.store.Ended(r.w.Now().Add(-ledger.KeepEnded), maxEndedAll)
	if err != nil {
		return nil, err
	}
	d := r.ledger.diary
	if d == nil {
		d = newDiary(r.ledger.store, r.w)
	}
	var out []task.Record
	for _, rec := range list {
		if ledger.Undelivered(rec, d.probe) {
			out = append(out, rec)
		}
	}
	return out, nil
}

// Declared is one source of this build and what it declares that it can see.
type Declared struct {
	Name string
	Sees task.Sight
}

// Declared are the sources in their order.
func (r *Registry) Declared() []Declared {
	out := make([]Declared, 0, len(r.feeds))
	for _, f := range r.feeds {
		out = append(out, Declared{f.src.Name, f.src.Sees})
	}
	return out
}
