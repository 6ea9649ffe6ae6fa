package registry

import (
	"context"
	"strings"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/watch"
	"offstage/task"
)

// live is the watching that a face with a screen needs: sources are asked again
// when a folder changes, when a held process ends, and once a second while
// something runs.
type live struct {
	once sync.Once
	stop context.CancelFunc
	ctx  context.Context
	wake chan struct{}

	mu sync.Mutex
	// news is closed and replaced at each new revision.
	news chan struct{}
	held map[proc.ID]*proc.Held
	subs map[string]func()
	// looked is the table, and the running tasks, that the held processes were
	// found in: the same again is not looked at twice.
	looked    *proc.Table
	lookedFor string
}

// How often the sources are asked without any news: once a second while a task
// runs (its output, its end), rarely while nothing does.
const (
	busyTick = time.Second
	idleTick = 5 * time.Second
	// livePatience is how long a slow source holds a frame up.
	livePatience = 250 * time.Millisecond
	// maxHeld bounds the processes that are held for their end.
	maxHeld = 512
	// lookAgain is how soon one look at the processes may follow another.
	lookAgain = 2 * time.Second
)

func (l *live) init() {
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.wake = make(chan struct{}, 1)
	l.news = make(chan struct{})
	l.held = map[proc.ID]*proc.Held{}
	l.subs = map[string]func(){}
}

func (l *live) close() {
	l.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.held {
		h.Close()
	}
	for _, cancel := range l.subs {
		cancel()
	}
	l.held, l.subs = map[proc.ID]*proc.Held{}, map[string]func(){}
}

// Wake asks for a new look soon: something was done here.
func (r *Registry) Wake() {
	select {
	case r.live.wake <- struct{}{}:
	default:
	}
}

// Next waits for a snapshot that is newer than rev; 0 takes the first. The
// watching begins with the first call and ends with Close.
func (r *Registry) Next(ctx context.Context, rev uint64) (task.Snapshot, error) {
	r.live.once.Do(func() { go r.watch() })
	for {
		r.live.mu.Lock()
		news := r.live.news
		r.live.mu.Unlock()
		r.mu.Lock()
		snap := r.last
		r.mu.Unlock()
		if snap.Rev > rev {
			return snap, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return task.Snapshot{}, ctx.Err()
		case <-r.live.ctx.Done():
			return task.Snapshot{}, r.live.ctx.Err()
		}
	}
}

// watch is the one loop. Every turn asks all sources, folds, tells who waits,
// and sleeps until news or the clock.
func (r *Registry) watch() {
	tick := time.NewTimer(0)
	defer tick.Stop()
	for {
		raw := gather(r.live.ctx, r.feeds, livePatience)
		r.facts.follow(raw.Tasks, r.w.Now(), r.keeps())
		before := r.rev()
		snap := r.fold(raw)
		if snap.Rev != before {
			r.tell()
		}
		r.subscribe()
		r.hold(raw.Tasks)
		pause := idleTick
		switch {
		case r.pending():
			pause = 0
		case anyRunning(raw.Tasks):
			pause = busyTick
		}
		tick.Reset(pause)
		select {
		case <-tick.C:
		case <-r.live.wake:
			r.calm()
		case <-r.live.ctx.Done():
			return
		}
	}
}

// calm lets news that comes in a burst become one look.
func (r *Registry) calm() {
	select {
	case <-time.After(40 * time.Millisecond):
	case <-r.live.ctx.Done():
	}
	select {
	case <-r.live.wake:
	default:
	}
}

func (r *Registry) rev() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last.Rev
}

func (r *Registry) tell() {
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	close(r.live.news)
	r.live.news = make(chan struct{})
}

func anyRunning(tasks []task.Task) bool {
	for _, t := range tasks {
		if !t.Status.Ended() {
			return true
		}
	}
	return false
}

// subscribe follows the folders that the sources name now.
func (r *Registry) subscribe() {
	want := map[string]bool{}
	for _, f := range r.feeds {
		for _, d := range f.src.Dirs() {
			want[d] = true
		}
	}
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	if r.live.ctx.Err() != nil {
		return
	}
	for d, cancel := range r.live.subs {
		if !want[d] {
			cancel()
			delete(r.live.subs, d)
		}
	}
	for d := range want {
		if _, ok := r.live.subs[d]; ok {
			continue
		}
		ch, cancel := watch.Shared().Subscribe(d)
		done := make(chan struct{})
		r.live.subs[d] = func() { cancel(); close(done) }
		go r.relay(ch, done)
	}
}

// relay turns the wake-ups of one folder into looks: its records changed, so the
// processes may have too.
func (r *Registry) relay(ch <-chan struct{}, done <-chan struct{}) {
	for {
		select {
		case _, ok := <-ch:
			if !ok {
				return
			}
			r.procs.Stale(lookAgain)
			r.Wake()
		case <-done:
			return
		case <-r.live.ctx.Done():
			return
		}
	}
}

// hold keeps an eye on the processes of running tasks, so that an end is an
// event and no scan.
func (r *Registry) hold(tasks []task.Task) {
	if r.w.Recorded() {
		return
	}
	table, err := r.procs.Table()
	if err != nil {
		return
	}
	key := runningKey(tasks)
	r.live.mu.Lock()
	known := table == r.live.looked && key == r.live.lookedFor
	r.live.looked, r.live.lookedFor = table, key
	r.live.mu.Unlock()
	if known {
		return
	}
	want := map[proc.ID]bool{}
	for _, id := range r.runningProcesses(table, tasks) {
		want[id] = true
	}
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	for id, h := range r.live.held {
		if !want[id] {
			h.Close()
			delete(r.live.held, id)
		}
	}
	for id := range want {
		if _, ok := r.live.held[id]; ok || len(r.live.held) >= maxHeld {
			continue
		}
		h, err := proc.Hold(id)
		if err != nil {
			continue
		}
		r.live.held[id] = h
		go r.mourn(h)
	}
}

// runningKey names the running tasks.
func runningKey(tasks []task.Task) string {
	var b strings.Builder
	for _, t := range tasks {
		if !t.Status.Ended() {
			b.WriteString(t.ID)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// runningProcesses are the writers of the running tasks' outputs, found in one
// pass, and the agents that own them.
func (r *Registry) runningProcesses(table *proc.Table, tasks []task.Task) []proc.ID {
	var paths []string
	var ids []proc.ID
	for _, t := range tasks {
		if t.Status.Ended() {
			continue
		}
		if t.Evidence.AgentPID > 0 && t.Evidence.AgentStart > 0 {
			ids = append(ids, proc.ID{PID: t.Evidence.AgentPID, Start: t.Evidence.AgentStart})
		}
		if t.Output.Path != "" && t.Evidence.WritersAreProof {
			paths = append(paths, t.Output.Path)
		}
	}
	if len(paths) == 0 {
		return ids
	}
	users, err := table.Writers(paths)
	if err != nil {
		return ids
	}
	for _, list := range users {
		for _, u := range list {
			if u.Write && u.Std {
				ids = append(ids, u.ID)
			}
		}
	}
	return ids
}

// settling are the times after the end of a process at which its agent may have
// written what it knows of that.
var settling = []time.Duration{0, 150 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second}

// mourn waits for the end of one process and looks again, also a little later,
// because the agent's own record follows the death.
func (r *Registry) mourn(h *proc.Held) {
	select {
	case <-h.Done():
	case <-r.live.ctx.Done():
		return
	}
	for _, d := range settling {
		select {
		case <-time.After(d):
		case <-r.live.ctx.Done():
			return
		}
		r.procs.Stale(0)
		r.Wake()
	}
}
