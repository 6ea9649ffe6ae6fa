package tail

import (
	"errors"
	"io/fs"

	"offstage/internal/fsys"
	"offstage/internal/watch"
)

// Pace is how often the clock looks at a file: see watch.
type Pace = watch.Pace

// The paces, for callers that know no clock.
const (
	Focused = watch.Focused
	Running = watch.Running
	Ended   = watch.Ended
)

// Event is what a look at the file found since the last look.
type Event struct {
	// Grew: there are new bytes behind the old size.
	Grew bool
	// Touched: its time changed and its size did not.
	Touched bool
	// Truncated: the same file was cut, or cut and written anew. Replaced: another
	// file has the path, and is open now. Both start a new generation.
	Truncated, Replaced bool
	// Gone: nothing is at the path, or nothing that may be opened; the file that
	// was open can still be read.
	Gone bool
	// Size is the size now.
	Size int64
	// Err is why the path, or the open file, cannot be looked at (other than that
	// nothing is there).
	Err error
}

// Changed says whether the event is worth a reader's attention.
func (e Event) Changed() bool { return e.Grew || e.Touched || e.Truncated || e.Replaced }

// Poll looks at the file and at its path. It costs two stats, and a read of the
// first 1 KiB when something changed. A file that was renamed away is read to
// its end first: one Poll reports its last growth, the next the replacement.
func (t *File) Poll() Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.f == nil {
		return Event{Err: ErrClosed}
	}
	e := t.pollOpen()
	if e.Err == nil && !e.Truncated {
		t.pollPath(&e)
	}
	e.Size, e.Gone = t.st.Size, t.gone
	if e.Changed() {
		t.touchClock()
	}
	return e
}

// pollOpen looks at the open file.
func (t *File) pollOpen() Event {
	st, err := fsys.Fstat(t.f)
	if err != nil {
		return Event{Err: err}
	}
	old := t.st
	if st.Size == old.Size && st.ModTime.Equal(old.ModTime) {
		t.st = st
		return Event{}
	}
	t.st = st
	if st.Size < old.Size || t.headChanged(st.Size) {
		t.gen++
		t.head = readHead(t.f, st.Size)
		t.cache.clear()
		return Event{Truncated: true}
	}
	if st.Size == old.Size { // written in place, or only touched
		t.cache.clear()
		return Event{Touched: true}
	}
	return Event{Grew: true}
}

// pollPath looks at what has the path now.
func (t *File) pollPath(e *Event) {
	st, err := t.statPath()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.gone = true
		return
	case err != nil:
		e.Err = err
		return
	case st.ID.Dev == t.id.Dev && st.ID.Ino == t.id.Ino:
		t.gone, t.moved = false, false
		return
	}
	if !t.moved && e.Grew { // drain the old file first
		t.moved = true
		return
	}
	f, fst, err := t.open()
	if err != nil {
		t.gone = true
		if !errors.Is(err, fs.ErrNotExist) {
			e.Err = err
		}
		return
	}
	_ = t.f.Close()
	t.gen++
	t.adopt(f, fst)
	e.Replaced, e.Grew = true, false
}

func (t *File) statPath() (fsys.Stat, error) {
	if t.within != "" {
		return fsys.StatTarget(t.path)
	}
	return fsys.Lstat(t.path)
}

// Wake gives a channel that says "Poll now": on the clock of the pace, and
// earlier on events. The first call puts the file on the clock.
func (t *File) Wake(p Pace) <-chan struct{} {
	t.fmu.Lock()
	defer t.fmu.Unlock()
	if t.follow == nil {
		w := t.o.Watch
		if w == nil {
			w = watch.Shared()
		}
		path := t.path
		if t.within != "" {
			if target, err := fsys.Resolve(path, t.within); err == nil {
				path = target
			}
		}
		t.follow = w.Follow(path, p)
	} else {
		t.follow.SetPace(p)
	}
	return t.follow.C
}

// touchClock tells the clock that the file lives.
func (t *File) touchClock() {
	t.fmu.Lock()
	defer t.fmu.Unlock()
	if t.follow != nil {
		t.follow.Grew()
	}
}
