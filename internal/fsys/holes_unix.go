//go:build unix

package fsys

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// NextData is the first offset at or after off that is not in a hole; the size
// of the file when only a hole is left. Where the file system does not tell,
// off itself. It moves the file's own position, which ReadAt does not use.
func NextData(f *os.File, off int64) (int64, error) {
	at, err := f.Seek(off, seekData)
	switch {
	case err == nil:
		return at, nil
	case errors.Is(err, unix.ENXIO):
		st, serr := f.Stat()
		if serr != nil {
			return 0, fmt.Errorf("look at %s: %w", f.Name(), serr)
		}
		return max(off, st.Size()), nil
	}
	return off, nil
}

// NextHole is the first offset at or after off where a hole starts, or the
// file's end.
func NextHole(f *os.File, off int64) (int64, error) {
	at, err := f.Seek(off, seekHole)
	if err == nil {
		return at, nil
	}
	st, serr := f.Stat()
	if serr != nil {
		return 0, fmt.Errorf("look at %s: %w", f.Name(), serr)
	}
	return max(off, st.Size()), nil
}

// syncDir makes a rename in the folder durable; a file system that cannot sync
// a folder is no error.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, err)
	}
	err = d.Sync()
	_ = d.Close()
	if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}

// NoSpace says whether err means that the disk, or a quota on it, is full.
func NoSpace(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}
