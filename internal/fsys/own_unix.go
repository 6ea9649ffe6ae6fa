//go:build unix

package fsys

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// CreateAppend makes a new file for output: every write goes to its end, whoever
// has it open, and only its owner reads it. fs.ErrExist when the name is taken.
func CreateAppend(path string) (*os.File, error) {
	const flags = unix.O_WRONLY | unix.O_APPEND | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Open(path, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// OpenAppend opens a file that CreateAppend made, to add to it.
func OpenAppend(path string) (*os.File, error) {
	return openOwn(path, unix.O_WRONLY|unix.O_APPEND)
}

// OpenChange opens a regular file to punch holes into it and to write at an
// offset: not in append mode, in which Linux ignores the offset.
func OpenChange(path string) (*os.File, error) { return openOwn(path, unix.O_RDWR) }

func openOwn(path string, mode int) (*os.File, error) {
	fd, err := unix.Open(path, mode|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if errors.Is(err, unix.ELOOP) {
		return nil, &PathError{Path: path, Err: ErrSymlink}
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	_ = unix.SetNonblock(fd, false) // it was for opening only; a command may inherit it
	f := os.NewFile(uintptr(fd), path)
	st, err := f.Stat()
	if err == nil {
		err = refuse(path, st.Mode())
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// OwnedPrivate says whether path is a folder, not a link, of the present user
// that nobody else may enter.
func OwnedPrivate(path string) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return false
	}
	return st.Mode&unix.S_IFMT == unix.S_IFDIR && st.Mode&0o077 == 0 && int(st.Uid) == os.Geteuid()
}
