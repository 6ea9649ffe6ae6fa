package taskdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"offstage/internal/fsys"
)

// roomBytes is the room kept for exit.json: a few dozen survivors fit.
const roomBytes = 4096

// Prepare writes all that stands in the folder before anything runs: the record,
// the environment, the empty output, and room for the end. Nothing of it waits
// for the disk; Settle does.
func (d Dir) Prepare(r Record, env []string) error {
	r.Version, r.ID = Version, d.ID()
	for _, e := range env {
		if strings.IndexByte(e, 0) >= 0 {
			return errors.New("write the environment: an entry holds a NUL byte")
		}
	}
	if err := d.replace(recordFile, r); err != nil {
		return err
	}
	if err := fsys.Replace(d.file(envFile), []byte(strings.Join(env, "\x00"))); err != nil {
		return err
	}
	out, err := fsys.CreateAppend(d.Output())
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("create %s: %w", d.Output(), err)
	}
	return fsys.Reserve(d.file(roomFile), roomBytes)
}

// Settle waits until what was written before the start would outlive a power cut.
func (d Dir) Settle() error {
	return fsys.Sync(d.file(recordFile), d.file(envFile), d.file(startedFile), d.file(roomFile))
}

// WriteStarted replaces started.json.
func (d Dir) WriteStarted(s Started) error {
	s.Version = Version
	return d.replace(startedFile, s)
}

// WriteStop replaces stop.json.
func (d Dir) WriteStop(s StopMark) error {
	s.Version = Version
	return d.replace(stopFile, s)
}

// ClearStop takes stop.json back: the stop ended nothing.
func (d Dir) ClearStop() error {
	if err := os.Remove(d.file(stopFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take back the stop of task %s: %w", d.ID(), err)
	}
	return nil
}

// WriteGuard replaces guard.json.
func (d Dir) WriteGuard(g Guard) error {
	g.Version = Version
	return d.replace(guardFile, g)
}

// WriteExit writes exit.json so that it lasts: into the room that was kept for
// it, synced, renamed, the folder synced. It does so on a full disk too.
func (d Dir) WriteExit(e Exit) error {
	e.Version = Version
	b, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write exit.json: %w", err)
	}
	err = fsys.Fill(d.file(roomFile), d.file(exitFile), b)
	if err == nil {
		return nil
	}
	if err := fsys.WriteAtomic(d.file(exitFile), b); err != nil {
		return fmt.Errorf("write how the task ended: %w", err)
	}
	_ = os.Remove(d.file(roomFile)) // its bytes may be half written; no reader looks at it
	return nil
}

// HasExit says whether the end is written.
func (d Dir) HasExit() bool {
	_, err := os.Lstat(d.file(exitFile))
	return err == nil
}

func (d Dir) replace(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return fsys.Replace(d.file(name), b)
}
