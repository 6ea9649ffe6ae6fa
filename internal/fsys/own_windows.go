package fsys

import (
	"fmt"
	"os"
)

// CreateAppend makes a new file for output; fs.ErrExist when the name is taken.
func CreateAppend(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return f, nil
}

// OpenAppend opens a file that CreateAppend made, to add to it.
func OpenAppend(path string) (*os.File, error) { return openOwn(path, os.O_WRONLY|os.O_APPEND) }

// OpenChange opens a regular file to write at an offset.
func OpenChange(path string) (*os.File, error) { return openOwn(path, os.O_RDWR) }

func openOwn(path string, mode int) (*os.File, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", path, err)
	}
	if err := refuse(path, st.Mode()); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return f, nil
}

// OwnedPrivate says whether path is a folder; who may enter follows from the
// profile that it lies in.
func OwnedPrivate(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.IsDir()
}
