package tail

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A reader that was under way while the file was replaced must not leave blocks
// of the old file in the cache of the new one.
func TestReplacedUnderReaders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	const size = 3 * BlockSize
	put := func(n int) {
		next := filepath.Join(dir, "next")
		must(t, os.WriteFile(next, bytes.Repeat([]byte{byte('a' + n%26)}, size), 0o600))
		must(t, os.Rename(next, path))
	}
	put(0)
	f := open(t, path, Options{})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			buf := make([]byte, size)
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = f.ReadAt(buf, 0) // replaced meanwhile is no fault
				}
			}
		})
	}
	defer wg.Wait()
	defer close(stop)
	buf := make([]byte, size)
	for n := 1; n <= 30; n++ {
		put(n)
		if e := f.Poll(); !e.Replaced {
			t.Fatalf("round %d: %+v", n, e)
		}
		for range 2 {
			if _, err := f.ReadAt(buf, 0); err != nil {
				t.Fatal(err)
			}
			want := string(rune('a' + n%26))
			if i := strings.IndexFunc(string(buf), func(r rune) bool { return string(r) != want }); i >= 0 {
				t.Fatalf("round %d: byte %d is %q, the file has only %q", n, i, buf[i], want)
			}
		}
	}
}

// A handle that went bad (a file server forgot it: ESTALE) is opened anew: the
// same file goes on, another one is a replacement, none is said.
func TestBadHandle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	add(t, path, "one\n")
	f := open(t, path, Options{})
	spoil := func() { must(t, f.f.Close()) }

	spoil()
	add(t, path, "two\n")
	if e := f.Poll(); e.Err != nil || !e.Grew || e.Size != 8 || f.Gen() != 0 {
		t.Errorf("the same file: %+v, generation %d", e, f.Gen())
	}
	spoil()
	must(t, os.Rename(path, path+".1"))
	add(t, path, "new\n")
	if e := f.Poll(); !e.Replaced || f.Gen() != 1 {
		t.Errorf("another file: %+v, generation %d", e, f.Gen())
	}
	if got := readAll(t, f); got != "new\n" {
		t.Errorf("read %q", got)
	}
	spoil()
	must(t, os.Remove(path))
	if e := f.Poll(); e.Err == nil || !e.Gone {
		t.Errorf("no file: %+v", e)
	}
}

// What the file has grown by since the last look is read in blocks too, not
// byte by byte.
func TestReadBeyondKnownSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	add(t, path, "x")
	f := open(t, path, Options{})
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	add(t, path, text.String())
	p := make([]byte, 1+text.Len())
	n, err := f.cache.read(f.f, p, 1, f.Size())
	if err != nil || n != text.Len() {
		t.Errorf("one read gave %d of %d bytes, %v", n, text.Len(), err)
	}
	f.Poll()
	if got := readAll(t, f); got != "x"+text.String() {
		t.Errorf("read %d bytes", len(got))
	}
}

// A file that was closed is not put on the clock any more.
func TestWakeAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	add(t, path, "x")
	f := open(t, path, Options{})
	must(t, f.Close())
	if c := f.Wake(Focused); c != nil {
		t.Error("a closed file is followed")
	}
}
