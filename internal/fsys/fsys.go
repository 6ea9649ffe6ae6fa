// Package fsys is the house's way to touch files that others may have put in
// place: open for reading without ever blocking or following a link, tell one
// file from another, skip holes, know the file system and its free space, and
// write files of our own so that nobody else reads them and no reader sees half.
//
// It knows nothing of tasks, keeps nothing open by itself and never deletes
// what it did not make. tail, watch, taskdir, store and runner call it.
package fsys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Reasons to refuse a path. Every error of Open and OpenLink that is a refusal
// wraps one of them and names what stands there.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrSymlink    = errors.New("a symbolic link, which is not followed")
	ErrOutside    = errors.New("a link that points outside its agent's folder, which is not opened")
	// ErrUnsupported: this system or file system has no such operation.
	ErrUnsupported = errors.New("not supported on this file system")
)

// ID tells one file from another on one machine as long as the file exists.
// Birth is the creation time in nanoseconds since 1970, 0 where it is unknown.
type ID struct {
	Dev, Ino uint64
	Birth    int64
}

// Same says whether two ids name one file; an unknown birth time is no contrast.
func (a ID) Same(b ID) bool {
	return a.Dev == b.Dev && a.Ino == b.Ino && (a.Birth == b.Birth || a.Birth == 0 || b.Birth == 0)
}

// Stat is what the clock needs of a file: cheap to take, comparable. The ID has
// no birth time; Identify adds it.
type Stat struct {
	ID      ID
	Size    int64
	ModTime time.Time
	Mode    fs.FileMode
	// Blocks is the space in use in bytes, -1 where it is not told.
	Blocks int64
}

// Open opens a regular file for reading and nothing else: it neither blocks on
// a named pipe nor follows a link as the last part of the path.
func Open(path string) (*os.File, error) {
	f, err := openRaw(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("look at %s: %w", path, err)
	}
	if err := refuse(path, st.Mode()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// OpenLink is Open for the one link that is allowed: an agent's own link to its
// transcript. The target, every link on the way resolved, must lie inside the
// folder within. A path that is no link is opened as Open does.
func OpenLink(path, within string) (*os.File, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", path, err)
	}
	if st.Mode()&fs.ModeSymlink == 0 {
		return Open(path)
	}
	target, err := Resolve(path, within)
	if err != nil {
		return nil, err
	}
	return Open(target)
}

// Resolve is where the link at path leads if that is inside the folder within,
// else ErrOutside.
func Resolve(path, within string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("follow %s: %w", path, err)
	}
	base, err := filepath.EvalSymlinks(within)
	if err != nil {
		return "", fmt.Errorf("follow %s: %w", within, err)
	}
	if !Inside(target, base) {
		return "", &PathError{Path: path, What: "points to " + target, Err: ErrOutside}
	}
	return target, nil
}

// Inside says whether path lies in the folder dir or is it; both clean and
// without links.
func Inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// PathError is a refusal: what stands at Path, and the sentinel for callers.
type PathError struct {
	Path, What string
	Err        error
}

func (e *PathError) Error() string {
	if e.What == "" {
		return "open " + e.Path + ": it is " + e.Err.Error()
	}
	return "open " + e.Path + ": it " + e.What + " and is " + e.Err.Error()
}

// Unwrap gives the sentinel.
func (e *PathError) Unwrap() error { return e.Err }

// refuse is nil for a regular file.
func refuse(path string, m fs.FileMode) error {
	switch {
	case m.IsRegular():
		return nil
	case m&fs.ModeSymlink != 0:
		return &PathError{Path: path, Err: ErrSymlink}
	}
	return &PathError{Path: path, What: "is " + kindWord(m), Err: ErrNotRegular}
}

// kindWord names what a mode stands for: "a folder", "a named pipe" …
func kindWord(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}
