package taskdir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"offstage/internal/fsys"
)

// Dir is the path of one task's folder; its last part is the task's native id.
type Dir string

// The names in a folder.
const (
	recordFile  = "task.json"
	envFile     = "environment"
	outputFile  = "output"
	roomFile    = "exit.room"
	startedFile = "started.json"
	controlFile = "control.sock"
	stopFile    = "stop.json"
	guardFile   = "guard.json"
	exitFile    = "exit.json"
)

// Root is the folder that holds all task folders of a state folder.
func Root(state string) string { return filepath.Join(state, "tasks") }

// ID is the task's native id, such as "t-0k4m9x2q".
func (d Dir) ID() string { return filepath.Base(string(d)) }

// Output is the path of what the task writes.
func (d Dir) Output() string { return d.file(outputFile) }

func (d Dir) file(name string) string { return filepath.Join(string(d), name) }

const (
	idPrefix = "t-"
	idChars  = "0123456789abcdefghijklmnopqrstuvwxyz"
	idLen    = 8
)

// ValidID says whether name is the name of a task's folder.
func ValidID(name string) bool {
	rest, ok := strings.CutPrefix(name, idPrefix)
	return ok && len(rest) == idLen && strings.Trim(rest, idChars) == ""
}

// newID draws an id: 36^8 of them, so two of one machine hardly ever meet, and
// Create draws again where they do.
func newID() string {
	b := make([]byte, idLen)
	_, _ = rand.Read(b) // never fails since Go 1.24
	for i, c := range b {
		b[i] = idChars[int(c)%len(idChars)]
	}
	return idPrefix + string(b)
}

// Create makes a new empty folder for a task below state, both private. The
// error says which folder could not be made.
func Create(state string) (Dir, error) {
	root := Root(state)
	if err := fsys.MkdirPrivate(root); err != nil {
		return "", err
	}
	for tries := 0; ; tries++ {
		d := Dir(filepath.Join(root, newID()))
		err := os.Mkdir(string(d), 0o700)
		if err == nil {
			return d, nil
		}
		if tries == 20 || !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("make folder %s: %w", d, err)
		}
	}
}

// At is the folder of the task with the native id below state; it may be missing.
// ErrNoTask where id is none of ours.
func At(state, id string) (Dir, error) {
	if !ValidID(id) {
		return "", fmt.Errorf("%q: %w", id, ErrNoTask)
	}
	return Dir(filepath.Join(Root(state), id)), nil
}

// ErrNoTask: there is no task of our own with that id.
var ErrNoTask = errors.New("no task of our own has this id")

// maxFolders bounds a listing; the sweeper removes folders long before.
const maxFolders = 100_000

// List are the folders of all tasks below state, in no order. A state folder
// without tasks is an empty list.
func List(state string) ([]Dir, error) {
	root := Root(state)
	f, err := os.Open(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the tasks in %s: %w", root, err)
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(maxFolders)
	if err != nil && len(names) == 0 {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, fmt.Errorf("list the tasks in %s: %w", root, err)
	}
	var out []Dir
	for _, n := range names {
		if ValidID(n) {
			out = append(out, Dir(filepath.Join(root, n)))
		}
	}
	return out, nil
}

// Remove takes the folder away with all that is in it. Whether that may be done
// is for the caller to know (R6).
func Remove(d Dir) error {
	if !ValidID(d.ID()) {
		return fmt.Errorf("remove %s: %w", d, ErrNoTask)
	}
	if err := os.RemoveAll(string(d)); err != nil {
		return fmt.Errorf("remove the folder of task %s: %w", d.ID(), err)
	}
	return nil
}
