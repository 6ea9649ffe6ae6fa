//go:build unix

package desk

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Detach starts a program in a session of its own, without input and output, so
// that it outlives the caller and whatever ends it with its group. Nobody waits for it.
func Detach(argv []string) error {
	c := exec.Command(argv[0], argv[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}

// ReaderGone says that nobody reads f any more: the other end of a pipe was
// closed. It never waits.
func ReaderGone(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
