//go:build unix

package fsys

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// O3: only a regular file is opened, at once, and the reason is named.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("file"), []byte("x"), 0o600))
	must(t, os.Mkdir(at("folder"), 0o700))
	must(t, unix.Mkfifo(at("pipe"), 0o600))
	must(t, os.Symlink(at("file"), at("link")))
	must(t, os.Symlink(at("none"), at("dangling")))
	cases := []struct {
		name string
		want error
	}{
		{at("file"), nil},
		{at("folder"), ErrNotRegular},
		{at("pipe"), ErrNotRegular},
		{at("link"), ErrSymlink},
		{at("dangling"), ErrSymlink},
		{"/dev/null", ErrNotRegular},
		{at("none"), fs.ErrNotExist},
	}
	for _, c := range cases {
		done := make(chan error, 1)
		go func() {
			f, err := Open(c.name)
			if err == nil {
				err = f.Close()
			}
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, c.want) {
				t.Errorf("Open(%s) = %v, want %v", c.name, err, c.want)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("Open(%s) hangs", c.name)
		}
	}
}

// O3: the one link that is allowed leads into its agent's own folder.
func TestOpenLink(t *testing.T) {
	home, out := t.TempDir(), t.TempDir()
	inside := filepath.Join(home, "agent", "a.jsonl")
	must(t, os.Mkdir(filepath.Dir(inside), 0o700))
	must(t, os.WriteFile(inside, []byte("in"), 0o600))
	outside := filepath.Join(out, "secret")
	must(t, os.WriteFile(outside, []byte("out"), 0o600))
	sibling := home + "-2"
	must(t, os.Mkdir(sibling, 0o700))
	t.Cleanup(func() { _ = os.RemoveAll(sibling) })
	must(t, os.WriteFile(filepath.Join(sibling, "f"), nil, 0o600))
	for i, c := range []struct {
		target string
		want   error
	}{
		{inside, nil},
		{outside, ErrOutside},
		{filepath.Join(sibling, "f"), ErrOutside},
		{filepath.Join(home, "agent", "..", "..", filepath.Base(out), "secret"), ErrOutside},
		{filepath.Join(home, "agent"), ErrNotRegular},
		{filepath.Join(home, "none"), fs.ErrNotExist},
	} {
		link := filepath.Join(out, "link"+string(rune('a'+i)))
		must(t, os.Symlink(c.target, link))
		f, err := OpenLink(link, home)
		if f != nil {
			_ = f.Close()
		}
		if !errors.Is(err, c.want) {
			t.Errorf("OpenLink to %s = %v, want %v", c.target, err, c.want)
		}
	}
}

func TestIdentityFollowsTheFile(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, os.WriteFile(a, []byte("1"), 0o600))
	f, err := Open(a)
	must(t, err)
	defer func() { _ = f.Close() }()
	id, err := Identify(f)
	must(t, err)
	must(t, os.Rename(a, b))
	must(t, os.WriteFile(a, []byte("1"), 0o600))
	old, err := Lstat(b)
	must(t, err)
	fresh, err := Lstat(a)
	must(t, err)
	if !id.Same(old.ID) || id.Same(fresh.ID) {
		t.Errorf("id %+v, renamed %+v, new %+v", id, old.ID, fresh.ID)
	}
}

func TestHoles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := CreatePrivate(path)
	must(t, err)
	defer func() { _ = f.Close() }()
	const big = 1 << 40
	must(t, f.Truncate(big))
	_, err = f.WriteAt([]byte("hello"), big/2)
	must(t, err)
	at, err := NextData(f, 0)
	must(t, err)
	if at == 0 {
		t.Skip("the file system of the test folder has no holes to tell of")
	}
	if at > big/2 || at < big/2-1<<20 {
		t.Errorf("data at %d, want about %d", at, big/2)
	}
	hole, err := NextHole(f, at)
	must(t, err)
	if hole <= big/2 || hole > big/2+1<<20 {
		t.Errorf("hole at %d", hole)
	}
	if end, err := NextData(f, hole); err != nil || end != big {
		t.Errorf("behind the last data: %d, %v", end, err)
	}
	if err := PunchHole(f, at, hole-at); err != nil {
		t.Skipf("no hole punching here: %v", err)
	}
	if end, err := NextData(f, 0); err != nil || end != big {
		t.Errorf("after the punch: %d, %v", end, err)
	}
}

func TestPrivateAndAtomic(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	must(t, MkdirPrivate(dir))
	must(t, MkdirPrivate(dir))
	path := filepath.Join(dir, "exit.json")
	for _, text := range []string{"one", "two"} {
		must(t, WriteAtomic(path, []byte(text)))
		got, err := os.ReadFile(path)
		must(t, err)
		if !bytes.Equal(got, []byte(text)) {
			t.Errorf("read %q, want %q", got, text)
		}
	}
	for _, p := range []string{dir, path} {
		st, err := os.Stat(p)
		must(t, err)
		if st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", p, st.Mode())
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
	if _, err := CreatePrivate(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("CreatePrivate over a file: %v", err)
	}
	link := filepath.Join(t.TempDir(), "l")
	must(t, os.Symlink(dir, link))
	if err := MkdirPrivate(link); !errors.Is(err, ErrSymlink) {
		t.Errorf("MkdirPrivate on a link: %v", err)
	}
}

func TestSpaceAndKind(t *testing.T) {
	free, total, err := Space(t.TempDir())
	if err != nil || total == 0 || free > total {
		t.Errorf("free %d of %d, %v", free, total, err)
	}
	if _, _, err := FileSystem(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing path has a file system")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
