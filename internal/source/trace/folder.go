package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"offstage/internal/fsys"
	"offstage/internal/world"
)

// Folder is an agent's own folder. Every path given to it is relative, with
// slashes, and stays inside: a link that leads out is an error, a link inside is
// followed (by the system's own walk, so that no swap in between helps).
type Folder struct {
	recorded string
	real     string
	root     *os.Root
}

// OpenFolder opens the folder at the recorded path; it may be a link itself, as
// people keep their settings elsewhere. fs.ErrNotExist where there is none.
func OpenFolder(w *world.World, recorded string) (*Folder, error) {
	real := w.Path(recorded)
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open the folder %s: %w", recorded, err)
	}
	return &Folder{recorded: path.Clean(recorded), real: real, root: root}, nil
}

// Close frees the folder.
func (f *Folder) Close() { _ = f.root.Close() }

// Real is where rel is on this machine; Recorded is what its agent calls it.
func (f *Folder) Real(rel string) string { return path.Join(f.real, rel) }

// Recorded is the path of rel as the agent would write it.
func (f *Folder) Recorded(rel string) string { return path.Join(f.recorded, rel) }

// Rel is the path in this folder of a recorded path; false for one outside.
func (f *Folder) Rel(recorded string) (string, bool) {
	rel, ok := strings.CutPrefix(path.Clean(recorded), f.recorded+"/")
	return rel, ok
}

// Open opens a regular file for reading. It never blocks: a named pipe, a socket
// or a device is refused (fsys.ErrNotRegular).
func (f *Folder) Open(rel string) (*os.File, fs.FileInfo, error) {
	file, err := f.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, refusal(rel, err)
	}
	st, err := file.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = &fsys.PathError{Path: rel, Err: fsys.ErrNotRegular}
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, st, nil
}

// refusal names a link that leads out for what it is, and a socket.
func refusal(rel string, err error) error {
	if strings.Contains(err.Error(), "path escapes from parent") {
		return &fsys.PathError{Path: rel, What: "leads out of the folder", Err: fsys.ErrOutside}
	}
	if errors.Is(err, syscall.ENXIO) {
		return &fsys.PathError{Path: rel, What: "is a socket or a device", Err: fsys.ErrNotRegular}
	}
	return err
}

// ErrTooLarge: a file that should be small is not, and was not read.
var ErrTooLarge = errors.New("larger than any record of its kind")

// Read reads a whole file of at most limit bytes.
func (f *Folder) Read(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	file, st, err := f.Open(rel)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	if st.Size() > limit {
		return nil, st, fmt.Errorf("read %s: %w", rel, ErrTooLarge)
	}
	b, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("read %s: %w", rel, ErrTooLarge)
	}
	return b, st, err
}

// smallRecord bounds a record file: the largest met is 4 kB.
const smallRecord = 1 << 20

// ErrNotJSON: the file holds no whole JSON value; its writer may be at it.
var ErrNotJSON = errors.New("no whole JSON value")

// JSON reads a small record file into a struct, leniently.
func (f *Folder) JSON(rel string, into any) (fs.FileInfo, error) {
	b, st, err := f.Read(rel, smallRecord)
	if err != nil {
		return st, err
	}
	if !Decode(b, into) {
		return st, fmt.Errorf("read %s: %w", rel, ErrNotJSON)
	}
	return st, nil
}

// maxNames bounds one listing: nobody has so many sessions in one folder.
const maxNames = 200_000

// List gives the names in a folder, in no order; nil where there is none.
func (f *Folder) List(rel string) []fs.DirEntry {
	dir, err := f.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	list, _ := dir.ReadDir(maxNames) // what could be read before an error counts
	return list
}

// Stat looks at a path, a link itself; it opens nothing, so it may look at what a
// link on the way leads to, but tells no more than a size and a time of it.
func (f *Folder) Stat(rel string) (fs.FileInfo, error) { return os.Lstat(f.Real(rel)) }

// Holds says that rel is a regular file inside the folder, no link on the way
// leading out: only then may its path be handed on as a task's output.
func (f *Folder) Holds(rel string) (fs.FileInfo, bool) {
	st, err := f.root.Lstat(rel)
	return st, err == nil && st.Mode().IsRegular()
}

// SafeName says that a name taken from a record may be a part of a path.
func SafeName(name string) bool {
	return name != "" && len(name) <= 255 && name[0] != '.' && !strings.ContainsAny(name, "/\\\x00")
}
