//go:build unix

package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// InterruptGroup sends INT to the process group that pid leads. It is the one
// signal to a group in the house, and only for a parent whose child pid is and
// who has not reaped it: until then its number cannot be anybody else's. ErrGone
// where pid leads no group.
func InterruptGroup(pid int) error {
	if pid <= 1 {
		return ErrGone
	}
	if group, err := unix.Getpgid(pid); err != nil || group != pid {
		return ErrGone
	}
	if err := unix.Kill(-pid, unix.SIGINT); err != nil {
		return fmt.Errorf("interrupt the group of %d: %w", pid, err)
	}
	return nil
}
