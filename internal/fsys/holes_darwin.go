package fsys

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// As in <sys/unistd.h> of macOS: hole is 3, data is 4, unlike Linux.
const (
	seekHole = 3
	seekData = 4
)

// fPunchHole and punchArgs are F_PUNCHHOLE and fpunchhole_t of <sys/fcntl.h>.
const fPunchHole = 99

type punchArgs struct {
	flags, reserved uint32
	offset, length  int64
}

// PunchHole gives the space of n bytes at off back to the disk (APFS); both
// must be multiples of the file system's block.
func PunchHole(f *os.File, off, n int64) error {
	rc, err := f.SyscallConn()
	if err != nil {
		return fmt.Errorf("punch a hole into %s: %w", f.Name(), err)
	}
	args := punchArgs{offset: off, length: n}
	var perr error
	err = rc.Control(func(fd uintptr) {
		_, _, e := unix.Syscall(unix.SYS_FCNTL, fd, fPunchHole, uintptr(unsafe.Pointer(&args)))
		if e != 0 {
			perr = e
		}
	})
	if err == nil {
		err = perr
	}
	if err != nil {
		return fmt.Errorf("punch a hole into %s: %w (%w)", f.Name(), ErrUnsupported, err)
	}
	return nil
}
