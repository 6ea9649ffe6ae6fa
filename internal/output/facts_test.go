package output

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"offstage/task"
)

// plant takes the mark out of a planted secret.
func plant(s string) string { return strings.ReplaceAll(s, "⟂", "") }

var token = plant("ghp_⟂16C7e42F292c6912E7710c838347Ae178B4a")

func TestFactsFollowTheFile(t *testing.T) {
	path := file(t, "one\ntwo\n")
	l := open(t, path, Options{Running: true})
	f := counted(t, l)
	if f.Lines != 2 || f.OpenLine || f.LastLine != "two" || f.Arrived != 0 || f.Counted != 1 || f.Size != 8 || f.LastWrite.IsZero() {
		t.Errorf("at first: %+v", f)
	}
	add(t, path, "three\nfour is open")
	f = sized(t, l, path)
	if f.Lines != 4 || !f.OpenLine || f.Arrived != 1 {
		t.Errorf("grown: %+v", f)
	}
	until(t, l, "the open line", func(f task.Facts) bool { return f.LastLine == "four is open" })
}

// C9: what is said of an output is masked: last line, addresses, names of tests.
func TestFactsAreMasked(t *testing.T) {
	path := file(t, "start\nopen http://localhost:8888/tree?token="+token+" now\nUsing "+token+"\n")
	l := open(t, path, Options{})
	f := counted(t, l)
	if f.LastLine != "Using [redacted]" || len(f.URLs) != 1 || strings.Contains(strings.Join(f.URLs, " "), token) {
		t.Errorf("facts %+v", f)
	}
	full, ok := l.FullURL(f.URLs[0])
	if want := "http://localhost:8888/tree?token=" + token; !ok || full != want {
		t.Errorf("full address %q", full)
	}
	if p := page(t, l, task.PageRequest{Tail: true, Before: 9}); strings.Contains(texts(p.Lines), token) {
		t.Errorf("rows: %s", texts(p.Lines))
	}
}

// C8: a token that is overwritten half-way, and one that is still being written.
func TestNoPartOfATokenOnLiveRows(t *testing.T) {
	path := file(t, "Using "+token+"\rUsing ok")
	l := open(t, path, Options{Running: true})
	for i := 1; i < len(token); i++ {
		p := page(t, l, task.PageRequest{Tail: true, Before: 5})
		if got := texts(p.Lines); strings.Contains(got, token[len(token)-6:]) || i > 14 && strings.Contains(got, token[:i]) {
			t.Fatalf("after %d characters: %q", i, got)
		}
		if i == 1 {
			add(t, path, "\ntoken ")
		}
		add(t, path, token[i-1:i])
		sized(t, l, path)
	}
}

// B2: the agent's end mark is the end of the task and not output, only as the
// last line of the file.
func TestEndMark(t *testing.T) {
	for _, c := range []struct{ text, mark, rows string }{
		{"out\n\n[exited with code 0]\n", "exited with code 0", "out|exited with code 0"},
		{"out\n[exited with code -1]\n", "exited with code -1", "out|exited with code -1"},
		{"out\r\n\r\n[killed]\r\n", "killed", "out|killed"},
		{"\n[process exited while detached; exit code unknown]\n", "process exited while detached; exit code unknown", "process exited while detached; exit code unknown"},
		{"[killed]\nmore\n", "", "[killed]|more"},
		{"out\n[killed]", "", "out|[killed]"},
		{"out\n[exited with code x]\n", "", "out|[exited with code x]"},
		{"out [killed]\n", "", "out [killed]"},
	} {
		l := open(t, file(t, c.text), Options{})
		f := counted(t, l)
		p := page(t, l, task.PageRequest{Tail: true, Before: 10})
		if f.EndMark != c.mark || texts(p.Lines) != c.rows {
			t.Errorf("%q: mark %q, rows %q", c.text, f.EndMark, texts(p.Lines))
		}
		last := p.Lines[len(p.Lines)-1]
		if (last.Mark == task.MarkEnd) != (c.mark != "") || c.mark != "" && last.Offset != f.EndMarkAt {
			t.Errorf("%q: last row %+v, mark at %d", c.text, last, f.EndMarkAt)
		}
		if c.mark != "" && f.LastLine != "out" && f.LastLine != "" {
			t.Errorf("%q: last line %q", c.text, f.LastLine)
		}
	}
}

// F2: counts cover the log from its first byte, and go on from a checkpoint.
func TestCountsAndCheckpoint(t *testing.T) {
	log, err := os.ReadFile(filepath.Join("testdata", "vitest.log"))
	must(t, err)
	filler := strings.Repeat("webpack compiled, nothing to see http://localhost:5173/ here\n", 20_000)
	path := file(t, string(log)+filler)
	l := open(t, path, Options{Running: true, Command: "npx vitest run"})
	f := counted(t, l)
	if f.Tests == nil || f.Tests.Passed == 0 || !f.Tests.Complete || !slices.Equal(f.URLs, []string{"http://localhost:5173/"}) {
		t.Fatalf("facts %+v", f.Tests)
	}
	k, ok := l.Checkpoint()
	if !ok {
		t.Fatal("no checkpoint")
	}
	b, err := k.MarshalBinary()
	must(t, err)
	var back Checkpoint
	must(t, back.UnmarshalBinary(b))
	add(t, path, "half")
	add(t, path, " a line\n")
	m := open(t, path, Options{Command: "npx vitest run", Facts: &back})
	if first := m.Facts(); first.Tests == nil || first.Lines < f.Lines {
		t.Errorf("not taken up: %+v", first)
	}
	g := counted(t, m)
	if g.Lines != f.Lines+1 || g.Tests.Passed != f.Tests.Passed || len(g.URLs) != 1 {
		t.Errorf("went on to %+v, from %+v", g, f)
	}
	if u, ok := m.FullURL(g.URLs[0]); !ok || u != g.URLs[0] {
		t.Errorf("address read again: %q", u)
	}
	other := open(t, file(t, "another file\n"), Options{Facts: &back})
	if h := counted(t, other); h.Tests != nil || h.Lines != 1 {
		t.Errorf("a foreign checkpoint was taken: %+v", h)
	}
	if back.UnmarshalBinary([]byte("junk")) == nil {
		t.Error("junk is a checkpoint")
	}
}

// Whatever stands at the path, it is one sentence and never a hang; a file that
// comes later is followed.
func TestTrouble(t *testing.T) {
	dir := t.TempDir()
	at := func(n string) string { return filepath.Join(dir, n) }
	if err := exec.Command("mkfifo", at("pipe")).Run(); err != nil {
		must(t, os.Mkdir(at("pipe"), 0o700)) // no named pipes on this system
	}
	must(t, os.WriteFile(at("file"), []byte("x\n"), 0o600))
	must(t, os.Symlink(at("file"), at("link")))
	for _, c := range []struct{ path, want string }{
		{at("pipe"), "not a file"}, {dir, "folder"}, {at("link"), "symbolic link"}, {at("none"), "not there"},
	} {
		l := open(t, c.path, Options{Running: true})
		f := l.Facts()
		if !strings.Contains(f.Trouble, c.want) || strings.Contains(strings.TrimSuffix(f.Trouble, "."), "\n") {
			t.Errorf("%s: %q", c.path, f.Trouble)
		}
		if p := page(t, l, task.PageRequest{Tail: true, Before: 10}); len(p.Lines) != 0 || p.Facts.Trouble == "" {
			t.Errorf("%s: page %+v", c.path, p)
		}
		if err := ReadAll(context.Background(), here(t), c.path, ReadOptions{}, func(task.Line) error { return nil }); err == nil {
			t.Errorf("%s: ReadAll reads it", c.path)
		}
		if c.path == at("none") {
			add(t, c.path, "here\n")
			until(t, l, "the file", func(f task.Facts) bool { return f.Trouble == "" && f.Lines == 1 })
		}
	}
	if _, err := Open(here(t), task.OutputRef{}, Options{}); err == nil {
		t.Error("no path, no error")
	}
}

// A cut or replaced file starts a new generation, and says so.
func TestGenerations(t *testing.T) {
	path := file(t, strings.Repeat("old line\n", 100))
	l := open(t, path, Options{Running: true})
	counted(t, l)
	page(t, l, task.PageRequest{Tail: true, Before: 10})
	must(t, os.Truncate(path, 0))
	add(t, path, "new\n")
	f := until(t, l, "the cut", func(f task.Facts) bool { return f.Gen >= 1 && f.Size == 4 && f.LinesKnown })
	p := page(t, l, task.PageRequest{Tail: true, Before: 10})
	if texts(p.Lines) != "the file was truncated here|new" || p.Lines[0].Mark != task.MarkRestarted || f.Lines != 1 {
		t.Errorf("rows %q, facts %+v", texts(p.Lines), f)
	}
	must(t, os.Remove(path))
	until(t, l, "the removal", func(f task.Facts) bool { return f.Gone })
	if p := page(t, l, task.PageRequest{At: 0, After: 10}); !strings.HasSuffix(texts(p.Lines), "new") {
		t.Errorf("a removed file reads %q", texts(p.Lines))
	}
	add(t, path, "again\n")
	until(t, l, "the new file", func(n task.Facts) bool { return n.Gen > f.Gen && n.Size == 6 && !n.Gone })
	if p := page(t, l, task.PageRequest{Tail: true, Before: 10}); texts(p.Lines) != "the file was replaced here|again" {
		t.Errorf("replaced: %q", texts(p.Lines))
	}
}

func TestUTF16(t *testing.T) {
	const text = "héllo wörld 漢字 😀\r\nsecond http://localhost:3000\r\n\nlast"
	for _, order := range []string{"le", "be"} {
		b := []byte("\xff\xfe")
		if order == "be" {
			b = []byte("\xfe\xff")
		}
		var starts []int64
		line := true
		for _, u := range utf16.Encode([]rune(text)) {
			if line {
				starts = append(starts, int64(len(b)))
			}
			if line = u == '\n'; order == "le" {
				b = append(b, byte(u), byte(u>>8))
			} else {
				b = append(b, byte(u>>8), byte(u))
			}
		}
		for _, running := range []bool{true, false} {
			l := open(t, file(t, string(b)), Options{Running: running})
			f := counted(t, l)
			p := page(t, l, task.PageRequest{Tail: true, Before: 10})
			if f.Lines != 4 || texts(p.Lines) != "héllo wörld 漢字 😀|second http://localhost:3000||last" || f.LastLine != "last" || len(f.URLs) != 1 {
				t.Fatalf("%s: %q %+v", order, texts(p.Lines), f)
			}
			for i, r := range p.Lines {
				if r.Offset != starts[i] || i+1 < len(starts) && r.End != starts[i+1] {
					t.Errorf("%s row %d: %d–%d, want from %d", order, i, r.Offset, r.End, starts[i])
				}
			}
			q := page(t, l, task.PageRequest{At: starts[1], Before: 1, After: 2})
			if texts(q.Lines) != "héllo wörld 漢字 😀|second http://localhost:3000|" {
				t.Errorf("%s: page %q", order, texts(q.Lines))
			}
		}
	}
}

// The first news of a quiet file comes at once (written → Changed ≤ 50 ms p99 on
// an idle machine); a flood gives at most 30 a second.
func TestNewsComesAtOnce(t *testing.T) {
	path := file(t, "x\n")
	l := open(t, path, Options{Running: true})
	counted(t, l)
	page(t, l, task.PageRequest{Tail: true, Before: 10})
	var took []time.Duration
	for range 40 {
		settle(t, l)
		rev, size := l.Facts().Rev, l.Facts().Size
		start := time.Now()
		add(t, path, "line\n")
		for l.Facts().Size == size {
			must(t, l.Changed(context.Background(), rev))
			rev = l.Facts().Rev
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	t.Logf("median %v, worst %v", took[20], took[39])
	if took[30] > 50*time.Millisecond {
		t.Errorf("three quarters within %v", took[30])
	}
	n := 0
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); n++ {
		rev := l.Facts().Rev
		add(t, path, strings.Repeat("flood\n", 1000))
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		must(t, l.Changed(ctx, rev))
		cancel()
	}
	if n > 22 {
		t.Errorf("%d pieces of news in half a second", n)
	}
}

// settle waits until nothing is news for a moment.
func settle(t *testing.T, l *Log) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 80*time.Millisecond)
		err := l.Changed(ctx, l.Facts().Rev)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return
		}
		must(t, err)
	}
}

func TestCloseEndsWaiting(t *testing.T) {
	l := open(t, file(t, "x\n"), Options{Running: true})
	f := counted(t, l)
	done := make(chan error, 1)
	go func() {
		rev := f.Rev
		for {
			if err := l.Changed(context.Background(), rev); err != nil {
				done <- err
				return
			}
			rev = l.Facts().Rev
		}
	}()
	must(t, l.Close())
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("a reader waits for ever")
	}
}
