package tail

import (
	"bytes"
	"errors"
	"io/fs"
	"time"

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
// its end first: the replacement is reported by the first Poll that finds no more
// growth of the old file, or has put it off maxDrain times.
func (t *File) Poll() Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.f == nil {
		return Event{Err: ErrClosed}
	}
	e := t.pollOpen()
	if e.Err != nil {
		e = t.reopen(e.Err)
	}
	if e.Err == nil && !e.Replaced && !e.Truncated {
		t.pollPath(&e)
	}
	e.Size, e.Gone = t.st.Size, t.gone
	if e.Changed() {
		t.touchClock()
	}
	return e
}

// reopen is for a handle that went bad, as where a file server forgot it: what
// has the path now is opened in its place, the same file or another one.
func (t *File) reopen(bad error) Event {
	f, st, err := t.open()
	if err != nil {
		t.gone = errors.Is(err, fs.ErrNotExist)
		return Event{Err: bad}
	}
	_ = t.f.Close()
	if st.ID.Dev == t.id.Dev && st.ID.Ino == t.id.Ino {
		t.f = f
		return t.pollOpen()
	}
	t.gen++
	t.adopt(f, st)
	return Event{Replaced: true}
}

// maxDrain bounds how often a file that is no longer at the path holds up the one
// that is: a writer that was never told to reopen its log would do so for ever.
const maxDrain = 32

// racy is how young the time of a last write may be for another write to have the
// same one: clocks of file systems tick every 10 ms at most, some every 2 s (FAT),
// which is more than a second look is worth.
const racy = 50 * time.Millisecond

// steady is how often a look is taken again because the file changed under it.
const steady = 3

// pollOpen looks at the open file. Size, head and seam must be of one moment: a
// file that was cut and has grown past its old size between two of these reads
// would pass for one that only grew.
func (t *File) pollOpen() Event {
	for tries := 1; ; tries++ {
		st, err := fsys.Fstat(t.f)
		if err != nil {
			return Event{Err: err}
		}
		if st.Size == t.st.Size && st.ModTime.Equal(t.st.ModTime) && !t.young {
			return Event{}
		}
		age := time.Since(st.ModTime)
		t.young = age > -racy && age < racy
		cut := st.Size < t.st.Size || !bytes.Equal(readSeam(t.f, t.st.Size), t.seam)
		head, seam := readHead(t.f, st.Size), readSeam(t.f, st.Size)
		cut = cut || !bytes.HasPrefix(head, t.head)
		if now, err := fsys.Fstat(t.f); err == nil && tries < steady && (now.Size != st.Size || !now.ModTime.Equal(st.ModTime)) {
			continue
		}
		return t.settle(st, head, seam, cut)
	}
}

// settle takes a look in and says what it is.
func (t *File) settle(st fsys.Stat, head, seam []byte, cut bool) Event {
	grew := st.Size > t.st.Size
	same := !grew && st.ModTime.Equal(t.st.ModTime)
	t.st, t.head, t.seam = st, head, seam
	switch {
	case cut:
		t.gen++
		t.cache.clear()
		return Event{Truncated: true}
	case grew:
		return Event{Grew: true}
	case same: // a second look at a young file
		return Event{}
	}
	t.cache.clear() // written in place, or only touched
	return Event{Touched: true}
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
		t.gone, t.drained = false, 0
		return
	}
	if !e.Grew { // what its writer said between the two looks is older than the new file
		if last := t.pollOpen(); last.Err == nil && last.Changed() {
			*e = last
		}
	}
	if (e.Grew || e.Truncated) && t.drained < maxDrain { // its writer still has last words
		t.drained++
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
// earlier on events. The first call puts the file on the clock; nil once it was
// closed.
func (t *File) Wake(p Pace) <-chan struct{} {
	t.fmu.Lock()
	defer t.fmu.Unlock()
	if t.off {
		return nil
	}
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
