package watch

import (
	"path/filepath"
	"time"
)

// note is one event: a path, whether a watched folder itself went away, or that
// events were lost.
type note struct {
	path     string
	gone     bool
	overflow bool
}

// events is the system's source of notes.
type events interface {
	Add(dir string) error
	Remove(dir string) error
	Notes() <-chan note
	Close() error
}

// run is the one goroutine; it ends when the last subscriber has left.
func (w *Watcher) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var b budget
	for {
		now := time.Now()
		w.mu.Lock()
		if len(w.subs) == 0 {
			w.stop()
			w.mu.Unlock()
			return
		}
		next := w.tick(now)
		if t := w.retryDirs(now); !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
		var notes <-chan note
		if w.ev != nil {
			notes = w.ev.Notes()
		}
		if full, end := b.spent(now); full {
			notes = nil // the kernel merges what waits
			w.surge(now)
			if next.IsZero() || end.Before(next) {
				next = end
			}
		}
		w.mu.Unlock()
		arm(timer, next, now)
		select {
		case n, ok := <-notes:
			b.count++
			w.take(n, ok)
		case <-w.poke:
		case <-timer.C:
		}
	}
}

// budget counts the events of one window.
type budget struct {
	window time.Time
	count  int
}

// spent says whether no more events are taken before end.
func (b *budget) spent(now time.Time) (full bool, end time.Time) {
	if now.Sub(b.window) >= Window {
		b.window, b.count = now, 0
	}
	return b.count >= floodEvents, b.window.Add(Window)
}

// surge notes a flood and puts focused files on the fast clock.
func (w *Watcher) surge(now time.Time) {
	fresh := !w.flooded(now)
	w.flood = now
	if !fresh {
		return
	}
	for s := range w.subs {
		if s.pace == Focused {
			w.plan(s, now)
		}
	}
}

func arm(t *time.Timer, next, now time.Time) {
	d := time.Hour
	if !next.IsZero() {
		d = max(next.Sub(now), time.Millisecond)
	}
	t.Reset(d)
}

// stop frees the event source; a later subscriber opens a new one.
func (w *Watcher) stop() {
	if w.ev != nil {
		_ = w.ev.Close()
		w.ev = nil
	}
	w.alive = false
}

// take carries one event to those who wait for it.
func (w *Watcher) take(n note, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if !ok { // the source ended by itself: polling until it can be had again
		if w.ev != nil {
			_ = w.ev.Close()
		}
		w.ev = nil
		for _, d := range w.dirs {
			d.watched, d.tried = false, now
		}
		n.overflow = true
	}
	if n.overflow {
		for s := range w.subs {
			s.wake(now)
		}
		return
	}
	if d := w.dirs[n.path]; d != nil && n.gone {
		w.unwatchDir(d)
		d.tried = now
		w.wakeDir(d, "", now)
	}
	d := w.dirs[filepath.Dir(n.path)]
	if d == nil {
		return
	}
	w.wakeDir(d, filepath.Base(n.path), now)
}
