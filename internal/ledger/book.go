package ledger

import (
	"errors"
	"fmt"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// ErrUnknown: the ledger has no such task.
var ErrUnknown = errors.New("the ledger has no such task")

// Book applies the rules to a store. It is safe for concurrent use and keeps
// nothing in memory: any number of books, in any number of processes, work on
// one store.
type Book struct {
	s   *store.Store
	now func() time.Time
	// warn gets one sentence for what went wrong beside the matter; never nil.
	warn func(string)
}

// NewBook is a book over s with the clock of the machine as now; warn may be nil.
func NewBook(s *store.Store, now func() time.Time, warn func(string)) *Book {
	if warn == nil {
		warn = func(string) {}
	}
	return &Book{s: s, now: now, warn: warn}
}

// Store is what the book works on, for plain questions.
func (b *Book) Store() *store.Store { return b.s }

// Report applies what is said of one task. Nothing is written when nothing new
// was said.
func (b *Book) Report(r Report) (Result, error) {
	out, err := b.apply([]Report{r}, true)
	if err != nil || len(out) == 0 {
		return Result{}, err
	}
	return out[0], nil
}

// observeBatch bounds one transaction, so that other programs get their turn.
const observeBatch = 250

// Observe applies a whole look at many tasks and gives what changed by it. The
// same news costs one question and no write.
func (b *Book) Observe(rs []Report) ([]Result, error) {
	var changed []Result
	for len(rs) > 0 {
		n := min(len(rs), observeBatch)
		out, err := b.apply(rs[:n], false)
		if err != nil {
			return changed, err
		}
		for _, o := range out {
			if o.Change > Late {
				changed = append(changed, o)
			}
		}
		rs = rs[n:]
	}
	return changed, nil
}

// ObserveTasks is Observe for what sources told; texts must be masked already.
func (b *Book) ObserveTasks(tasks []task.Task) ([]Result, error) {
	rs := make([]Report, 0, len(tasks))
	for _, t := range tasks {
		if r, ok := FromTask(t); ok {
			rs = append(rs, r)
		}
	}
	return b.Observe(rs)
}

// apply writes what is new of some reports, in one transaction that is on the
// disk at once if a run ends.
func (b *Book) apply(rs []Report, strict bool) ([]Result, error) {
	now := b.now()
	out, todo, ends, err := b.preview(rs, now)
	if err != nil || len(todo) == 0 {
		return out, err
	}
	var done []Result
	err = b.s.Update(ends, func(tx *store.Tx) error {
		done = done[:0]
		for _, r := range todo {
			res, err := b.write(tx, r, now, strict)
			if err != nil {
				return err
			}
			done = append(done, res)
		}
		return nil
	})
	return append(out, done...), err
}

// preview looks without a lock which reports would change something: looks that
// repeat themselves are most of all, and cost no write. Events are news as a
// rule and are not looked at twice.
func (b *Book) preview(rs []Report, now time.Time) (same []Result, todo []Report, ends bool, err error) {
	var levels []Report
	for _, r := range rs {
		switch {
		case r.ID == "":
			return nil, nil, false, errors.New("report a task: it has no id")
		case r.Level:
			levels = append(levels, r)
		default:
			todo, ends = append(todo, r), ends || r.Status.Ended()
		}
	}
	known, err := b.known(levels)
	if err != nil {
		return nil, nil, false, err
	}
	for _, r := range levels {
		res := Next(known[r.ID], r, now)
		if res.Change == Same {
			same = append(same, res)
			continue
		}
		todo, ends = append(todo, r), ends || res.Change > Late && res.Status.Ended()
	}
	return same, todo, ends, nil
}

func (b *Book) known(rs []Report) (map[string]task.Record, error) {
	ids := make([]string, len(rs))
	for i, r := range rs {
		ids[i] = r.ID
	}
	list, err := b.s.Records(ids)
	known := make(map[string]task.Record, len(list))
	for _, rec := range list {
		known[rec.ID] = rec
	}
	return known, err
}

// write applies one report inside a transaction, with all that follows from it:
// history, events, the folder's removal, the flow.
func (b *Book) write(tx *store.Tx, r Report, now time.Time, strict bool) (Result, error) {
	old, _, err := tx.Record(r.ID)
	if err != nil {
		return Result{}, err
	}
	res := Next(old, r, now)
	if res.Change == Same {
		return res, nil
	}
	if res.Change == New {
		if err := b.join(tx, &res, now, strict); err != nil {
			return Result{}, err
		}
	}
	if err := tx.PutRecord(res.Record); err != nil {
		return Result{}, err
	}
	if res.Past != nil {
		if err := tx.PutPast(*res.Past, pastKept); err != nil {
			return Result{}, err
		}
	}
	if news, ok := Tell(old, res, now); ok && !r.Rebuilt {
		if err := tx.AddNews(news); err != nil {
			return Result{}, err
		}
	}
	if err := orderFolder(tx, res.Record); err != nil {
		return Result{}, err
	}
	if res.Flow != "" && (res.Status != old.Status || res.Change == New) {
		b.settle(tx, res.Flow, now)
	}
	return res, nil
}

// orderFolder says when the folder of a task goes: a week after its end whatever
// the end, and not while it is kept (R6).
func orderFolder(tx *store.Tx, r task.Record) error {
	if r.Folder == "" {
		return nil
	}
	if r.Open() || r.Keep {
		return tx.DropFolder(r.ID)
	}
	return tx.PutFolder(store.FolderOrder{Task: r.ID, Path: r.Folder, After: firstTime(r.Ended, r.LastEvent, r.Created).Add(KeepFolder)})
}

// join puts a new record into the flow that it names, or gives it one of its
// own. A fault there is a warning: the task exists all the same (R4); only a
// flow that was named and refuses it makes a strict caller's report fail.
func (b *Book) join(tx *store.Tx, res *Result, now time.Time, strict bool) error {
	if res.Flow != "" {
		f, found, err := tx.Flow(res.Flow)
		if err == nil {
			err = Joins(res.Record, f, found)
		}
		if err != nil && strict {
			return fmt.Errorf("put task %s into flow %s: %w", res.ID, res.Flow, err)
		}
		if err != nil {
			b.warn("Task " + res.ID + " stays without its flow: " + err.Error() + ".")
			res.Flow = ""
		}
		return nil
	}
	if !OwnFlow(res.Record) {
		return nil
	}
	f := FlowOf(res.Record)
	if err := tx.PutFlow(f); err != nil {
		b.warn("Task " + res.ID + " gets no flow of its own: " + err.Error() + ".")
		return nil
	}
	res.Flow = f.ID
	return nil
}

// settle lets a flow follow its tasks.
func (b *Book) settle(tx *store.Tx, id string, now time.Time) {
	f, found, err := tx.Flow(id)
	if err == nil && found {
		var kids []task.Record
		if kids, err = tx.ByFlow(id); err == nil {
			if next, changed := Follow(f, kids, now); changed {
				err = tx.PutFlow(next)
			}
		}
	}
	if err != nil {
		b.warn("Flow " + id + " could not follow its tasks: " + err.Error() + ".")
	}
}
