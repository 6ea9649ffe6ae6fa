package taskdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"offstage/internal/fsys"
)

// Bounds of what is read: a record of ours is a few hundred bytes, an argument
// list and an environment at most 2 MiB each on Linux.
const (
	maxRecord  = 4 << 20
	maxEnviron = 4 << 20
)

// ErrNewer: a newer version of the program wrote a record; what is understood of
// it is used.
var ErrNewer = errors.New("written by a newer version of Offstage")

// Folder is all that a task's folder says. Pointers are nil for files that are
// not there, or not to be read.
type Folder struct {
	Dir     Dir
	Record  Record
	Started *Started
	Stop    *StopMark
	Guard   *Guard
	Exit    *Exit
	// Output is the file as it stands; a zero size and time where there is none.
	Output fsys.Stat
	// HasRecord is false where task.json is missing or broken.
	HasRecord bool
	// Trouble is one sentence about what could not be read, "" for nothing.
	Trouble string
}

// Read reads a folder. It never fails: what is broken is left out and said.
func Read(d Dir) Folder {
	f := Folder{Dir: d}
	rec, err := read[Record](d, recordFile)
	if rec != nil {
		f.Record, f.HasRecord = *rec, true
		f.Record.ID = d.ID() // the folder's name is the id, whatever stands inside
	}
	if !f.HasRecord && err == nil {
		f.Trouble = "The folder of this task has no record of what was started: it was interrupted while it was made."
	}
	f.note(recordFile, err)
	f.Started, err = read[Started](d, startedFile)
	f.note(startedFile, err)
	f.Stop, err = read[StopMark](d, stopFile)
	f.note(stopFile, err)
	f.Guard, err = read[Guard](d, guardFile)
	f.note(guardFile, err)
	f.Exit, err = read[Exit](d, exitFile)
	f.note(exitFile, err)
	if st, err := fsys.Lstat(d.Output()); err == nil && st.Mode.IsRegular() {
		f.Output = st
	}
	return f
}

// OnDisk is how many bytes of the output are on the disk: fewer than its size
// where the middle was cut out.
func (f Folder) OnDisk() int64 {
	if f.Output.Blocks >= 0 {
		return f.Output.Blocks
	}
	return f.Output.Size
}

// Free is what is left on the disk that holds d, in bytes; 0 where that is not
// known.
func Free(d Dir) int64 {
	free, _, err := fsys.Space(string(d))
	if err != nil {
		return 0
	}
	return int64(min(free, 1<<62))
}

// ExitTime is when exit.json was written, zero while there is none.
func (d Dir) ExitTime() time.Time {
	st, err := os.Lstat(d.file(exitFile))
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// BeingMade says whether f is a folder into which nothing was put yet and that is
// younger than a at now: its starter is at work.
func (f Folder) BeingMade(now time.Time, a time.Duration) bool {
	if f.HasRecord || f.Started != nil || f.Exit != nil || !f.Output.ModTime.IsZero() {
		return false
	}
	st, err := os.Lstat(string(f.Dir))
	return err == nil && now.Sub(st.ModTime()) < a
}

// Exists says whether the folder is there.
func (d Dir) Exists() bool {
	_, err := os.Lstat(string(d))
	return err == nil
}

// ReadExit is how the task ended; nil while it runs.
func ReadExit(d Dir) (*Exit, error) { return read[Exit](d, exitFile) }

// ReadStarted is who supervises and runs the task; nil before it started.
func ReadStarted(d Dir) (*Started, error) { return read[Started](d, startedFile) }

// ReadRecord is what was asked for. ErrNoTask where there is no such folder.
func ReadRecord(d Dir) (Record, error) {
	r, err := read[Record](d, recordFile)
	if r == nil {
		if err == nil {
			err = ErrNoTask
		}
		return Record{}, err
	}
	r.ID = d.ID()
	return *r, nil
}

// ReadEnvironment is the environment in which the task was asked for (K8). It is
// raw and holds secrets.
func ReadEnvironment(d Dir) ([]string, error) {
	b, err := readFile(d.file(envFile), maxEnviron)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	return strings.Split(string(b), "\x00"), nil
}

// note keeps the first thing that is wrong.
func (f *Folder) note(name string, err error) {
	switch {
	case err == nil || f.Trouble != "":
	case errors.Is(err, ErrNewer):
		f.Trouble = "A newer version of Offstage runs this task: what this version understands of it is shown."
	default:
		f.Trouble = name + " of this task cannot be read (" + cause(err) + "): what else is known of it is shown."
	}
}

func cause(err error) string {
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.Is(err, errBroken):
		err = errBroken
	}
	return printable(err.Error())
}

var errBroken = errors.New("it is no record")

// read is one record; nil without an error where there is none. With ErrNewer
// the record is there too.
func read[T any](d Dir, name string) (*T, error) {
	b, err := readFile(d.file(name), maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil || head.Version < 1 {
		return nil, fmt.Errorf("read %s: %w", name, errBroken)
	}
	v := new(T)
	err = json.Unmarshal(b, v)
	switch {
	case head.Version > Version && err != nil:
		return nil, ErrNewer
	case head.Version > Version:
		return v, ErrNewer
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, errBroken)
	}
	return v, nil
}

// readFile reads a small regular file; a link, a pipe or a larger file is refused.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("read %s: %w", path, errBroken)
	}
	return b, err
}

// printable keeps a sentence free of what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}
