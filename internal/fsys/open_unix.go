//go:build unix

package fsys

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openRaw opens path so that no kind of file can hold the caller up: O_NONBLOCK
// for pipes and devices, O_NOCTTY for terminals, O_NOFOLLOW for links.
func openRaw(path string) (*os.File, error) {
	const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NOCTTY
	for {
		fd, err := unix.Open(path, flags, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ELOOP):
			return nil, &PathError{Path: path, Err: ErrSymlink}
		case errors.Is(err, unix.ENXIO), errors.Is(err, unix.EOPNOTSUPP):
			return nil, &PathError{Path: path, What: "is a socket or a device", Err: ErrNotRegular}
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
}

// CreatePrivate makes a new file that only its owner reads and writes. It is an
// error (fs.ErrExist) when anything, a link too, has the name already.
func CreatePrivate(path string) (*os.File, error) {
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Open(path, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// Space of the file system that holds path, in bytes: Free is what a person
// without special rights may still use.
func Space(path string) (free, total uint64, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return 0, 0, fmt.Errorf("ask for free space of %s: %w", path, err)
	}
	block := uint64(st.Bsize)
	return uint64(st.Bavail) * block, uint64(st.Blocks) * block, nil
}

func fstat(f *os.File) (Stat, error) {
	rc, err := f.SyscallConn()
	if err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", f.Name(), err)
	}
	var st unix.Stat_t
	var serr error
	if err := rc.Control(func(fd uintptr) { serr = unix.Fstat(int(fd), &st) }); err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", f.Name(), err)
	}
	if serr != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", f.Name(), serr)
	}
	return fromStat(&st), nil
}

func statPath(path string, follow bool) (Stat, error) {
	var st unix.Stat_t
	call := unix.Lstat
	if follow {
		call = unix.Stat
	}
	if err := call(path, &st); err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", path, err)
	}
	return fromStat(&st), nil
}
