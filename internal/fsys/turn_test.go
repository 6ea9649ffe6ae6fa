package fsys

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestTurn: one at a time; who waits gets the turn when it is given, or closed; who
// does not want it any more leaves it to the next; a link is refused.
func TestTurn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such lock")
	}
	path := filepath.Join(t.TempDir(), "turn")
	open := func() *Turn {
		t.Helper()
		turn, err := OpenTurn(path)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	a, b, c := open(), open(), open()
	defer func() { _ = c.Close() }()
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", st, err)
	}
	if !a.Take(time.Second) {
		t.Fatal("the first one waits")
	}
	for range 3 { // one that stands in line already is asked again
		if b.Take(5 * time.Millisecond) {
			t.Fatal("two at once")
		}
	}
	time.AfterFunc(20*time.Millisecond, a.Give)
	if !b.Take(10 * time.Second) {
		t.Fatal("what was given did not come")
	}
	if a.Take(time.Millisecond) {
		t.Fatal("two at once")
	}
	b.Give() // a is in line and wants it no more
	if !c.Take(10 * time.Second) {
		t.Fatal("a turn that nobody wants is not passed on")
	}
	if b.Take(time.Millisecond) {
		t.Fatal("two at once")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if !b.Take(10 * time.Second) {
		t.Fatal("the turn of one that closed does not come")
	}
	_ = a.Close()
	_ = b.Close()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTurn(link); err == nil {
		t.Error("a link is followed")
	}
}
