//go:build unix

package runner

import (
	"os"
	"strconv"
	"syscall"

	"offstage/internal/proc"
)

// awake is a sleep inhibitor that is held while the command runs (H2): a helper
// of the system that ends with a pipe of ours, so it never outlives us.
type awake struct {
	pid  int
	hold *os.File
}

// inhibitors are the helpers, the first that is there is taken: what they are
// called with reads its input until that ends.
func inhibitors(pid int) [][]string {
	return [][]string{
		{"systemd-inhibit", "--what=sleep:idle", "--who=Offstage", "--why=A background task runs", "--mode=block", "cat"},
		{"caffeinate", "-i", "-w", strconv.Itoa(pid)},
	}
}

// keepAwake starts one; nil where the system has none.
func keepAwake(s *supervisor) *awake {
	for _, argv := range inhibitors(os.Getpid()) {
		path, err := findProgram(argv[0], "/", os.Environ())
		if err != nil {
			continue
		}
		r, w, err := os.Pipe()
		if err != nil {
			return nil
		}
		pid, err := s.reap.start(func() (int, error) { return startQuiet(path, argv, r) })
		_ = r.Close()
		if err != nil {
			_ = w.Close()
			return nil
		}
		return &awake{pid: pid, hold: w}
	}
	return nil
}

func startQuiet(path string, argv []string, in *os.File) (int, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = null.Close() }()
	return syscall.ForkExec(path, argv, &syscall.ProcAttr{Dir: "/", Env: os.Environ(),
		Files: []uintptr{in.Fd(), null.Fd(), null.Fd()}, Sys: &syscall.SysProcAttr{Setsid: true}})
}

// end lets the machine sleep again.
func (a *awake) end() {
	if a != nil {
		_ = a.hold.Close() // a second time does nothing
	}
}

// id is the helper's identity while it lives.
func (a *awake) id() (proc.ID, bool) {
	if a == nil {
		return proc.ID{}, false
	}
	id, err := proc.Identify(a.pid)
	return id, err == nil
}
