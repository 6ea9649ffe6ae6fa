package registry

import (
	"context"
	"sync"
	"sync/atomic"
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
	// later: a wake-up is on its way.
	later atomic.Bool

	mu sync.Mutex
	// news is closed and replaced at each new revision.
	news chan struct{}
	held map[proc.ID]*heldProc
	subs map[string]func()
	// looked is the table, and the running tasks, that the held processes were
	// found in: the same again is not looked at twice.
	looked    *proc.Table
	lookedFor string
	// covered: every running task has a held process, so that each end is an event.
	covered bool
}

// How often the sources are asked without any news: once a second while a task
// runs whose end no event would tell, rarely otherwise: folders, outputs and held
// processes wake the loop by themselves, and a folder without events does so once
// a second.
const (
	busyTick = time.Second
	idleTick = 5 * time.Second
	// livePatience is how long a slow source holds a frame up.
	livePatience = 250 * time.Millisecond
	// maxHeld bounds the processes that are held for their end.
	maxHeld = 512
	// drawFirst is how long the first answer has for itself to reach the screen,
	// before a source goes on to read what it has left.
	drawFirst = 60 * time.Millisecond
	// lookAgain is how soon one look at the processes may follow another.
	lookAgain = 2 * time.Second
)

func (l *live) init() {
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.wake = make(chan struct{}, 1)
	l.news = make(chan struct{})
	l.held = map[proc.ID]*heldProc{}
	l.subs = map[string]func(){}
}

func (l *live) close() {
	l.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.held {
		h.letGo()
	}
	for _, cancel := range l.subs {
		cancel()
	}
	l.held, l.subs = map[proc.ID]*heldProc{}, map[string]func(){}
}

// Wake asks for a new look soon: something was done here.
func (r *Registry) Wake() {
	select {
	case r.live.wake <- struct{}{}:
	default:
	}
}

// wakeIn wakes once more after d; one such wake-up at a time is enough, for each
// of them looks at everything.
func (r *Registry) wakeIn(d time.Duration) {
	if !r.live.later.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(d, func() {
		r.live.later.Store(false)
		r.Wake()
	})
}

// Begin starts the watching before anybody asks, so that the first look goes on
// while a window is being opened.
func (r *Registry) Begin() { r.live.once.Do(func() { go r.watch() }) }

// Next waits for a snapshot that is newer than rev; 0 takes the first. The
// watching begins with the first call, or with Begin, and ends with Close.
func (r *Registry) Next(ctx context.Context, rev uint64) (task.Snapshot, error) {
	r.Begin()
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
	go r.ledger.prune(r.w.Now()) // another program may be writing: nobody waits for it
	go r.sweep(r.live.ctx)
	go r.watchPreviews()
	tick := time.NewTimer(0)
	defer tick.Stop()
	for first := true; ; first = false {
		r.brief(first)
		raw := r.heard(r.unclaimed(gather(r.live.ctx, r.feeds, livePatience)))
		r.tellTurns(raw)
		r.facts.follow(raw.Tasks, r.w.Now(), r.keeps())
		r.foldAndTell(raw)
		r.subscribe()
		if r.hold(raw.Tasks) {
			r.foldAndTell(raw)
		}
		if r.lookAtPreviews(raw.Tasks) {
			r.foldAndTell(raw)
		}
		r.endOverdue()
		pause := idleTick
		switch {
		case (r.pending() || r.wasCut()) && first:
			pause = drawFirst
		case r.pending():
			pause = 0
		case anyRunning(raw.Tasks) && !r.covered():
			pause = busyTick
		}
		tick.Reset(pause)
		wake := r.live.wake
		if first && pause == drawFirst {
			wake = nil // news has its turn when the first answer had its own
		}
		select {
		case <-tick.C:
		case <-wake:
			if pause > drawFirst { // a source that has more to read is not held up
				r.calm()
			}
		case <-r.live.ctx.Done():
			return
		}
	}
}

// brief has the ledger read no more than a page of what ended, or all again; wasCut
// says that there was more.
func (r *Registry) brief(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.brief = on
}

func (r *Registry) wasCut() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.cut
}

// foldAndTell makes a snapshot and wakes who waits, if it shows anything new.
func (r *Registry) foldAndTell(raw task.Snapshot) {
	before := r.rev()
	if snap := r.fold(raw); snap.Rev != before {
		r.tell()
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
		for _, d := range f.folders() {
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
		r.Wake() // what came between the look and this is seen by one more
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
			if owed := r.procs.Stale(lookAgain); owed > 0 {
				r.wakeIn(owed)
			}
			r.Wake()
		case <-done:
			return
		case <-r.live.ctx.Done():
			return
		}
	}
}
