package trace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/world"
)

// folder is an agent's folder in an own home, and its place on this machine.
func folder(t *testing.T) (*Folder, string) {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".agent")
	must(t, os.MkdirAll(dir, 0o700))
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": home}[k] }})
	must(t, err)
	f, err := OpenFolder(w, dir)
	must(t, err)
	t.Cleanup(f.Close)
	return f, dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// read hands everything out that is new.
func read(f *Folder, l *Lines, rel string) (got []string, resets int) {
	for range 1000 {
		l.Read(f, rel, 1, func() { resets++; got = nil }, func(line []byte, at int64) {
			got = append(got, fmt.Sprintf("%d %s", at, line))
		})
		if l.Err != nil || l.Done() {
			break
		}
	}
	return got, resets
}

// TestNothingOutsideIsRead: links out, pipes and folders are refused with their
// reason; links inside are followed (issue: hostile records).
func TestNothingOutsideIsRead(t *testing.T) {
	f, dir := folder(t)
	secret := filepath.Join(filepath.Dir(dir), "outside.json")
	put(t, secret, `{"a":1}`)
	put(t, filepath.Join(dir, "in.json"), `{"a":2}`)
	must(t, os.MkdirAll(filepath.Join(filepath.Dir(dir), "away"), 0o700))
	put(t, filepath.Join(filepath.Dir(dir), "away/x.json"), `{"a":3}`)
	must(t, os.Symlink(secret, filepath.Join(dir, "absolute.json")))
	must(t, os.Symlink("../outside.json", filepath.Join(dir, "relative.json")))
	must(t, os.Symlink("in.json", filepath.Join(dir, "inside.json")))
	must(t, os.Symlink("../away", filepath.Join(dir, "away")))
	for _, rel := range []string{"absolute.json", "relative.json", "away/x.json", "../outside.json"} {
		if _, _, err := f.Read(rel, 100); !errors.Is(err, fsys.ErrOutside) {
			t.Errorf("%s: %v, want ErrOutside", rel, err)
		}
		if _, ok := f.Holds(rel); ok {
			t.Errorf("%s counts as held", rel)
		}
	}
	if len(f.List("away")) != 0 {
		t.Error("a folder outside was listed")
	}
	var v struct{ A int }
	if _, err := f.JSON("inside.json", &v); err != nil || v.A != 2 {
		t.Errorf("a link inside: %v %v", v, err)
	}
	if _, _, err := f.Open("."); !errors.Is(err, fsys.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, err := f.Read("in.json", 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large record: %v", err)
	}
	if _, _, err := f.Read("none.json", 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no record: %v", err)
	}
}

// TestLinesOnce: every complete line once, at its offset, however it was written;
// a half-written one waits; a long one is passed over (issue: broken records).
func TestLinesOnce(t *testing.T) {
	f, dir := folder(t)
	file := filepath.Join(dir, "x.jsonl")
	var l Lines
	step := func(text string, want ...string) {
		t.Helper()
		h, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		must(t, err)
		_, err = h.WriteString(text)
		must(t, err)
		must(t, h.Close())
		got, _ := read(f, &l, "x.jsonl")
		if !slices.Equal(got, want) {
			t.Errorf("after %.40q: got %.80q, want %.80q", text, got, want)
		}
	}
	step("one\ntwo\r\nthr", "0 one", "4 two")
	step("")
	step("ee\n\nfour\n", "9 three", "16 four")
	long := strings.Repeat("x", MaxLine+block)
	step(long)
	step("y\nafter\n", fmt.Sprintf("%d after", 21+len(long)+2))
	if l.TooLong != 1 {
		t.Errorf("%d lines passed over, want 1", l.TooLong)
	}
	wide := strings.Repeat("z", 3*block)
	step(wide+"\nend\n", fmt.Sprintf("%d %s", 21+len(long)+2+6, wide), fmt.Sprintf("%d end", 21+len(long)+2+6+len(wide)+1))
}

// TestLinesReset: a file that was cut, replaced or rewritten begins anew.
func TestLinesReset(t *testing.T) {
	f, dir := folder(t)
	file := filepath.Join(dir, "x.jsonl")
	for name, change := range map[string]func(){
		"cut":      func() { put(t, file, "b\n") },
		"replaced": func() { must(t, os.Remove(file)); put(t, file+"2", "b\n"); must(t, os.Rename(file+"2", file)) },
		"rewritten": func() {
			put(t, file, "b\n"+strings.Repeat("c", 80)+"\n")
		},
	} {
		var l Lines
		put(t, file, "a\nand more of it\n")
		if got, _ := read(f, &l, "x.jsonl"); len(got) != 2 {
			t.Fatalf("%s: %q", name, got)
		}
		change()
		got, resets := read(f, &l, "x.jsonl")
		if resets != 1 || len(got) == 0 || got[0] != "0 b" {
			t.Errorf("%s: %d resets, %q", name, resets, got)
		}
	}
}

// TestLinesBudget: a large file is read in parts, none twice.
func TestLinesBudget(t *testing.T) {
	f, dir := folder(t)
	var text strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	put(t, filepath.Join(dir, "x.jsonl"), text.String())
	var l Lines
	n, reads := 0, 0
	for !l.Done() || reads == 0 {
		l.Read(f, "x.jsonl", 1, func() { t.Error("reset") }, func(line []byte, _ int64) {
			if want := fmt.Sprintf("line %d", n); string(line) != want {
				t.Fatalf("got %q, want %q", line, want)
			}
			n++
		})
		reads++
	}
	if n != 400_000 || reads < 4 {
		t.Errorf("%d lines in %d reads", n, reads)
	}
}

// TestShelf: what is new is found, what is gone leaves, the newest stands first,
// and a short budget only puts off (issue: 10,000 old sessions).
func TestShelf(t *testing.T) {
	f, dir := folder(t)
	now := time.Now()
	touch := func(rel string, age time.Duration) {
		put(t, filepath.Join(dir, rel), "x")
		must(t, os.Chtimes(filepath.Join(dir, rel), now.Add(-age), now.Add(-age)))
	}
	for i := range 900 {
		touch(fmt.Sprintf("projects/p%d/chats/s%d.jsonl", i%3, i), time.Duration(i+1)*time.Second*20)
	}
	touch("projects/p0/chats/other.txt", 0)
	s := Shelf{Pattern: "projects/*/chats/*.jsonl"}
	none := func() bool { return false }
	if got := s.Scan(f, now, none); len(got) == 0 || len(got) == 900 || s.Complete() {
		t.Errorf("with no budget: %d, complete %v", len(got), s.Complete())
	}
	all := func() bool { return true }
	got := s.Scan(f, now, all)
	if len(got) != 900 || !s.Complete() || got[0].Rel != "projects/p0/chats/s0.jsonl" {
		t.Errorf("%d items, first %v", len(got), got[:min(1, len(got))])
	}
	touch("projects/p1/chats/new.jsonl", 0)
	must(t, os.Remove(filepath.Join(dir, "projects/p0/chats/s0.jsonl")))
	must(t, os.Remove(filepath.Join(dir, "projects/p2/chats/s899.jsonl")))
	for range 3 {
		now = now.Add(time.Minute)
		got = s.Scan(f, now, all)
	}
	if len(got) != 899 || got[0].Rel != "projects/p1/chats/new.jsonl" {
		t.Errorf("later: %d items, first %v", len(got), got[0])
	}
	if want := []string{"projects", "projects/p0/chats", "projects/p1/chats", "projects/p2/chats"}; !slices.Equal(s.Folders(), want) {
		t.Errorf("folders %q", s.Folders())
	}
}

func TestDecodeIsLenient(t *testing.T) {
	var v struct {
		A int
		B string
	}
	if !Decode([]byte(`{"a":"not a number","b":"kept","c":{}}`), &v) || v.B != "kept" {
		t.Errorf("a field of another type cost more than itself: %+v", v)
	}
	if Decode([]byte(`{"b":"half`), &v) {
		t.Error("half a value was taken for one")
	}
	for _, bad := range []float64{-1, 0, 1e300} {
		if !Millis(bad).IsZero() {
			t.Errorf("%v ms is %v", bad, Millis(bad))
		}
	}
	if got := Seconds(1796070671.792); got.Format(time.RFC3339Nano) != "2026-11-30T20:31:11.792Z" {
		t.Errorf("seconds: %v", got)
	}
	if got := Text([]byte(`[{"text":"a"},{"other":1},{"text":"b"}]`)); got != "a\nb" {
		t.Errorf("text %q", got)
	}
}

// TestClean: no control byte leaves (C9).
func TestClean(t *testing.T) {
	if got := Clean("a\x1b[31mred\x1b[0m\x1b]0;title\x07\tb\x9b\x00\xff\r\n"); got != "ared b\ufffd\ufffd" {
		t.Errorf("%q", got)
	}
	if got := Headline([]byte(`{"z":1,"command":"npm\n  test"}`)); got != "npm test" {
		t.Errorf("%q", got)
	}
	if got := Headline([]byte(`"{\"cmd\":\"ls\"}"`)); got != "ls" {
		t.Errorf("%q", got)
	}
}

// TestQuietFirst: where the agent's program does not run, the first answer reads
// nothing and says that there is more; where it runs, or where processes cannot be
// seen, it reads.
func TestQuietFirst(t *testing.T) {
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	self := filepath.Base(os.Args[0])
	for _, c := range []struct {
		name  string
		procs func() (*proc.Table, error)
		reads bool
	}{
		{"no such program", func() (*proc.Table, error) { return proc.Scan(w) }, false},
		{self, func() (*proc.Table, error) { return proc.Scan(w) }, true},
		{"no such program", nil, true},
	} {
		b := Base{Name: "x", W: w, Procs: c.procs}
		b.Agents = []*Programs{{Is: func(_ string, args []string) bool { return len(args) > 0 && filepath.Base(args[0]) == c.name }}}
		for i, want := range []bool{c.reads, true} {
			read := false
			if _, err := b.Look(context.Background(), func(*Look) { read = true }); err != nil {
				t.Fatal(err)
			}
			if read != want || b.Pending() == want {
				t.Errorf("%s, look %d: it read: %v, more: %v", c.name, i+1, read, b.Pending())
			}
		}
	}
}
