package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The room that was kept becomes the record, and blanks behind it hurt no JSON.
func TestReserveAndFill(t *testing.T) {
	dir := t.TempDir()
	room, name := filepath.Join(dir, "room"), filepath.Join(dir, "record")
	if err := Reserve(room, 100); err != nil {
		t.Fatal(err)
	}
	if err := Reserve(room, 100); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	if err := Fill(room, name, []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(name); err != nil || strings.TrimSpace(string(b)) != `{"a":1}` || len(b) != 100 {
		t.Errorf("%q, %v", b, err)
	}
	if err := Fill(room, name, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("room that is used up: %v", err)
	}
}

// Files of our own are private, and a link in their place is refused.
func TestOwnFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "output")
	f, err := CreateAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("one "); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateAppend(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	a, err := OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = a.WriteString("two")
	_ = a.Close()
	c, err := OpenChange(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.WriteAt([]byte("ONE"), 0)
	_ = c.Close()
	if b, err := os.ReadFile(path); err != nil || string(b) != "ONE two" {
		t.Errorf("%q, %v", b, err)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Size() != 3 || st.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", st, err)
	}
	if err := Sync(path, filepath.Join(dir, "gone")); err != nil {
		t.Error(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here: " + err.Error())
	}
	for name, open := range map[string]func(string) (*os.File, error){"append": OpenAppend, "change": OpenChange} {
		if _, err := open(link); !errors.Is(err, ErrSymlink) && !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := open(dir); err == nil {
			t.Errorf("%s of a folder", name)
		}
	}
}
