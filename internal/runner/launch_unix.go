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

// goAhead is a line to it: that all is ready, then that it may go on.
type goAhead struct {
	Ready bool   `json:"ready,omitempty"`
	Scope string `json:"scope,omitempty"`
}

// launch starts the supervisor of d, does what is to be done meanwhile (to come up
// takes it most of the time), gives it the word, and waits until the command runs.
func (s *Spec) launch(ctx context.Context, w *world.World, d taskdir.Dir, meanwhile func()) (Started, error) {
	fail := func(err error) (Started, error) {
		_ = taskdir.Remove(d)
		return Started{}, fmt.Errorf("start the supervisor: %w", err)
	}
	program := s.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return fail(err)
		}
	}
	tell, tellW, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	defer func() { _ = tell.Close() }()
	goR, goW, err := os.Pipe()
	if err != nil {
		_ = tellW.Close()
		return fail(err)
	}
	defer func() { _ = goW.Close() }()
	argv := append([]string{"sh", "-c", detach, program}, s.Args...)
	sh, err := detached(append(argv, Verb, string(d)), supervisorEnv(s.Env, w.Home(), d.ID()), tellW, goR)
	_, _ = tellW.Close(), goR.Close()
	if err != nil {
		return fail(err)
	}
	meanwhile()
	send(goW, goAhead{Ready: true})
	_, _ = sh.Wait() // it ended long ago; the supervisor tells what went wrong
	until := w.Now().Add(launchPatience)
	if at, ok := ctx.Deadline(); ok && at.Before(until) {
		until = at
	}
	_ = tell.SetReadDeadline(until)
	return s.listen(ctx, d, bufio.NewReader(tell), goW)
}

// detached runs argv under sh with the two pipes, in a session of its own; sh
// ends at once and is to be reaped.
func detached(argv, env []string, tell, goAhead *os.File) (*os.Process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = null.Close() }()
	return os.StartProcess("/bin/sh", argv, &os.ProcAttr{
		Dir: "/", Env: env, Files: []*os.File{null, null, null, tell, goAhead}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
}

// send writes a line to the supervisor; where that ended, its silence is heard.
func send(to *os.File, word goAhead) {
	if b, err := json.Marshal(word); err == nil {
		_, _ = to.Write(append(b, '\n'))
	}
}

// listen hears the supervisor out.
func (s *Spec) listen(ctx context.Context, d taskdir.Dir, from *bufio.Reader, to *os.File) (Started, error) {
	here, err := hear(from)
	if err != nil || here.Error != "" {
		return Started{}, here.refusal(d, err)
	}
	scope := enterScope(ctx, s.Env, d.ID(), here.Here)
	send(to, goAhead{Scope: scope}) // it goes ahead without, too
	_ = to.Close()
	t, err := hear(from)
	if err != nil || t.Error != "" {
		return Started{}, t.refusal(d, err)
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

// refusal is why the supervisor did not start, or that it fell silent with err.
func (t told) refusal(d taskdir.Dir, err error) error {
	if err != nil {
		return silent(d, err)
	}
	return &startError{t.Error, kinds[t.Kind]}
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
