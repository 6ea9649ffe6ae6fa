package tail

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/watch"
	"offstage/internal/world"
)

func here(t testing.TB) *world.World {
	t.Helper()
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func open(t testing.TB, path string, o Options) *File {
	t.Helper()
	f, err := Open(here(t), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func add(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(t, err)
	_, err = f.WriteString(text)
	must(t, err)
	must(t, f.Close())
}

// What each thing that happens to a log looks like.
func TestPollEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.log")
	add(t, path, "one\n")
	f := open(t, path, Options{})
	step := func(name string, do func(), want Event) {
		t.Helper()
		do()
		got := f.Poll()
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	step("nothing", func() {}, Event{Size: 4})
	step("append", func() { add(t, path, "two\n") }, Event{Grew: true, Size: 8})
	step("truncate", func() { must(t, os.Truncate(path, 4)) }, Event{Truncated: true, Size: 4})
	step("copytruncate and grown past the old size", func() {
		must(t, os.Truncate(path, 0))
		add(t, path, "other text, longer\n")
	}, Event{Truncated: true, Size: 19})
	step("cut in the middle and grown past the old size", func() {
		must(t, os.Truncate(path, 10))
		add(t, path, " goes on otherwise\n")
	}, Event{Truncated: true, Size: 29})
	step("cut back", func() { must(t, os.Truncate(path, 19)) }, Event{Truncated: true, Size: 19})
	step("same size, new head", func() {
		must(t, os.WriteFile(path, []byte("OTHER text, longer\n"), 0o600))
		must(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Minute)))
	}, Event{Truncated: true, Size: 19})
	step("rename", func() { must(t, os.Rename(path, path+".1")) }, Event{Gone: true, Size: 19})
	step("the old file still grows", func() { add(t, path+".1", "x\n") }, Event{Grew: true, Gone: true, Size: 21})
	step("last words and a new file", func() {
		add(t, path+".1", "y\n")
		add(t, path, "new\n")
	}, Event{Grew: true, Gone: true, Size: 23})
	step("then the switch", func() {}, Event{Replaced: true, Size: 4})
	step("unlink", func() { must(t, os.Remove(path)) }, Event{Gone: true, Size: 4})
	if b := readAll(t, f); b != "new\n" {
		t.Errorf("an unlinked file reads %q", b)
	}
	step("recreate", func() { add(t, path, "again\n") }, Event{Replaced: true, Size: 6})
	if f.Gen() != 7 {
		t.Errorf("generation %d, want 7", f.Gen())
	}
}

// O3: a link that takes the file's place is not followed; the open file stays.
func TestSymlinkSwap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	add(t, path, "mine\n")
	add(t, filepath.Join(dir, "secret"), "secret\n")
	f := open(t, path, Options{})
	must(t, os.Remove(path))
	must(t, os.Symlink(filepath.Join(dir, "secret"), path))
	e := f.Poll()
	if !e.Gone || !errors.Is(e.Err, fsys.ErrSymlink) || readAll(t, f) != "mine\n" {
		t.Errorf("after the swap: %+v, %q", e, readAll(t, f))
	}
	if _, err := Open(here(t), path, Options{}); !errors.Is(err, fsys.ErrSymlink) {
		t.Errorf("opened a link: %v", err)
	}
}

// O3: the agent's own link to its transcript; its target is what is followed.
func TestLinkWithin(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	target := filepath.Join(home, "agent.jsonl")
	add(t, target, "{}\n")
	link := filepath.Join(dir, "a.output")
	must(t, os.Symlink(target, link))
	f := open(t, link, Options{Within: home})
	add(t, target, "{}\n")
	if e := f.Poll(); !e.Grew || e.Gone {
		t.Errorf("%+v", e)
	}
	if _, err := Open(here(t), link, Options{Within: dir}); !errors.Is(err, fsys.ErrOutside) {
		t.Errorf("outside: %v", err)
	}
	w, err := world.New(world.Options{Root: home})
	must(t, err)
	must(t, os.Mkdir(filepath.Join(home, "in"), 0o700))
	must(t, os.Symlink("/agent.jsonl", filepath.Join(home, "in", "l")))
	g, err := Open(w, "/in/l", Options{Within: "/"})
	must(t, err)
	must(t, g.Close())
	if _, err := Open(w, "/in/l", Options{Within: "/in"}); !errors.Is(err, fsys.ErrOutside) {
		t.Errorf("outside under a root: %v", err)
	}
}

func readAll(t testing.TB, f *File) string {
	t.Helper()
	b := make([]byte, f.Size())
	n, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return string(b[:n])
}

func TestIdentityOverRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	add(t, path, strings.Repeat("a", 300))
	id := open(t, path, Options{}).Identity()
	b, err := id.MarshalBinary()
	must(t, err)
	var back Identity
	must(t, back.UnmarshalBinary(b))
	if back != id {
		t.Errorf("%+v came back as %+v", id, back)
	}
	add(t, path, strings.Repeat("b", 5000))
	if !open(t, path, Options{}).Is(id) {
		t.Error("a grown file is not known again")
	}
	must(t, os.WriteFile(path, []byte(strings.Repeat("c", 6000)), 0o600))
	if open(t, path, Options{}).Is(id) {
		t.Error("a file written anew is taken for the old one")
	}
}

func TestLinesHalfWrittenAndLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	f, err := fsys.CreatePrivate(path)
	must(t, err)
	defer func() { _ = f.Close() }()
	_, err = f.WriteString("a\n")
	must(t, err)
	must(t, f.Truncate(1<<30)) // a hole: one line of a GiB
	_, err = f.WriteAt([]byte("\nb\nhalf"), 1<<30)
	must(t, err)
	g := open(t, path, Options{})
	var got []string
	collect := func(line []byte, _ int64) error { got = append(got, string(line)); return nil }
	next, err := g.Lines(0, collect)
	must(t, err)
	if strings.Join(got, ",") != "a,b" || g.Skipped() != 1 || next != 1<<30+3 {
		t.Errorf("lines %q, skipped %d, next %d", got, g.Skipped(), next)
	}
	for range 3 { // asking again finds nothing and loses nothing
		n, err := g.Lines(next, collect)
		must(t, err)
		if n != next || len(got) != 2 {
			t.Fatalf("half a line: next %d, %q", n, got)
		}
		add(t, path, strings.Repeat("z", 400<<10))
		g.Poll()
	}
	add(t, path, "!\nc")
	g.Poll()
	_, err = g.Lines(next, collect)
	must(t, err)
	if len(got) != 3 || len(got[2]) != 4+3*400<<10+1 {
		t.Errorf("%d lines, the last of %d bytes", len(got), len(got[len(got)-1]))
	}
	stop := errors.New("enough")
	if n, err := g.Lines(0, func([]byte, int64) error { return stop }); !errors.Is(err, stop) || n != 2 {
		t.Errorf("stopped at %d with %v", n, err)
	}
}

func TestWake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	add(t, path, "x")
	f := open(t, path, Options{Watch: watch.New(watch.Options{PollOnly: true})})
	c := f.Wake(watch.Focused)
	add(t, path, "y")
	select {
	case <-c:
	case <-time.After(3 * time.Second):
		t.Fatal("no wake-up")
	}
	if !f.Poll().Grew {
		t.Error("woken for nothing")
	}
	must(t, f.Close())
	must(t, f.Close())
	if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
}

func BenchmarkLines(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f")
	must(b, os.WriteFile(path, bytes.Repeat([]byte(strings.Repeat("j", 999)+"\n"), 32<<10), 0o600))
	f := open(b, path, Options{})
	b.SetBytes(32 << 10 * 1000)
	for b.Loop() {
		if _, err := f.Lines(0, func([]byte, int64) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPollQuiet(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f")
	must(b, os.WriteFile(path, []byte("x"), 0o600))
	f := open(b, path, Options{})
	for b.Loop() {
		f.Poll()
	}
}
