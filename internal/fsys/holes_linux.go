package fsys

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	seekData = unix.SEEK_DATA
	seekHole = unix.SEEK_HOLE
)

// PunchHole gives the space of n bytes at off back to the disk; they read as
// NUL afterwards and the size stays. ErrUnsupported where it cannot be done.
func PunchHole(f *os.File, off, n int64) error {
	rc, err := f.SyscallConn()
	if err != nil {
		return fmt.Errorf("punch a hole into %s: %w", f.Name(), err)
	}
	var perr error
	err = rc.Control(func(fd uintptr) {
		perr = unix.Fallocate(int(fd), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n)
	})
	if err == nil {
		err = perr
	}
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("punch a hole into %s: %w", f.Name(), ErrUnsupported)
	}
	if err != nil {
		return fmt.Errorf("punch a hole into %s: %w", f.Name(), err)
	}
	return nil
}
