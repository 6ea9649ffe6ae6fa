//go:build unix

package runner

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// detach is run by sh: it starts its arguments in the background and ends, so
// that the supervisor is nobody's child who could end it with all of his.
const detach = `"$0" "$@" &`

// launchPatience is how long a supervisor may take to say that the command runs;
// a machine that swaps takes seconds.
const launchPatience = 20 * time.Second

// Descriptors of a supervisor: it tells its starter through the first, and is
// told to go through the second.
const (
	tellFD = 3
	goFD   = 4
)

// told is one line from a supervisor: that it is there, then how the start went.
type told struct {
	// Here is its pid, in the first line.
	Here int `json:"here,omitempty"`
	// PID and At of the command, in the second; or Error, a sentence, and Kind.
	PID   int       `json:"pid,omitempty"`
	At    time.Time `json:"at,omitzero"`
	Error string    `json:"error,omitempty"`
	Kind  string    `json:"kind,omitempty"`
}

// goAhead is the line to it.
type goAhead struct {
	Scope string `json:"scope,omitempty"`
}

// launch starts the supervisor of d and waits until the command runs.
func (s *Spec) launch(ctx context.Context, w *world.World, d taskdir.Dir) (Started, error) {
	program := s.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return Started{}, fmt.Errorf("find the program to supervise the task: %w", err)
		}
	}
	tell, tellW, err := os.Pipe()
	if err != nil {
		return Started{}, fmt.Errorf("start the supervisor: %w", err)
	}
	defer func() { _ = tell.Close() }()
	goR, goW, err := os.Pipe()
	if err != nil {
		_ = tellW.Close()
		return Started{}, fmt.Errorf("start the supervisor: %w", err)
	}
	defer func() { _ = goW.Close() }()
	argv := append([]string{"sh", "-c", detach, program}, s.Args...)
	err = s.detached(append(argv, Verb, string(d)), supervisorEnv(s.Env, w.Home(), d.ID()), tellW, goR)
	_, _ = tellW.Close(), goR.Close()
	if err != nil {
		return Started{}, err
	}
	until := w.Now().Add(launchPatience)
	if at, ok := ctx.Deadline(); ok && at.Before(until) {
		until = at
	}
	_ = tell.SetReadDeadline(until)
	return s.listen(ctx, d, bufio.NewReader(tell), goW)
}

// detached runs argv under sh with the two pipes, in a session of its own, and
// reaps sh, which ends at once.
func (s *Spec) detached(argv, env []string, tell, goAhead *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("start the supervisor: %w", err)
	}
	defer func() { _ = null.Close() }()
	p, err := os.StartProcess("/bin/sh", argv, &os.ProcAttr{
		Dir: "/", Env: env, Files: []*os.File{null, null, null, tell, goAhead}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("start the supervisor: %w", err)
	}
	if _, err := p.Wait(); err != nil {
		return fmt.Errorf("start the supervisor: %w", err)
	}
	return nil
}

// listen hears the supervisor out.
func (s *Spec) listen(ctx context.Context, d taskdir.Dir, from *bufio.Reader, to *os.File) (Started, error) {
	here, err := hear(from)
	if err != nil {
		return Started{}, silent(d, err)
	}
	scope := enterScope(ctx, s.Env, d.ID(), here.Here)
	if b, err := json.Marshal(goAhead{Scope: scope}); err == nil {
		_, _ = to.Write(append(b, '\n')) // it goes ahead without, too
	}
	_ = to.Close()
	t, err := hear(from)
	switch {
	case err != nil:
		return Started{}, silent(d, err)
	case t.Error != "":
		return Started{}, &startError{t.Error, kinds[t.Kind]}
	}
	out := Started{ID: d.ID(), PID: t.PID, Dir: d, Output: d.Output(), At: t.At}
	st, err := taskdir.ReadStarted(d)
	if err != nil || st == nil {
		return out, nil // it runs; where is the supervisor's record to tell
	}
	out.Scope = st.Scope
	if st.Login != "" && st.Scope == "" {
		out.MayEnd = "It may end with this login: no systemd user manager keeps it."
	}
	return out, nil
}

// kinds names the sentinels on the pipe.
var kinds = map[string]error{"command": ErrNoCommand, "exec": ErrNotExecutable, "folder": ErrNoFolder, "state": ErrState, "full": ErrDiskFull}

func hear(from *bufio.Reader) (told, error) {
	line, err := from.ReadBytes('\n')
	if err != nil {
		return told{}, err
	}
	var t told
	err = json.Unmarshal(line, &t)
	return t, err
}

// silent is for a supervisor that ended or hangs without a word.
func silent(d taskdir.Dir, err error) error {
	if free, _, serr := fsys.Space(string(d)); serr == nil && free == 0 {
		return &startError{"the disk that holds " + string(d) + " is full: free some space, or give --state DIR on another disk", ErrDiskFull}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("start task %s: its supervisor did not answer in time", d.ID())
	}
	return fmt.Errorf("start task %s: its supervisor ended without a word (%w)", d.ID(), err)
}
