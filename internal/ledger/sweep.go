package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// Sweeper keeps the ledger in order (R5, R6): it finds what is lost, forgets what
// is old, finishes flows, and keeps the file small. Every program that lives long
// enough has one; a lease lets one of them sweep at a time.
type Sweeper struct {
	Book *Book
	// Holder names this program in the lease: its pid and start time.
	Holder string
	// Probe looks for a process; nil can tell of none.
	Probe Probe
	// Runtimes know tasks without a process and find ends that were missed; nil
	// knows nothing.
	Runtimes *Runtimes
	// Busy says whether a process has something in a task's folder open, and
	// RemoveFolder removes it; without both no folder goes.
	Busy         func(folder string) bool
	RemoveFolder func(folder string) error
	// Folders fill a new ledger in the place of a damaged one; nil leaves it empty.
	Folders Folders
	// Yield is called after every 25 records; nil goes straight on.
	Yield func()

	n int
}

// Swept is what a sweep did, or would do.
type Swept struct {
	// Ran is false where another program sweeps.
	Ran bool
	// Lost, Recovered, Gone and Back are task ids; Undelivered too.
	Lost, Recovered, Gone, Back, Undelivered []string
	// Stamped and Pruned count records, Folders and Flows what was removed or
	// finished.
	Stamped, Pruned, Folders, Flows int
	// Log is how long the write-ahead log is afterwards, in bytes.
	Log int64
	// Warnings are sentences.
	Warnings []string
}

func (s *Swept) warn(format string, args ...any) {
	if len(s.Warnings) < 100 {
		s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
	}
}

// leaseName is that of the sweeper's lease.
const leaseName = "sweep"

// Sweep goes through the ledger once if no other program does so. Its error is
// that of the ledger; what fails in a single record is a warning. A damaged
// ledger is put aside and a new one filled from the folders.
func (s *Sweeper) Sweep(ctx context.Context) (Swept, error) {
	var out Swept
	err := s.sweep(ctx, &out)
	if errors.Is(err, store.ErrDamaged) {
		err = s.startOver(ctx, &out)
	}
	return out, err
}

func (s *Sweeper) sweep(ctx context.Context, out *Swept) error {
	st := s.Book.s
	mine, err := st.Lease(leaseName, s.Holder, s.Book.now(), SweepEvery)
	if err != nil || !mine {
		return err
	}
	out.Ran, s.n = true, 0
	if err := st.Check(s.Book.now()); err != nil {
		return err
	}
	if err := s.refill(ctx, out); err != nil {
		return err
	}
	for _, step := range []func(context.Context, *Swept) error{s.open, s.deliveries, s.ended, s.folders, s.flows} {
		if err := step(ctx, out); err != nil {
			return err
		}
	}
	if err := st.Prune(s.Book.now(), KeepEnded); err != nil {
		return err
	}
	out.Log, err = st.Shrink()
	return err
}

// startOver puts a damaged ledger aside and fills the new one.
func (s *Sweeper) startOver(ctx context.Context, out *Swept) error {
	if err := s.Book.s.StartOver(); err != nil {
		return err
	}
	return s.refill(ctx, out)
}

// refill puts the task folders into a ledger that was made just now, whether the
// old one was damaged or is gone.
func (s *Sweeper) refill(ctx context.Context, out *Swept) error {
	if s.Folders == nil || !s.Book.s.TakeNew() {
		return nil
	}
	if note := s.Book.s.Note(); note != "" {
		out.warn("%s", note)
	}
	n, err := s.Book.Rebuild(ctx, s.Folders)
	if n > 0 {
		out.warn("The new ledger has %d tasks from their folders.", n)
	}
	return err
}

// tick yields after every batch and keeps the lease.
func (s *Sweeper) tick(ctx context.Context) error {
	s.n++
	if s.n%Batch != 0 {
		return ctx.Err()
	}
	if s.Yield != nil {
		s.Yield()
	}
	mine, err := s.Book.s.Lease(leaseName, s.Holder, s.Book.now(), SweepEvery)
	if err == nil && !mine {
		err = errors.New("sweep the ledger: another program took over")
	}
	return errors.Join(err, ctx.Err())
}

// open goes through the records that have not ended.
func (s *Sweeper) open(ctx context.Context, out *Swept) error {
	recs, err := s.Book.s.Open()
	if err != nil {
		return err
	}
	for _, r := range recs {
		if err := s.look(ctx, r, out); err != nil {
			return err
		}
		if err := s.tick(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweeper) look(ctx context.Context, r task.Record, out *Swept) error {
	v, gone := Judge(r, s.sight(r), s.Book.now())
	switch v {
	case NoteGone, NoteBack:
		if v == NoteGone {
			out.Gone = append(out.Gone, r.ID)
		} else {
			out.Back = append(out.Back, r.ID)
		}
		return s.Book.noteGone(r, gone)
	case TakeForLost:
		return s.lose(ctx, r, gone, out)
	}
	return nil
}

// sight asks for the work of a record.
func (s *Sweeper) sight(r task.Record) Sight {
	var x Sight
	if r.Process.PID != 0 {
		x.Life, x.Since = s.probe(r.Process)
		return x
	}
	if s.Runtimes != nil {
		x.Knows = s.Runtimes.For(r.Runtime).Knows(r)
	}
	return x
}

// probe looks for a process; without a way to look it cannot tell.
func (s *Sweeper) probe(id task.Identity) (Life, time.Time) {
	if s.Probe == nil || id.PID == 0 {
		return CannotTell, time.Time{}
	}
	return s.Probe(id)
}

// lose makes one last try to find the end, looks again at everything, and then
// takes the record for lost.
func (s *Sweeper) lose(ctx context.Context, r task.Record, gone time.Time, out *Swept) error {
	if found, ok := s.recover(ctx, r, out); ok {
		if _, err := s.Book.Report(found); err != nil {
			return err
		}
		out.Recovered = append(out.Recovered, r.ID)
		return nil
	}
	fresh, ok, err := s.Book.s.Record(r.ID)
	if err != nil || !ok || fresh.Run != r.Run {
		return err
	}
	v, again := Judge(fresh, s.sight(fresh), s.Book.now())
	if v != TakeForLost {
		return nil
	}
	if again.IsZero() {
		again = gone
	}
	res, err := s.Book.Report(LostReport(fresh, again))
	if err == nil && res.Change > Late {
		out.Lost = append(out.Lost, r.ID)
	}
	return err
}

// recover asks the runtime once for an end that was missed. Whatever goes wrong
// in that is a warning.
func (s *Sweeper) recover(ctx context.Context, r task.Record, out *Swept) (Report, bool) {
	if s.Runtimes == nil {
		return Report{}, false
	}
	began := s.Book.now()
	found, ok, err := s.Runtimes.For(r.Runtime).Recover(ctx, r)
	if took := s.Book.now().Sub(began); took >= RecoverySlow {
		out.warn("The recovery of task %s took %d seconds.", r.ID, int(took.Seconds()))
	}
	if err != nil {
		out.warn("Task %s could not be recovered: %v.", r.ID, err)
		return Report{}, false
	}
	if ok && !Sound(r, found) {
		out.warn("The recovery of task %s gave something that cannot be true of it.", r.ID)
		return Report{}, false
	}
	return found, ok
}

// noteGone writes down since when nothing of a record is found.
func (b *Book) noteGone(r task.Record, gone time.Time) error {
	return b.s.Update(false, func(tx *store.Tx) error {
		now, found, err := tx.Record(r.ID)
		if err != nil || !found || now.Run != r.Run || !now.Open() || !now.GoneSince.Equal(r.GoneSince) {
			return err
		}
		now.GoneSince = gone
		now.Rev++
		return tx.PutRecord(now)
	})
}

// firstSweep is how long a program lives before it sweeps.
const firstSweep = 5 * time.Second

// Run sweeps after five seconds and then every minute until ctx ends; done gets
// what came of each.
func (s *Sweeper) Run(ctx context.Context, done func(Swept, error)) {
	t := time.NewTimer(firstSweep)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		out, err := s.Sweep(ctx)
		if ctx.Err() != nil {
			return
		}
		done(out, err)
		t.Reset(SweepEvery)
	}
}
