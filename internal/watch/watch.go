package watch

import (
	"path/filepath"
	"sync"
	"time"
)

// Window is the shortest time between two wake-ups of one subscriber: a frame
// at 30 a second. The first after a quiet time comes at once.
const Window = 33 * time.Millisecond

// Watcher is the clock and the event reader. It is safe for concurrent use.
type Watcher struct {
	mu    sync.Mutex
	subs  map[*sub]struct{}
	dirs  map[string]*dir
	ev    events
	poke  chan struct{}
	alive bool
	// flood is when more events came in one window than are taken.
	flood time.Time
	// poll turns events off (tests, and systems without them).
	poll bool
}

// Options of a Watcher.
type Options struct {
	// PollOnly uses no events, as on a system that has none.
	PollOnly bool
}

// New is a watcher of its own; the program has one, from Shared.
func New(o Options) *Watcher {
	return &Watcher{
		subs: map[*sub]struct{}{},
		dirs: map[string]*dir{},
		poke: make(chan struct{}, 1),
		poll: o.PollOnly || !haveEvents,
	}
}

var shared = sync.OnceValue(func() *Watcher { return New(Options{}) })

// Shared is the program's one watcher.
func Shared() *Watcher { return shared() }

// sub is one subscriber: a folder, or a file in it.
type sub struct {
	c    chan struct{}
	dir  *dir
	name string // "" is anything in the folder
	// last wake-up by an event, and whether another is owed at last+Window.
	last time.Time
	owed bool
	pace Pace
	// grew is when the file was last seen to grow; due is the clock's next tick.
	grew, due time.Time
}

// Subscribe wakes the caller when something in the folder dir may have changed:
// on events, coalesced to one per Window; once a second where events cannot be
// had, and at once when the folder appears. The channel holds one wake-up and
// is never closed. cancel frees everything and may be called twice.
func (w *Watcher) Subscribe(dir string) (<-chan struct{}, func()) {
	s := w.add(filepath.Clean(dir), "", folder)
	return s.c, func() { w.drop(s) }
}

// Follower is one file on the clock.
type Follower struct {
	// C holds one wake-up: look at the file now.
	C <-chan struct{}
	w *Watcher
	s *sub
}

// Follow puts the file at path on the clock and wakes early on events for it.
func (w *Watcher) Follow(path string, p Pace) *Follower {
	path = filepath.Clean(path)
	s := w.add(filepath.Dir(path), filepath.Base(path), p)
	return &Follower{C: s.c, w: w, s: s}
}

// Grew tells the clock that the file was seen to grow: a focused file that grows
// is looked at each Window.
func (f *Follower) Grew() {
	f.w.mu.Lock()
	now := time.Now()
	f.s.grew = now
	f.w.plan(f.s, now)
	f.w.mu.Unlock()
	f.w.nudge()
}

// SetPace changes how often the clock looks.
func (f *Follower) SetPace(p Pace) {
	f.w.mu.Lock()
	f.s.pace = p
	f.w.plan(f.s, time.Now())
	f.w.mu.Unlock()
	f.w.nudge()
}

// Close takes the file off the clock; C gets nothing more.
func (f *Follower) Close() { f.w.drop(f.s) }

func (w *Watcher) add(path, name string, p Pace) *sub {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.dirs[path]
	if d == nil {
		d = &dir{path: path}
		w.dirs[path] = d
	}
	now := time.Now()
	s := &sub{c: make(chan struct{}, 1), dir: d, name: name, pace: p, grew: now}
	d.subs++
	w.subs[s] = struct{}{}
	if !w.alive {
		w.alive = true
		go w.run()
	}
	w.watchDir(d, now)
	w.plan(s, now)
	w.nudge()
	return s
}

func (w *Watcher) drop(s *sub) {
	w.mu.Lock()
	if _, ok := w.subs[s]; ok {
		delete(w.subs, s)
		if s.dir.subs--; s.dir.subs == 0 {
			w.unwatchDir(s.dir)
			delete(w.dirs, s.dir.path)
		}
	}
	w.mu.Unlock()
	w.nudge()
}

// nudge makes the loop look at its plan again.
func (w *Watcher) nudge() {
	select {
	case w.poke <- struct{}{}:
	default:
	}
}

// wake passes a wake-up on now, or owes it to the end of the subscriber's window.
func (s *sub) wake(now time.Time) {
	if now.Sub(s.last) < Window {
		s.owed = true
		return
	}
	s.last, s.owed = now, false
	s.ring()
}

// ring puts a wake-up into the channel, where one is enough.
func (s *sub) ring() {
	select {
	case s.c <- struct{}{}:
	default:
	}
}
