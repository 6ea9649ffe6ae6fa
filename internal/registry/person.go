package registry

import (
	"errors"
	"strings"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// TakeEnds are those of some tasks, by id, of whose end a person is to be told and
// nobody has told yet (N4); whoever takes one has to tell it (N1). Of tasks of our
// own only those that a person started are among them: the others' owner is an
// agent. What a person stopped from here is no news to him.
func (r *Registry) TakeEnds(ids ...string) []task.Record {
	d := r.ledger.diary
	if d == nil || len(ids) == 0 {
		return nil
	}
	d.flush(closePatience) // the ends that were seen just now are to be in the ledger
	list, err := d.book.Store().Records(ids)
	if err != nil {
		return nil
	}
	var out []task.Record
	for _, rec := range list {
		if !tellsPerson(rec) {
			continue
		}
		if won, err := d.book.Claim(rec.ID, rec.Run, d.self()); err == nil && won {
			out = append(out, rec)
		}
	}
	return out
}

// tellsPerson says whether an end is a person's news.
func tellsPerson(rec task.Record) bool {
	if strings.HasPrefix(rec.ID, OwnSource+":") && rec.Owner != ledger.Person {
		return false
	}
	return ledger.TellsEnd(rec) && rec.StatusSource != ledger.StoppedHere && rec.StopRequested.IsZero()
}

// ErrUnwanted says that a person wants no notice of this end: nothing is owed.
var ErrUnwanted = errors.New("no notice of it is wanted")

// TellPersonEnd is for a supervisor: it takes the end of a task of our own, by id,
// that a person started, has it told, and notes what came of it. The ledger is
// opened for that alone. An error is of the ledger; the task has ended all the same.
func TellPersonEnd(w *world.World, state, id string, tell func(task.Record) error) error {
	s, err := store.Open(state)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	d := newDiary(s, w)
	rec, found, err := s.Record(OwnSource + ":" + id)
	if err != nil || !found || !tellsPerson(rec) {
		return err
	}
	if won, err := d.book.Claim(rec.ID, rec.Run, d.self()); err != nil || !won {
		return err
	}
	to, why := task.Delivered, ""
	switch err := tell(rec); {
	case errors.Is(err, ErrUnwanted):
		to = task.NothingToDeliver
	case err != nil:
		to, why = task.DeliveryFailed, Mask(err.Error())
	}
	_, err = d.book.Deliver(rec.ID, rec.Run, to, why)
	return err
}

// EndWords is an end in one line for a person: its mark and what is known.
func EndWords(rec task.Record) string { return task.Glyph(rec.Status) + " " + ledger.EndSummary(rec) }

// untoldWords say on a row that the news of its end reached nobody (N1), "" where
// it did or still may.
func untoldWords(rec task.Record, probe ledger.Probe) string {
	if !ledger.Undelivered(rec, probe) {
		return ""
	}
	why := first(rec.Delivery.Error, ledger.DiedTelling)
	if strings.HasPrefix(rec.ID, OwnSource+":") && rec.Owner != ledger.Person {
		return "Its agent was not told of the end: " + why + "."
	}
	return "No notice of its end was given: " + why + "."
}
