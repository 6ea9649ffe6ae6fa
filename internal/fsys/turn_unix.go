//go:build unix

package fsys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func lockNow(f *os.File) bool { return flock(f, unix.LOCK_EX|unix.LOCK_NB) == nil }

func lockWait(f *os.File) bool {
	for {
		err := flock(f, unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}

func unlock(f *os.File) { _ = flock(f, unix.LOCK_UN) }

// flock keeps the descriptor from being another file's while the call lasts, which
// may be longer than the file is wanted.
func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if cerr := conn.Control(func(fd uintptr) { err = unix.Flock(int(fd), how) }); cerr != nil {
		return cerr
	}
	return err
}
