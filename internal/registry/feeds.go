package registry

import (
	"context"
	"fmt"
	"sync"
	"time"

	"offstage/task"
)

// Source finds the tasks of one agent. It gives the whole truth as it sees it
// now and may be incremental inside; what it cannot read is a Trouble in its
// snapshot. It is asked by one goroutine at a time.
type Source interface {
	Scan(ctx context.Context) (task.Snapshot, error)
	// Dirs are the folders whose change may be news.
	Dirs() []string
}

// Named is a source with the agent or place that it reads: "claude", "files".
// Sees is what the source declares that it can see.
type Named struct {
	Name string
	Source
	Sees task.Sight
}

// feed is one source with the last truth that it told. A scan that takes too
// long goes on beside the others and is taken up when it is done.
type feed struct {
	src Named

	mu   sync.Mutex
	last task.Snapshot
	ids  idNames
	err  error
	busy bool
	// done is closed when the scan under way ends, which began at since.
	done  chan struct{}
	since time.Time
	// dirs and more are what the source said after its last scan: it is never asked
	// beside one, for it may not answer before that ends.
	dirs []string
	more bool
	// missed: nobody waits for the scan under way, so wake is called at its end and
	// its answer, then fresh, is taken up before the next scan: a source that is
	// always slow is not asked without a pause.
	missed, fresh bool
	// answered: it has told its truth at least once, or failed to.
	answered bool
	wake     func()
}

// slowAfter is how long a source may take before what is shown of it is called old.
const slowAfter = 1500 * time.Millisecond

// start begins a scan unless one is under way, and gives the channel that is
// closed at its end.
func (f *feed) start(ctx context.Context) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy || f.fresh {
		f.fresh = false
		return f.done
	}
	f.busy, f.done, f.since = true, make(chan struct{}), time.Now()
	go f.scan(ctx, f.done)
	return f.done
}

func (f *feed) scan(ctx context.Context, done chan struct{}) {
	defer close(done)
	snap, err := f.guarded(ctx)
	dirs, more := f.src.Dirs(), false
	if p, ok := f.src.Source.(pending); ok {
		more = p.Pending()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy, f.err, f.dirs, f.more, f.answered = false, err, dirs, more, true
	if err == nil {
		f.last = f.ids.safe(snap)
	}
	if f.missed && f.wake != nil {
		f.wake()
	}
	f.fresh, f.missed = f.missed, false
}

// leave notes that nobody waits for the scan under way any longer.
func (f *feed) leave() {
	f.mu.Lock()
	f.missed = f.missed || f.busy
	f.mu.Unlock()
}

// folders are those whose change may be news; pending says that the source had
// more to read after its last answer.
func (f *feed) folders() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dirs
}

func (f *feed) pending() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.more && !f.busy
}

// settled says that it has answered and had no more to read.
func (f *feed) settled() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answered && !f.more
}

// guarded turns a fault inside one source into its trouble: it must not take
// the other sources with it.
func (f *feed) guarded(ctx context.Context) (snap task.Snapshot, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a fault while reading: %v", r)
		}
	}()
	return f.src.Scan(ctx)
}

// told is the last truth and what is wrong with it.
func (f *feed) told() task.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	snap := f.last
	snap.Troubles = append([]task.Trouble(nil), snap.Troubles...)
	if f.busy && time.Since(f.since) > slowAfter {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: f.src.Name, Text: f.src.Name + " has not answered yet. What is shown of it may be old or not all."})
	}
	if f.err != nil {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: f.src.Name, Text: f.src.Name + " could not be read: " + f.err.Error() + ". What is shown of it may be old."})
	}
	return snap
}

// gather scans all feeds side by side, waits at most patience, and joins what
// they told. One that is slow stays with its last truth.
func gather(ctx context.Context, feeds []*feed, patience time.Duration) task.Snapshot {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	var all task.Snapshot
	waits := make([]<-chan struct{}, len(feeds))
	for i, f := range feeds {
		waits[i] = f.start(ctx)
	}
	late := false
	for i, f := range feeds {
		if !late {
			select {
			case <-waits[i]:
			case <-limit.C:
				late = true
			case <-ctx.Done():
				late = true
			}
		}
		if late {
			f.leave()
		}
		snap := f.told()
		all.Sessions = append(all.Sessions, snap.Sessions...)
		all.Tasks = append(all.Tasks, snap.Tasks...)
		all.Troubles = append(all.Troubles, snap.Troubles...)
		all.Looked = append(all.Looked, snap.Looked...)
	}
	return all
}
