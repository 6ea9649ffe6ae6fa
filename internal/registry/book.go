package registry

import (
	"context"
	"errors"
	"os"
	"strconv"
	"sync"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// diary writes into the ledger what changed in tasks (launch, end, another run),
// never sizes, ages or last lines. Any number of programs does so: the same news
// costs a question and no write. Writing goes on beside the frames; what could
// not be written is tried again.
type diary struct {
	book *ledger.Book
	w    *world.World
	// machine says in which life of which machine a pid means anything.
	machine proc.Machine

	mu sync.Mutex
	// told is what was written of each task, next what waits, by task.
	told map[string]mark
	next map[string]task.Task
	// failed is why the last attempt did not work; later is when to try again.
	failed string
	later  time.Time
	busy   bool
	idle   *sync.Cond
}

// mark is what makes news of a task.
type mark struct {
	run        int
	status     task.Status
	source     string
	code       int
	known      bool
	ended      int64
	title, pid string
}

// retryAfter is how long a ledger that could not be written is left alone.
const retryAfter = 5 * time.Second

func newDiary(s *store.Store, w *world.World) *diary {
	d := &diary{book: ledger.NewBook(s, w.Now, nil), w: w, machine: proc.MachineOf(w), told: map[string]mark{}, next: map[string]task.Task{}}
	d.idle = sync.NewCond(&d.mu)
	return d
}

// kept says whether a task belongs in the ledger: a log of a folder and a demo's
// child have no life beyond their window, and what was left behind has no agent
// that will ever tell its end.
func kept(t task.Task, now time.Time) bool {
	switch {
	case t.Foreground, t.Source == "files", t.Source == "demo", t.LeftBehind && t.Status != task.Cancelled:
		return false
	case !t.Status.Ended():
		return true
	}
	end := t.Ended
	if end.IsZero() {
		end = t.StatusAt
	}
	return now.Sub(end) < ledger.KeepEnded
}

func markOf(t task.Task) mark {
	m := mark{run: t.Run, status: t.Status, source: t.StatusSource, title: t.Title}
	if t.ExitCode != nil {
		m.code, m.known = *t.ExitCode, true
	}
	if !t.Ended.IsZero() {
		m.ended = t.Ended.UnixMilli()
	}
	for _, p := range t.Evidence.Roots {
		m.pid = strconv.Itoa(p.PID)
	}
	return m
}

// changed are those of tasks that are news for the ledger.
func (d *diary) changed(tasks []task.Task, now time.Time) []task.Task {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Before(d.later) {
		return nil
	}
	var out []task.Task
	for _, t := range tasks {
		if !kept(t, now) {
			continue
		}
		if was, ok := d.told[t.ID]; !ok || was != markOf(t) {
			out = append(out, t)
		}
	}
	return out
}

// write takes masked tasks and writes them beside the caller.
func (d *diary) write(tasks []task.Task) {
	if len(tasks) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range tasks {
		d.told[t.ID], d.next[t.ID] = markOf(t), t
	}
	if !d.busy {
		d.busy = true
		go d.work()
	}
}

// work writes until nothing waits.
func (d *diary) work() {
	for {
		d.mu.Lock()
		if len(d.next) == 0 {
			d.busy = false
			d.idle.Broadcast()
			d.mu.Unlock()
			return
		}
		batch := d.next
		d.next = map[string]task.Task{}
		d.mu.Unlock()
		reports := make([]ledger.Report, 0, len(batch))
		for _, t := range batch {
			if r, ok := ledger.FromTask(t); ok {
				reports = append(reports, d.identified(r, t))
			}
		}
		_, err := d.book.Observe(reports)
		d.mu.Lock()
		d.failed = ""
		if err != nil {
			d.failed, d.later = store.Sentence(err), d.w.Now().Add(retryAfter)
			for id := range batch {
				delete(d.told, id)
			}
		}
		d.mu.Unlock()
	}
}

// identified adds what a later program needs to know process and output by.
func (d *diary) identified(r ledger.Report, t task.Task) ledger.Report {
	for _, p := range t.Evidence.Roots {
		if p.PID > 0 && p.Start > 0 {
			r.Process = d.identity(p.PID, p.Start)
			break
		}
	}
	if key, _, ok := keyOf(t.Output.Path); ok && t.Decoder == nil {
		r.Output.Dev, r.Output.Ino, r.Output.Birth = key.Dev, key.Ino, key.Birth
	}
	return r
}

func (d *diary) identity(pid int, start uint64) task.Identity {
	id := task.Identity{BootID: d.machine.Boot, PID: pid, Start: start}
	if d.machine.Namespace != 0 {
		id.PIDNS = strconv.FormatUint(d.machine.Namespace, 10)
	}
	return id
}

// self is this program, for the latch and the lease.
func (d *diary) self() task.Identity {
	id, err := proc.Identify(os.Getpid())
	if err != nil {
		return d.identity(os.Getpid(), 0)
	}
	return d.identity(id.PID, id.Start)
}

// probe says whether the process of a record lives (G6): one of another boot is
// dead since this one began, one of another pid namespace cannot be seen.
func (d *diary) probe(id task.Identity) (ledger.Life, time.Time) {
	here := d.identity(id.PID, id.Start)
	switch {
	case id.PID <= 0 || id.Start == 0 || id.BootID == "" || here.BootID == "":
		return ledger.CannotTell, time.Time{}
	case id.BootID != here.BootID:
		return ledger.Dead, d.machine.Since
	case id.PIDNS != here.PIDNS:
		return ledger.CannotTell, time.Time{}
	case proc.Lives(proc.ID{PID: id.PID, Start: id.Start}):
		return ledger.Alive, time.Time{}
	}
	if _, err := proc.Identify(id.PID); err != nil && !errors.Is(err, proc.ErrGone) {
		return ledger.CannotTell, time.Time{}
	}
	return ledger.Dead, time.Time{}
}

// trouble is why the ledger could not be written last, "" while it can.
func (d *diary) trouble() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// flush waits, a bounded time, until what was told is written.
func (d *diary) flush(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	defer context.AfterFunc(ctx, d.idle.Broadcast)()
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.busy && ctx.Err() == nil {
		d.idle.Wait()
	}
}
