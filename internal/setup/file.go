package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// File is a configuration file as it stands.
type File struct {
	// Path is its name as the host uses it; Real where it is, links followed.
	Path, Real string
	// Text is all of it; nil where there is none yet.
	Text []byte
	Mode fs.FileMode
	// ReadOnly: it may not be written.
	ReadOnly bool
}

// maxFile is far beyond any configuration; more is none.
const maxFile = 16 << 20

// ErrNotAFile: something else than a file stands where a configuration should.
var ErrNotAFile = errors.New("is no file")

// Read reads the configuration at path. A missing one is no error: it has no
// text.
func Read(path string) (File, error) {
	f := File{Path: path, Real: path, Mode: 0o644}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		f.Real = real
	case errors.Is(err, fs.ErrNotExist):
		if target, lerr := os.Readlink(path); lerr == nil {
			return f, fmt.Errorf("%s is a link to %s, which is not there: make that file, or remove the link", path, target)
		}
		return f, nil
	default:
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	st, err := os.Stat(f.Real)
	if err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	if !st.Mode().IsRegular() {
		return f, fmt.Errorf("%s %w: move it away and try again", path, ErrNotAFile)
	}
	if st.Size() > maxFile {
		return f, fmt.Errorf("%s has %d bytes: that is no configuration", path, st.Size())
	}
	f.Mode = st.Mode().Perm()
	if f.Text, err = os.ReadFile(f.Real); err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	if f.Text == nil {
		f.Text = []byte{}
	}
	f.ReadOnly = !writable(f.Real)
	return f, nil
}

// writable asks the system, which knows owners, modes and mounts.
func writable(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// Exists says that there is a file, be it empty.
func (f File) Exists() bool { return f.Text != nil }

// Newline is how the file ends its lines: CRLF where its first line does.
func Newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// write puts text in the place of the file, with its mode; nil removes it. A
// reader sees the old text or the new one, never a part.
func (f File) write(text []byte) error {
	if text == nil {
		if err := os.Remove(f.Real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", f.Path, err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.Real), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Path, err)
	}
	tmp := f.Real + ".offstage-" + strconv.Itoa(os.Getpid())
	out, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	_, err = out.Write(text)
	if err == nil {
		err = out.Chmod(f.Mode)
	}
	if err == nil {
		err = out.Sync()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, f.Real)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return nil
}
