package watch

import (
	"errors"
	"io/fs"
	"time"

	"offstage/internal/fsys"
)

// retry is how long a folder that could not be watched is left alone.
const retry = time.Second

// floodEvents is how many events of one window are taken; the rest wait in the
// kernel, which merges them, until the window ends. One writer of 200 MB/s in
// 4 KiB writes makes 50,000 events a second; each would cost some µs here.
const floodEvents = 6

// dir is a folder that somebody wants events of.
type dir struct {
	path string
	subs int
	// watched: events come. polled: they never will (a remote file system).
	// missing: it is not there; that it comes is seen by the next try.
	watched, polled, missing bool
	// asking: a goroutine is asking the system; on a dead mount it never returns,
	// and then the clock alone serves this folder and no other is held up.
	asking bool
	tried  time.Time
}

// watchDir tries to get events for d, at most once per retry. The lock is held.
func (w *Watcher) watchDir(d *dir, now time.Time) {
	if d.watched || d.polled || d.asking || (!d.tried.IsZero() && now.Sub(d.tried) < retry) {
		return
	}
	d.tried = now
	if w.poll {
		d.polled = true
		return
	}
	if w.ev == nil {
		ev, err := openEvents()
		if err != nil {
			return // no instance left: the clock serves, later perhaps
		}
		w.ev = ev
	}
	d.asking = true
	go w.ask(d, w.ev)
}

// ask is the part of watchDir that may block.
func (w *Watcher) ask(d *dir, ev events) {
	_, poll, err := fsys.FileSystem(d.path)
	watched := err == nil && !poll && ev.Add(d.path) == nil
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	d.asking, d.tried = false, now
	d.polled = err == nil && poll
	came := d.missing && err == nil
	if d.missing = errors.Is(err, fs.ErrNotExist); came && !watched {
		w.wakeDir(d, "", now)
		w.planDir(d, now) // it has no events: the clock serves
	}
	switch present := w.dirs[d.path]; {
	case !watched:
	case w.ev != ev || present == nil:
		_ = ev.Remove(d.path) // nobody wants it any more
	case present != d: // wanted again meanwhile: the watch is that one's now
	default:
		d.watched = true
		w.wakeDir(d, "", now) // what happened before is seen now
	}
	w.nudge()
}

func (w *Watcher) unwatchDir(d *dir) {
	if d.watched && w.ev != nil {
		_ = w.ev.Remove(d.path)
	}
	d.watched = false
}

// retryDirs asks again for folders without events. It gives the time of the
// next try, zero for none.
func (w *Watcher) retryDirs(now time.Time) (next time.Time) {
	for _, d := range w.dirs {
		if d.watched || d.polled || d.asking {
			continue
		}
		w.watchDir(d, now)
		if t := d.tried.Add(retry); !d.asking && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	return next
}

// planDir gives those who wait for the folder itself their next look by the clock.
func (w *Watcher) planDir(d *dir, now time.Time) {
	for s := range w.subs {
		if s.dir == d && s.pace == folder {
			w.plan(s, now)
		}
	}
}

// wakeDir wakes those who wait for name in d; "" is everybody.
func (w *Watcher) wakeDir(d *dir, name string, now time.Time) {
	for s := range w.subs {
		if s.dir == d && (name == "" || s.name == "" || s.name == name) {
			s.wake(now)
		}
	}
}
