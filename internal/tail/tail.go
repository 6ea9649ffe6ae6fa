// Package tail is a growing file as bytes: which file it is, how long it is,
// what happened to it (growth, truncation, replacement, removal), and its bytes
// by pread, never by mmap: a file that is cut under a mapping kills a Go program.
//
// It knows nothing of rows, tests or secrets, and never writes. output reads
// task output through it, sources fold transcripts with Lines.
package tail

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/watch"
	"offstage/internal/world"
)

var (
	// ErrClosed: the file was closed by its holder.
	ErrClosed = errors.New("the file was closed")
	// The refusals of Open, as fsys names them.
	ErrNotRegular = fsys.ErrNotRegular
	ErrSymlink    = fsys.ErrSymlink
	ErrOutside    = fsys.ErrOutside
	// ErrReplaced: another file took the place during the read: read again.
	ErrReplaced = errors.New("the file was replaced while it was read")
)

// Options of Open.
type Options struct {
	// Within is the folder that the target of a link at the path must lie in; ""
	// refuses every link (O3). It is a recorded path, as path is.
	Within string
	// Watch is the clock for Wake; nil is the program's own.
	Watch *watch.Watcher
	// Blocks bounds the cache of 256 KiB blocks behind ReadAt; 0 is 8 (2 MiB).
	Blocks int
}

// File is one path that is followed. It is safe for concurrent use.
type File struct {
	path   string // on this machine
	within string
	o      Options

	mu    sync.RWMutex
	f     *os.File
	st    fsys.Stat // of the open file at the last Poll
	id    fsys.ID
	head  []byte // first bytes
	seam  []byte // last bytes
	gen   int
	gone  bool
	young bool // written so lately that its time may not tell of a next write
	// drained counts the looks that put off a file at the path, for this one grew.
	drained int
	cache   cache

	lineMu  sync.Mutex
	partial partial
	skipped int

	fmu    sync.Mutex
	follow *watch.Follower
	off    bool // closed: never on the clock again
}

// Open opens the file at the recorded path for following: a regular file, never
// blocking, never through a link unless o.Within allows its target. Errors wrap
// fs.ErrNotExist, fs.ErrPermission or a sentinel of fsys.
func Open(w *world.World, path string, o Options) (*File, error) {
	t := &File{o: o, path: w.LinkPath(path)}
	if o.Within != "" {
		t.within = w.Path(o.Within)
		if target := w.Path(path); w.Recorded() && target != t.path {
			// Under a root the world followed the link, and re-rooted it on the way.
			if !fsys.Inside(target, t.within) {
				return nil, &fsys.PathError{Path: path, What: "points to " + w.Recover(target), Err: fsys.ErrOutside}
			}
			t.path = target
		}
	}
	if o.Blocks <= 0 {
		t.o.Blocks = 8
	}
	f, st, err := t.open()
	if err != nil {
		return nil, err
	}
	t.adopt(f, st)
	return t, nil
}

// open opens what is at the path now.
func (t *File) open() (*os.File, fsys.Stat, error) {
	var f *os.File
	var err error
	if t.within != "" {
		f, err = fsys.OpenLink(t.path, t.within)
	} else {
		f, err = fsys.Open(t.path)
	}
	if err != nil {
		return nil, fsys.Stat{}, err
	}
	st, err := fsys.Fstat(f)
	if err != nil {
		_ = f.Close()
		return nil, st, err
	}
	return f, st, nil
}

// adopt makes f the file that is read.
func (t *File) adopt(f *os.File, st fsys.Stat) {
	t.f, t.st = f, st
	t.id = st.ID
	if id, err := fsys.Identify(f); err == nil {
		t.id = id
	}
	t.head, t.seam = readHead(f, st.Size), readSeam(f, st.Size)
	t.cache = newCache(t.o.Blocks)
	t.drained, t.gone, t.young = 0, false, true
}

// Path is where the file is on this machine.
func (t *File) Path() string { return t.path }

// Size at the last Poll, or Open.
func (t *File) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.st.Size
}

// ModTime at the last Poll: the file's own time of its last write.
func (t *File) ModTime() time.Time {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.st.ModTime
}

// Gen counts truncations and replacements; offsets of an older generation mean
// nothing.
func (t *File) Gen() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.gen
}

// ReadAt reads through a small cache of blocks, for places that are read again.
// It ends with io.EOF at the end of the file as io.ReaderAt says. A file that
// was cut in the meantime gives what is left; the next Poll tells.
func (t *File) ReadAt(p []byte, off int64) (int, error) {
	t.mu.RLock()
	f, c, size := t.f, t.cache, t.st.Size // a cache goes with its file: a replacement brings another
	t.mu.RUnlock()
	if f == nil {
		return 0, ErrClosed
	}
	if off < 0 {
		return 0, fmt.Errorf("read %s: negative offset", t.path)
	}
	n := 0
	for n < len(p) {
		at := off + int64(n)
		got, err := c.read(f, p[n:], at, size)
		n += got
		if err != nil {
			return n, t.readErr(err)
		}
		if got == 0 {
			return n, io.EOF
		}
	}
	return n, nil
}

// ReadThrough reads without the cache, for a pass over many bytes.
func (t *File) ReadThrough(p []byte, off int64) (int, error) {
	t.mu.RLock()
	f := t.f
	t.mu.RUnlock()
	if f == nil {
		return 0, ErrClosed
	}
	n, err := f.ReadAt(p, off)
	return n, t.readErr(err)
}

func (t *File) readErr(err error) error {
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return err
	case errors.Is(err, os.ErrClosed):
		t.mu.RLock()
		defer t.mu.RUnlock()
		if t.f != nil {
			return ErrReplaced
		}
		return ErrClosed
	}
	return fmt.Errorf("read %s: %w", t.path, err)
}

// NextData is the first offset at or after off that is not in a hole of the
// file, at most Size; off itself where the file system does not tell.
func (t *File) NextData(off int64) (int64, error) { return t.seek(off, fsys.NextData) }

// NextHole is the first offset at or after off where a hole starts, or the end.
func (t *File) NextHole(off int64) (int64, error) { return t.seek(off, fsys.NextHole) }

func (t *File) seek(off int64, fn func(*os.File, int64) (int64, error)) (int64, error) {
	t.mu.RLock()
	f, size := t.f, t.st.Size
	t.mu.RUnlock()
	if f == nil {
		return 0, ErrClosed
	}
	if off >= size {
		return size, nil
	}
	at, err := fn(f, off)
	if err != nil {
		return 0, t.readErr(err)
	}
	return min(at, size), nil
}

// Close frees the file; reads under way end with ErrClosed.
func (t *File) Close() error {
	t.fmu.Lock()
	t.off = true
	if t.follow != nil {
		t.follow.Close()
	}
	t.fmu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.f
	t.f = nil
	if f == nil {
		return nil
	}
	return f.Close()
}
