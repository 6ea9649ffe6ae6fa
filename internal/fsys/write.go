package fsys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// MkdirPrivate makes the folder and its missing parents, each 0700. A folder
// that is there already is left as it is, but a link, or a file, in its place
// is refused.
func MkdirPrivate(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make folder %s: %w", path, err)
	}
	st, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	if st.Mode()&fs.ModeSymlink != 0 {
		return &PathError{Path: path, Err: ErrSymlink}
	}
	return nil
}

var tempCount atomic.Uint64

// WriteAtomic puts data at path, readable by its owner alone, so that a reader
// and a crash see the old content or the new one, never a part: a temporary
// file beside it, synced, renamed over it, the folder synced.
func WriteAtomic(path string, data []byte) error {
	f, err := createTemp(path)
	if err != nil {
		return err
	}
	tmp := f.Name()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return fmt.Errorf("write %s: %w", path, err)
	}
	return syncDir(filepath.Dir(path))
}

// createTemp makes a private file beside path under a name that is free: our
// pid and a count, so only a crash with a reused pid can have left one.
func createTemp(path string) (*os.File, error) {
	for tries := 0; ; tries++ {
		name := path + "." + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(tempCount.Add(1), 10) + ".tmp"
		f, err := CreatePrivate(name)
		if err == nil || tries == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
