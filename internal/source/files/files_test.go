package files

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, path, text string, age time.Duration) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
	when := time.Now().Add(-age)
	must(t, os.Chtimes(path, when, when))
}

func source(t testing.TB, dir string) *Source {
	t.Helper()
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	must(t, err)
	return New(w, dir, Options{Procs: func() (*proc.Table, error) { return proc.Scan(w) }})
}

func listed(t testing.TB, s *Source) map[string]task.Task {
	t.Helper()
	snap, err := s.Scan(context.Background())
	must(t, err)
	out := map[string]task.Task{}
	for _, x := range snap.Tasks {
		out[x.Native] = x
	}
	return out
}

// spec 5, --files: what looks like a log is shown, with the state that can be
// known of it.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/a.log", "fresh\n", time.Second)
	put(t, dir+"/b.log", "old\n", time.Hour)
	put(t, dir+"/deep/c.output", "x\n\n[exited with code 3]\n", time.Hour)
	put(t, dir+"/deep/d.output", "x\n\n[killed]\n", time.Second)
	put(t, dir+"/e.txt", "x\n\n[exited with code 0]\n", time.Hour)
	put(t, dir+"/f.log.1", "old\n", time.Hour)
	put(t, dir+"/nohup", "text\n", time.Hour)
	put(t, dir+"/with:colon.log", "x\n", time.Hour)
	put(t, dir+"/program", "\x7fELF\x00\x00", time.Hour)
	put(t, dir+"/main.go", "package main\n", time.Hour)
	put(t, dir+"/a.log.gz", "\x1f\x8b", time.Hour)
	put(t, dir+"/node_modules/x.log", "x\n", time.Hour)
	must(t, os.Symlink("/etc/passwd", dir+"/link.log"))
	if out, err := exec.Command("mkfifo", dir+"/pipe.log").CombinedOutput(); err != nil {
		t.Logf("no named pipe here: %v %s", err, out)
	}
	must(t, os.Mkdir(dir+"/folder.log", 0o755))

	got := listed(t, source(t, dir))
	want := map[string]task.Status{"a.log": task.Running, "b.log": task.Lost, "deep/c.output": task.Failed, "deep/d.output": task.Cancelled,
		"e.txt": task.Succeeded, "f.log.1": task.Lost, "nohup": task.Lost, "with%3Acolon.log": task.Lost}
	for name, status := range want {
		x := got[name]
		if x.Status != status || x.ID != "files:"+name || x.Session != "files:files" || x.StatusSource == "" || x.Output.Bytes == 0 {
			t.Errorf("%s: %+v, want %s", name, x, status)
		}
		if (x.Status == task.Running) != x.Ended.IsZero() {
			t.Errorf("%s: ended %s", name, x.Ended)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files are listed, want %d: %v", len(got), len(want), got)
	}
	if c := got["deep/c.output"].ExitCode; c == nil || *c != 3 {
		t.Errorf("exit code %v", c)
	}
}

// A file that a process has as its own output is running however quiet it is;
// one that is only read, or held by an editor, is not.
func TestWriter(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("no sleep program here to write a file with")
	}
	dir := t.TempDir()
	put(t, dir+"/w.log", "quiet\n", time.Hour)
	put(t, dir+"/r.log", "read\n", time.Hour)
	out, err := os.OpenFile(dir+"/w.log", os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	in, err := os.Open(dir + "/r.log")
	must(t, err)
	cmd := exec.Command("sleep", "30")
	cmd.Stdout, cmd.Stdin = out, in
	must(t, cmd.Start())
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	must(t, out.Close())
	must(t, in.Close())
	got := listed(t, source(t, dir))
	if x := got["w.log"]; x.Status != task.Running || x.StatusSource != "processes" || !x.Can.Stop {
		t.Errorf("%+v", x)
	}
	if x := got["r.log"]; x.Status != task.Lost {
		t.Errorf("%+v", x)
	}
}

// A log with zeros in it is a log: one that was cut while it was written, a
// sparse one, one with a stray zero, one of any bytes at all. What is surely a
// file of another kind is none, whatever its name.
// Links, pipes and devices are not opened, and it is said.
func TestZerosAndLinks(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/stray.log", "a\x00b\n"+strings.Repeat("\x00", 4000)+"end\n", time.Hour)
	put(t, dir+"/sparse.log", "start\n", time.Hour)
	must(t, os.Truncate(dir+"/sparse.log", 1<<40))
	put(t, dir+"/cut.log", strings.Repeat("\x00", 3000)+"tail\n", time.Hour)
	put(t, dir+"/wide.log", "\xff\xfeh\x00i\x00\n\x00", time.Hour)
	put(t, dir+"/000003.log", "\x9f\x02\x00\xd8\xfe\xff\x80\x81\x01\x00\xc0\xc1\xf5", time.Hour)
	put(t, dir+"/broken.log", "\x00\x01\xff\xfe\x80\x9b31m\xc3\n\x00\xf0\x9f"+strings.Repeat("\xe9\x00\x9f", 600), time.Hour)
	put(t, dir+"/a.out", "\x7fELF\x02\x01\x01\x00", time.Hour)
	put(t, dir+"/cpu.out", "\x1f\x8b\x08\x00", time.Hour)
	put(t, dir+"/trace.out", "go 1.25 trace\x00\x00\x00\x01", time.Hour)
	put(t, dir+"/junk", "\x00\x01\xff\xfe", time.Hour)
	s := source(t, dir)
	if got := listed(t, s); len(got) != 5 || got["000003.log"].ID != "" || got["broken.log"].ID == "" {
		t.Errorf("%d logs are listed: %v", len(got), got)
	}
	for _, n := range []string{"a.log", "b.log", "c.log", "d.log", "e.link"} {
		must(t, os.Symlink("/etc/passwd", dir+"/"+n))
	}
	snap, err := source(t, dir).Scan(context.Background())
	must(t, err)
	if len(snap.Tasks) != 5 || len(snap.Troubles) != 1 || !strings.HasSuffix(snap.Troubles[0].Text, "are not opened: a.log, b.log, c.log and 1 more.") {
		t.Errorf("%d logs, %v", len(snap.Tasks), snap.Troubles)
	}
}

func TestBadFolders(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/x.log", "x\n", time.Hour)
	for _, d := range []string{dir + "/none", dir + "/x.log"} {
		snap, err := source(t, d).Scan(context.Background())
		must(t, err)
		if len(snap.Tasks) != 0 || len(snap.Troubles) != 1 || !strings.HasSuffix(snap.Troubles[0].Text, ".") {
			t.Errorf("%s: %+v", d, snap)
		}
	}
	s := source(t, dir)
	listed(t, s)
	must(t, os.Remove(dir+"/x.log"))
	if got := listed(t, s); len(got) != 0 {
		t.Errorf("a file that vanished is still listed: %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := source(t, dir).Scan(ctx); err == nil {
		t.Error("an ended context ends the scan")
	}
}

// At most 1,000 files are shown, the newest, and only their folders watched.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range MaxFiles + 5 {
		put(t, fmt.Sprintf("%s/%d/x.log", dir, i), "x\n", time.Duration(i)*time.Minute+time.Minute)
	}
	s := source(t, dir)
	snap, err := s.Scan(context.Background())
	must(t, err)
	if len(snap.Tasks) != MaxFiles || len(snap.Troubles) != 1 || len(s.Dirs()) != MaxFiles {
		t.Errorf("%d tasks, %v, %d folders", len(snap.Tasks), snap.Troubles, len(s.Dirs()))
	}
	if slices.Contains(s.Dirs(), fmt.Sprintf("%s/%d", dir, MaxFiles+1)) || snap.Tasks[0].Native != "0/x.log" {
		t.Error("the oldest files are left out")
	}
}

// A time that is still to come (a clock set back, a server whose clock is ahead)
// does not say that somebody writes; growth that was seen does.
func TestTimesToCome(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/ahead.log", "one\n", -2*time.Hour)
	put(t, dir+"/skewed.log", "one\n", -2*time.Second)
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	must(t, err)
	s := New(w, dir, Options{}) // no processes to be seen
	got := listed(t, s)
	if x := got["ahead.log"]; x.Status != task.Lost {
		t.Errorf("nobody writes it, and it is %s by %q", x.Status, x.StatusSource)
	}
	if x := got["skewed.log"]; x.Status != task.Running {
		t.Errorf("two seconds ahead: %s by %q", x.Status, x.StatusSource)
	}
	put(t, dir+"/ahead.log", "one\ntwo\n", -2*time.Hour)
	if x := listed(t, s)["ahead.log"]; x.Status != task.Running {
		t.Errorf("it was seen to grow, and it is %s by %q", x.Status, x.StatusSource)
	}
}
