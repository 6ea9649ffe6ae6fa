package claude

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// Bad input: what stands in the place of an output file is named on the row.
func TestBadOutputs(t *testing.T) {
	cases := map[string]struct {
		put  func(s *stage)
		want string
	}{
		"gone":       {func(*stage) {}, "removed"},
		"a folder":   {func(s *stage) { must(t, os.MkdirAll(s.at(devOut), 0o755)) }, "a folder"},
		"a pipe":     {func(s *stage) { pipe(t, s.at(devOut)) }, "pipe"},
		"a link":     {func(s *stage) { s.output("/etc/passwd", "x"); link(t, "/etc/passwd", s.at(devOut)) }, "link to elsewhere"},
		"unreadable": {func(s *stage) { s.output(devOut, "x\n"); must(t, os.Chmod(s.at(devOut), 0)) }, "permission denied"},
		"own link": {func(s *stage) {
			s.output("/tmp/claude-1000/-srv-app/old/tasks/b1.output", "x\n")
			link(t, "/tmp/claude-1000/-srv-app/old/tasks/b1.output", s.at(devOut))
		}, ""},
	}
	for name, c := range cases {
		s := newStage(t)
		s.client(40, "s", "shell", "")
		s.process(40, 1, "claude", []string{"claude"}, "")
		s.transcript("s", devLines()...)
		c.put(s)
		snap := s.scan()
		if len(snap.Tasks) != 1 {
			t.Fatalf("%s: %d tasks", name, len(snap.Tasks))
		}
		x := snap.Tasks[0]
		if (c.want == "") != (x.Trouble == "") || !strings.Contains(x.Trouble, c.want) || (x.Trouble != "") == x.Can.Read {
			t.Errorf("%s: %q, can read %v", name, x.Trouble, x.Can.Read)
		}
		if strings.Contains(x.Output.Path, "passwd") {
			t.Errorf("%s: leads to %s", name, x.Output.Path)
		}
	}
}

// pipe makes a FIFO.
func pipe(t testing.TB, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v %s", err, out)
	}
}

func link(t testing.TB, target, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.Symlink(target, path))
}

// Bad input: a broken transcript costs its own session only.
func TestBadTranscripts(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	s.process(50, 40, "node", []string{"node"}, devOut)
	s.transcript("s", devLines()...)
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	dir := "home/dev/.claude/projects/-srv-app/"
	write(t, s.at(dir+"noise.jsonl"), noise)
	write(t, s.at(dir+"empty.jsonl"), nil)
	write(t, s.at(dir+"zeros.jsonl"), make([]byte, 100_000))
	must(t, os.Mkdir(s.at(dir+"folder.jsonl"), 0o755))
	link(t, "/etc/passwd", s.at(dir+"link.jsonl"))
	s.output("/etc/passwd", "x")
	write(t, s.at("home/dev/.claude/sessions/99.json"), []byte(`{"pid":99,"sessionId":"../../../etc/passwd"}`))
	write(t, s.at("home/dev/.claude/sessions/98.json"), []byte(`{"pid":`))
	write(t, s.at("home/dev/.claude/sessions/97.json"), []byte(`{"pid":"x","sessionId":7}`))
	snap := s.scan()
	expect(t, "the good one", said(snap, "b1"), "running by processes, claude:s")
	if len(snap.Tasks) != 1 {
		t.Errorf("%d tasks", len(snap.Tasks))
	}
	for _, x := range snap.Sessions {
		if strings.Contains(x.Native, "/") {
			t.Errorf("session %s", x.Native)
		}
	}
}

// A line of 100 MB is passed over, and what stands around it is read.
func TestHugeLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	s := newStage(t)
	s.client(40, "s", "idle", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	path := s.transcript("s", devLines()...)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"type":"user","message":"` + strings.Repeat("x", 100<<20) + `"}` + "\n" + enqueued(5, notice("b1", "failed", "x failed with exit code 3")) + "\n")
	must(t, err)
	must(t, f.Close())
	snap := s.scan()
	expect(t, "task", said(snap, "b1"), "failed by notification, claude:s, code 3")
	if !strings.Contains(snap.Sessions[0].Trouble, "64 MB") {
		t.Errorf("the session says so: %q", snap.Sessions[0].Trouble)
	}
}

// Incremental: each byte once; a half-written line waits; a cut or swapped
// transcript is read anew.
func TestFollowing(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "idle", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	path := s.transcript("s", devLines()...)
	src := s.source()
	scanned(t, src)
	r := src.readers[path]
	lines := r.x.lines
	end := enqueued(5, notice("b1", "completed", "x completed (exit code 0)"))
	end = strings.ReplaceAll(end, `"sessionId":"s"`, `"sessionId":"s"`)
	appendTo(t, path, end[:40])
	expect(t, "half a line", said(scanned(t, src), "b1"), "lost by processes, claude:s")
	appendTo(t, path, end[40:]+"\n")
	expect(t, "the rest of it", said(scanned(t, src), "b1"), "succeeded by notification, claude:s, code 0")
	if src.readers[path] != r || r.x.lines != lines+1 {
		t.Errorf("%d lines were read, want %d", r.x.lines, lines+1)
	}
	scanned(t, src)
	if r.x.lines != lines+1 {
		t.Error("nothing is read twice")
	}
	s.transcript("s", devLines()...)
	expect(t, "cut", said(scanned(t, src), "b1"), "lost by processes, claude:s")
	must(t, os.Remove(path))
	snap := scanned(t, src)
	if len(snap.Tasks) != 0 || sessionOf(snap, "s") != "idle" {
		t.Errorf("after the transcript vanished: %v %s", snap.Tasks, sessionOf(snap, "s"))
	}
}

func appendTo(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(text)
	must(t, err)
	must(t, f.Close())
}

// The first look at a long transcript shows its running task before it was
// read whole, and the whole of it gives the same.
func TestFirstLook(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	s.process(50, 40, "node", []string{"node"}, devOut, "CLAUDE_PID=40")
	path := s.transcript("s", longTranscript("s", 8<<20, strings.Join(devLines(), "\n")+"\n"))
	src := recorded(t, s.root, s.now, Options{})
	src.o.Budget = time.Second
	r := newReader(path, filepath.Dir(path), "s", false)
	r.read(0)
	if r.launched("b1") || !r.probe("b1", time.Time{}, func() bool { return true }) || !r.launched("b1") {
		t.Fatal("the launch is found in the part that was not read")
	}
	if e := r.early.events; len(e) != 1 || e[0].launch.command != "npm run dev" {
		t.Errorf("%+v", e)
	}
	if at := time.Date(2026, 11, 30, 20, 0, 2, 0, time.UTC); r.timeOffset(openFile(t, path), at) < 3<<20 {
		t.Error("halving by time leads near the launch")
	}
	var snap task.Snapshot
	for range 50 {
		snap = scanned(t, src)
		expect(t, "task", said(snap, "b1"), "running by processes, claude:s")
		if !src.Pending() {
			break
		}
	}
	if src.Pending() || src.readers[path].early != nil {
		t.Error("the transcript is read whole in the end")
	}
	if len(src.Dirs()) < 4 {
		t.Errorf("folders to watch: %v", src.Dirs())
	}
}

func openFile(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// A clock that was set back: records that are still to come keep no task
// running without a process (spec 5, bad input).
func TestRecordsFromTheFuture(t *testing.T) {
	s := newStage(t)
	s.client(50, "s", "shell", "")
	s.process(50, 1, "claude", []string{"claude"}, "")
	var lines []string
	for _, l := range devLines() {
		lines = append(lines, strings.ReplaceAll(l, "2026-11-30", "2036-01-01"))
	}
	s.transcript("s", lines...)
	s.output(devOut, "ready\n")
	expect(t, "without a process", said(s.scan(), "b1"), "lost by processes, claude:s")
}
