//go:build unix

package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// shell runs command lines.
const shell = "/bin/sh"

// startCommand starts what was asked for, in a session of its own, its output
// straight into the file or through a terminal.
func (s *supervisor) startCommand() error {
	env, err := taskdir.ReadEnvironment(s.dir)
	if err != nil {
		return fmt.Errorf("read the environment of the task: %w", err)
	}
	path, argv := shell, []string{"sh", "-c", s.rec.Shell}
	if s.rec.Shell == "" {
		argv = s.rec.Argv
		if path, err = findProgram(argv[0], s.rec.Cwd, env); err != nil {
			return err
		}
	}
	if st, err := os.Stat(s.rec.Cwd); err != nil || !st.IsDir() {
		return &startError{"the folder " + s.rec.Cwd + " is gone: give one that exists", ErrNoFolder}
	}
	pid, err := s.spawn(path, argv, childEnv(env, s.dir.ID(), s.rec.TTY))
	if err != nil {
		return execError(argv[0], path, err)
	}
	s.started.At = s.w.Now().UTC()
	s.started.Child = taskdir.Process{PID: pid}
	if id, err := proc.Identify(pid); err == nil { // a command that ended already has none, and needs none
		s.started.Child.Start = id.Start
	}
	if s.rec.KeepAwake {
		s.awake = keepAwake(s)
		s.started.Awake = s.awake != nil
	}
	if s.rec.TimeoutMS > 0 {
		s.turn()
	}
	s.watch.begin(s.rec.Size)
	return nil
}

// spawn starts the command and leaves no descriptor of it open here but the
// terminal's own end.
func (s *supervisor) spawn(path string, argv, env []string) (int, error) {
	out, err := fsys.OpenAppend(s.dir.Output())
	if err != nil {
		return 0, err
	}
	attr := &syscall.ProcAttr{Dir: s.rec.Cwd, Env: env, Sys: &syscall.SysProcAttr{Setsid: true}}
	if s.rec.TTY {
		return s.spawnOnTerminal(path, argv, attr, out)
	}
	defer func() { _ = out.Close() }()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer func() { _ = null.Close() }()
	attr.Files = []uintptr{null.Fd(), out.Fd(), out.Fd()}
	return s.reap.start(func() (int, error) { return syscall.ForkExec(path, argv, attr) })
}

// execError says what the kernel held against a command.
func execError(name, path string, err error) error {
	switch {
	case errors.Is(err, unix.ENOENT):
		return &startError{fmt.Sprintf("%s cannot be started: the interpreter in its first line is missing", name), ErrNotExecutable}
	case errors.Is(err, unix.ENOEXEC):
		return &startError{fmt.Sprintf("%s is no program: give it a first line such as #!/bin/sh, or name the program that runs it", name), ErrNotExecutable}
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return &startError{fmt.Sprintf("%s may not be executed: look at the permissions of %s and its folder", name, filepath.Clean(path)), ErrNotExecutable}
	case errors.Is(err, unix.E2BIG):
		return &startError{"the arguments and the environment are too large together: pass some of them in a file", ErrNotExecutable}
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM):
		return &startError{fmt.Sprintf("%s cannot be started: the machine has no room for another process; end some first", name), ErrNotExecutable}
	case fsys.NoSpace(err):
		return &startError{"the disk is full: free some space first", ErrDiskFull}
	}
	return &startError{fmt.Sprintf("%s cannot be started: %s", name, cause(err)), ErrNotExecutable}
}

// exitOf is what the kernel told of an end.
func exitOf(status syscall.WaitStatus) taskdir.Exit {
	if status.Signaled() {
		return taskdir.Exit{Signal: signalName(status.Signal())}
	}
	code := status.ExitStatus()
	return taskdir.Exit{Code: &code}
}

// signalName is "TERM", as people write it; a real-time signal is its number.
func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return strings.TrimPrefix(name, "SIG")
	}
	return fmt.Sprint(int(sig))
}
