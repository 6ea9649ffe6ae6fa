package ledger

import (
	"context"
	"os"
	"sync"

	"offstage/task"
)

// Knowledge is what a runtime can say of a task that has no process of its own.
type Knowledge uint8

// Gone is said only by a runtime that would know the task if it were there.
const (
	CannotSay Knowledge = iota
	StillThere
	Gone
)

// Runtime is what carries out tasks (R1), as data. A nil function is the book's
// own way: the record is all there is.
type Runtime struct {
	Name                        string
	CreateQueued, CreateRunning func(context.Context, task.Record) (task.Record, error)
	Start                       func(ctx context.Context, id string) error
	Progress                    func(ctx context.Context, id, text string) error
	// Finish and Fail close the run with what the report says of its end.
	Finish, Fail func(ctx context.Context, end Report) error
	SetDelivery  func(ctx context.Context, id string, run int, to task.DeliveryState, why string) error
	// Cancel ends the work, or asks for its end; the status follows when the end
	// was seen.
	Cancel func(ctx context.Context, r task.Record, reason string) error
	// Recover looks for an end that was missed, before a record is lost.
	Recover func(ctx context.Context, r task.Record) (end Report, found bool, err error)
	// Knows says whether the work is still there.
	Knows func(task.Record) Knowledge
}

// Runtimes are the runtimes by name.
type Runtimes struct {
	b  *Book
	mu sync.Mutex
	by map[string]Runtime
}

// NewRuntimes is an empty set over a book.
func NewRuntimes(b *Book) *Runtimes { return &Runtimes{b: b, by: map[string]Runtime{}} }

// Register puts a runtime in the place of its name and gives back what was there,
// to be put back later; had is false where the book's own way was.
func (r *Runtimes) Register(rt Runtime) (before Runtime, had bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, had = r.by[rt.Name]
	r.by[rt.Name] = rt
	return before, had
}

// Remove takes a runtime away: its name is the book's own way again.
func (r *Runtimes) Remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, name)
}

// For is the runtime of a name, complete: no function is nil.
func (r *Runtimes) For(name string) Runtime {
	r.mu.Lock()
	rt := r.by[name]
	r.mu.Unlock()
	rt.Name = name
	return r.b.complete(rt)
}

// complete fills in the book's own way.
func (b *Book) complete(rt Runtime) Runtime {
	create := func(status task.Status) func(context.Context, task.Record) (task.Record, error) {
		return func(_ context.Context, rec task.Record) (task.Record, error) {
			rec.Runtime, rec.Status = rt.Name, status
			return b.Create(rec)
		}
	}
	if rt.CreateQueued == nil {
		rt.CreateQueued = create(task.Queued)
	}
	if rt.CreateRunning == nil {
		rt.CreateRunning = create(task.Running)
	}
	if rt.Start == nil {
		rt.Start = func(_ context.Context, id string) error { return b.say(task.Record{ID: id, Status: task.Running}) }
	}
	if rt.Progress == nil {
		rt.Progress = func(_ context.Context, id, text string) error { return b.say(task.Record{ID: id, Progress: text}) }
	}
	return b.completeEnds(rt)
}

func (b *Book) completeEnds(rt Runtime) Runtime {
	ending := func(status task.Status) func(context.Context, Report) error {
		return func(_ context.Context, end Report) error {
			if !end.Status.Ended() {
				end.Status = status
			}
			_, err := b.Report(end)
			return err
		}
	}
	if rt.Finish == nil {
		rt.Finish = ending(task.Succeeded)
	}
	if rt.Fail == nil {
		rt.Fail = ending(task.Failed)
	}
	if rt.SetDelivery == nil {
		rt.SetDelivery = func(_ context.Context, id string, run int, to task.DeliveryState, why string) error {
			_, err := b.Deliver(id, run, to, why)
			return err
		}
	}
	if rt.Cancel == nil {
		rt.Cancel = func(_ context.Context, r task.Record, _ string) error { return b.RequestStop(r.ID, r.Run, os.Getpid()) }
	}
	if rt.Recover == nil {
		rt.Recover = func(context.Context, task.Record) (Report, bool, error) { return Report{}, false, nil }
	}
	if rt.Knows == nil {
		rt.Knows = func(task.Record) Knowledge { return CannotSay }
	}
	return rt
}

// say reports one thing of a task that must be there.
func (b *Book) say(rec task.Record) error {
	if _, found, err := b.s.Record(rec.ID); err != nil || !found {
		if err == nil {
			err = ErrUnknown
		}
		return err
	}
	_, err := b.Report(Report{Record: rec})
	return err
}

// Create makes a record, or fills in the one that is it already: the same id, or
// a run of the same runtime with the same name, owner, session, flow, title and
// command. No second row is made for one run.
func (b *Book) Create(rec task.Record) (task.Record, error) {
	if rec.RunID != "" {
		twins, err := b.s.ByRunID(rec.RunID)
		if err != nil {
			return task.Record{}, err
		}
		for _, t := range twins {
			if twin(t, rec) {
				rec.ID = t.ID
				break
			}
		}
	}
	res, err := b.Report(Report{Record: rec})
	return res.Record, err
}

// twin says whether a new record is the same run as one that is there. Of two
// acp records the run's name alone decides.
func twin(have, said task.Record) bool {
	said = belongs(said)
	if have.Runtime != said.Runtime || have.Scope != said.Scope || have.Owner != said.Owner {
		return false
	}
	if have.Runtime == RuntimeACP {
		return true
	}
	return have.Session == said.Session && (said.Flow == "" || have.Flow == said.Flow) &&
		have.Title == fit(oneLine(said.Title), maxTitle) && have.Command == fit(said.Command, maxCommand)
}
