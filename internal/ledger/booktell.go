package ledger

import (
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// Claim takes it upon who to tell of a run's end. Exactly one of all that try
// gets true; after it, exactly one Deliver is due.
func (b *Book) Claim(id string, run int, who task.Identity) (bool, error) {
	if rec, found, err := b.s.Record(id); err != nil || !found || rec.Run != run || !TellsEnd(rec) {
		return false, err // most see that somebody has it, and need no lock for it
	}
	return b.s.Claim(id, run, task.Claimant{Identity: who, At: b.now()})
}

// Deliver notes what came of an attempt to tell; false where the state does not
// follow from the present one, or another run is on.
func (b *Book) Deliver(id string, run int, to task.DeliveryState, why string) (bool, error) {
	done := false
	err := b.s.Update(true, func(tx *store.Tx) error {
		rec, found, err := tx.Record(id)
		if err != nil || !found || rec.Run != run {
			return err
		}
		next, ok := NextDelivery(rec.Delivery, to, why, b.now())
		if !ok {
			return nil
		}
		rec.Delivery, rec.Rev, done = next, rec.Rev+1, true
		return tx.PutRecord(rec)
	})
	return done && err == nil, err
}

// ClaimChange takes it upon the caller to tell of a change of state at a time,
// where the policy wants those: of all callers one gets true.
func (b *Book) ClaimChange(id string, at time.Time) (bool, error) {
	won := false
	err := b.s.Update(false, func(tx *store.Tx) error {
		rec, found, err := tx.Record(id)
		if err != nil || !found || !TellsChange(rec, at.UTC().Truncate(time.Millisecond)) {
			return err
		}
		rec.Delivery.ToldOf, won = at, true
		return tx.PutRecord(rec)
	})
	return won && err == nil, err
}

// SetPolicy changes what the owner of a task is told.
func (b *Book) SetPolicy(id string, policy task.NotifyPolicy) error {
	return b.s.Update(false, func(tx *store.Tx) error {
		rec, found, err := tx.Record(id)
		if err != nil {
			return err
		}
		if !found {
			return ErrUnknown
		}
		rec.Delivery.Policy = policy
		rec.Rev++
		return tx.PutRecord(rec)
	})
}

// RequestStop writes down that a person asked for a run's end, before the first
// signal (K7): as an intent, which needs no record, and in the record.
func (b *Book) RequestStop(id string, run, pid int) error {
	now := b.now()
	if err := b.s.PutStop(store.StopIntent{Task: id, Run: run, At: now, PID: pid}); err != nil {
		return err
	}
	if _, found, err := b.s.Record(id); err != nil || !found {
		return err
	}
	_, err := b.Report(Report{Record: task.Record{ID: id, Run: run, StopRequested: now, StopBy: pid}, At: now, Level: true})
	return err
}

// Keep spares a task's record and folder from the retention, or no longer.
func (b *Book) Keep(id string, keep bool) error { return b.decide(id, Report{SetKeep: &keep}) }

// Hide takes a task's row away, or brings it back.
func (b *Book) Hide(id string, hidden bool) error { return b.decide(id, Report{SetHidden: &hidden}) }

func (b *Book) decide(id string, r Report) error {
	if _, found, err := b.s.Record(id); err != nil || !found {
		if err == nil {
			err = ErrUnknown
		}
		return err
	}
	r.ID, r.Level = id, true
	_, err := b.Report(r)
	return err
}

// RecordEnd opens the ledger of a state folder, notes one report and closes it:
// for a supervisor at its task's end, which has no need of a ledger before.
func RecordEnd(state string, now func() time.Time, r Report) error {
	s, err := store.Open(state)
	if err != nil {
		return err
	}
	_, err = NewBook(s, now, nil).Report(r)
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	return err
}
