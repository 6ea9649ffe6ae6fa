package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrExists: a file of this name is there already; nothing was touched.
var ErrExists = errors.New("there is a file of this name already")

// Create makes a new file that only its owner can read. It never overwrites.
func Create(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, ErrExists
	case err != nil:
		return nil, fmt.Errorf("save a file: %w", err)
	}
	return f, nil
}

// Scratch makes a new file of a name in a folder of its own under the machine's
// temporary folder, both for the owner alone. Remove takes both away.
func Scratch(name string) (*os.File, error) {
	dir, err := os.MkdirTemp("", "offstage-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	f, err := Create(filepath.Join(dir, filepath.Base(name)))
	if err != nil {
		_ = os.Remove(dir)
		return nil, err
	}
	return f, nil
}

// Remove takes a file of Scratch away, and its folder.
func Remove(path string) error {
	err := os.Remove(path)
	return errors.Join(err, os.Remove(filepath.Dir(path)))
}

// Regular says whether a regular file is at path.
func Regular(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
