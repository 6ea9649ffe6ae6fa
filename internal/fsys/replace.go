package fsys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts data at path so that a reader sees the old content or the new
// one, never a part. It does not wait for the disk: a power cut may take it back
// (WriteAtomic does; it costs milliseconds).
func Replace(path string, data []byte) error {
	f, err := createTemp(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Sync makes the content of files, and the names in their folders, last through
// a power cut. What is gone meanwhile is no error.
func Sync(paths ...string) error {
	var errs []error
	dirs := map[string]bool{}
	for _, path := range paths {
		dirs[filepath.Dir(path)] = true
		f, err := openOwn(path, os.O_RDWR)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = f.Sync()
			_ = f.Close()
		}
		errs = append(errs, err)
	}
	for dir := range dirs {
		errs = append(errs, syncDir(dir))
	}
	return errors.Join(errs...)
}

// Reserve makes a private file of n blanks at path, so that the disk has room
// for a later Fill even when it is full by then.
func Reserve(path string, n int) error {
	f, err := CreatePrivate(path)
	if err != nil {
		return err
	}
	_, err = f.Write(blanks(n))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("reserve %s: %w", path, err)
	}
	return nil
}

// Fill writes data over the blanks that Reserve left at path, makes it durable
// and moves it to name; blanks behind the data stay. An error leaves name as it was.
func Fill(path, name string, data []byte) error {
	f, err := OpenChange(path)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && size > int64(len(data)) {
		data = append(data, blanks(int(size)-len(data))...)
	}
	if err == nil {
		_, err = f.WriteAt(data, 0)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(path, name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return syncDir(filepath.Dir(name))
}

// blanks are n bytes that JSON skips.
func blanks(n int) []byte {
	b := make([]byte, max(0, n))
	for i := range b {
		b[i] = ' '
	}
	return b
}
