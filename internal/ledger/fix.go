package ledger

import (
	"context"
	"strings"

	"offstage/internal/store"
)

// Audit reads the whole ledger and says what looks wrong. It writes nothing.
func (s *Sweeper) Audit() ([]Finding, error) {
	recs, err := s.Book.s.Every()
	if err != nil {
		return nil, err
	}
	flows, err := s.Book.s.EveryFlow()
	if err != nil {
		return nil, err
	}
	now := s.Book.now()
	return sorted(append(Audit(recs, now, s.sight, s.probe), AuditFlows(flows, recs, now)...)), nil
}

// Fix repairs what can be of the findings and gives those that it has repaired.
// What is lost or forgotten by rule goes the sweeper's way, without its lease's
// minute: whoever fixes was asked to by a person.
func (s *Sweeper) Fix(ctx context.Context, findings []Finding) ([]Finding, error) {
	var done []Finding
	var out Swept
	for _, f := range findings {
		if !f.CanFix {
			continue
		}
		fixed, err := s.fix(ctx, f, &out)
		if err != nil {
			return done, err
		}
		if fixed {
			done = append(done, f)
		}
	}
	return done, nil
}

func (s *Sweeper) fix(ctx context.Context, f Finding, out *Swept) (bool, error) {
	if strings.HasPrefix(f.Code, "flow_") {
		return true, s.fixFlow(f)
	}
	rec, found, err := s.Book.s.Record(f.Subject)
	if err != nil || !found {
		return false, err
	}
	switch f.Code {
	case StaleQueued, StaleRunning: // proven gone: its grace begins, or is over
		before := len(out.Lost) + len(out.Recovered)
		err := s.look(ctx, rec, out)
		return len(out.Lost)+len(out.Recovered) > before, err
	case FailedDelivery:
		err := s.deliveries(ctx, out)
		return err == nil, err
	case LostTask:
		return true, s.Book.s.Update(false, func(tx *store.Tx) error { return tx.DropRecord(f.Subject) })
	}
	now := s.Book.now()
	return true, s.Book.s.Update(false, func(tx *store.Tx) error {
		rec, found, err := tx.Record(f.Subject)
		if err != nil || !found {
			return err
		}
		if f.Code == MissingCleanup {
			return stamp(tx, rec)
		}
		next := repairTimes(rec, now)
		next.Rev++
		return tx.PutRecord(next)
	})
}

func (s *Sweeper) fixFlow(f Finding) error {
	return s.Book.s.Update(false, func(tx *store.Tx) error {
		flow, found, err := tx.Flow(f.Subject)
		if err != nil || !found {
			return err
		}
		kids, err := tx.ByFlow(f.Subject)
		if err != nil {
			return err
		}
		return tx.PutFlow(repairFlow(flow, kids, f.Code, s.Book.now()))
	})
}
