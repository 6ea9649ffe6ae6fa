//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// undoTime bounds the undo command of a stopped task (K5).
const undoTime = 10 * time.Second

// undoing is an undo command that runs.
type undoing struct {
	pid   int
	timer *time.Timer
	after string // what went wrong with it
}

// late is the channel on which its time is over; nil, which nobody ever hears,
// while none runs.
func (u *undoing) late() <-chan time.Time {
	if u == nil {
		return nil
	}
	return u.timer.C
}

// startUndo runs the undo command in the task's folder and environment, its
// output behind the task's own.
func (s *supervisor) startUndo() {
	pid, err := s.spawnUndo()
	if err != nil {
		s.exit.Undo = &taskdir.Undo{Error: "The undo command could not be started: " + cause(err) + "."}
		s.writeExit()
		s.conclude()
		return
	}
	s.undo = &undoing{pid: pid, timer: time.NewTimer(undoTime)}
}

func (s *supervisor) spawnUndo() (int, error) {
	env, err := taskdir.ReadEnvironment(s.dir)
	if err != nil {
		return 0, err
	}
	out, err := fsys.OpenAppend(s.dir.Output())
	if err != nil {
		return 0, err
	}
	defer func() { _ = out.Close() }()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer func() { _ = null.Close() }()
	attr := &syscall.ProcAttr{Dir: s.rec.Cwd, Env: childEnv(env, s.dir.ID(), false), Files: []uintptr{null.Fd(), out.Fd(), out.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true}}
	return s.reap.start(func() (int, error) { return syscall.ForkExec(shell, []string{"sh", "-c", s.rec.Undo}, attr) })
}

// undoLate ends an undo command that takes too long.
func (s *supervisor) undoLate() {
	s.undo.after = fmt.Sprintf("The undo command was ended after %d s.", int(undoTime.Seconds()))
	o := s.own()
	o.Leader = proc.ID{}
	if id, err := proc.Identify(s.undo.pid); err == nil {
		o.Leader = id
	}
	_, _ = proc.StopOwn(context.Background(), s.w, o, proc.OwnOptions{Now: true}) // its death is news of its own
	s.reaped()
}

func (s *supervisor) undoEnded(d death) {
	e := exitOf(d.status)
	s.exit.Undo = &taskdir.Undo{Code: e.Code, Error: s.undo.after}
	if s.exit.Undo.Error == "" && e.Signal != "" {
		s.exit.Undo.Error = "The undo command was ended by " + e.Signal + "."
	}
	s.undo.timer.Stop()
	s.undo = nil
	s.writeExit()
	s.conclude()
}
