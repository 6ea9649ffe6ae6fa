package registry

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/ledger"
	"offstage/task"
)

// desk is a registry over one source with a ledger in dir.
func desk(t *testing.T, dir string, snap task.Snapshot) (*Registry, *fixed) {
	t.Helper()
	src := &fixed{snap: snap}
	r := New(Options{World: here(t), State: dir, Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
	t.Cleanup(func() { _ = r.Close() })
	return r, src
}

func look(t *testing.T, r *Registry) task.Snapshot {
	t.Helper()
	r.ledger.asked = time.Time{}
	snap, err := r.Scan(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if r.ledger.diary != nil {
		r.ledger.diary.flush(5 * time.Second)
	}
	return snap
}

func endedTask(id, output string) task.Task {
	code := 3
	return task.Task{ID: "x:" + id, Source: "x", Native: id, Kind: task.Shell, Title: "build " + id, Session: "x:s", Run: 1, Cwd: "/srv/app",
		Status: task.Failed, ExitCode: &code, StatusSource: "notification", Started: time.Now().Add(-2 * time.Minute), Ended: time.Now().Add(-time.Minute),
		Output: task.OutputRef{Path: output}}
}

// G1: the row of a finished command comes back with its mark, times and output
// after a restart, also when its agent's traces are gone; with the traces it is
// one row.
func TestFinishedRowsComeBack(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "out.log")
	if err := os.WriteFile(out, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := endedTask("a", out)
	first, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}, Sessions: []task.Session{{ID: "x:s", State: task.Idle, Cwd: "/srv/app"}}})
	if got := look(t, first); len(got.Tasks) != 1 {
		t.Fatalf("%+v", got.Tasks)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	second, _ := desk(t, dir, task.Snapshot{})
	got := look(t, second)
	if len(got.Tasks) != 1 {
		t.Fatalf("the row did not come back: %+v", got.Tasks)
	}
	row := got.Tasks[0]
	if row.ID != x.ID || row.Status != task.Failed || row.ExitCode == nil || *row.ExitCode != 3 || row.Title != x.Title ||
		row.Started.UnixMilli() != x.Started.UnixMilli() || row.Ended.UnixMilli() != x.Ended.UnixMilli() || !row.Can.Read {
		t.Errorf("the row came back as %+v", row)
	}
	if len(got.Sessions) != 1 || got.Sessions[0].ID != "x:s" || got.Sessions[0].Cwd != "/srv/app" {
		t.Errorf("its session: %+v", got.Sessions)
	}
	if o, err := second.Open(context.Background(), x.ID); err != nil {
		t.Errorf("its console cannot be opened: %v", err)
	} else {
		_ = o.Close()
	}

	third, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}})
	if got := look(t, third); len(got.Tasks) != 1 {
		t.Errorf("with its traces the row stands twice: %+v", got.Tasks)
	}

	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	fourth, _ := desk(t, dir, task.Snapshot{})
	if got := look(t, fourth); len(got.Tasks) != 1 || got.Tasks[0].Can.Read || got.Tasks[0].Trouble != "Its output was removed." {
		t.Errorf("without its output: %+v", got.Tasks)
	}
}

// The same news costs no write; a transition is one (design 4).
func TestSameNewsNoWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	x := endedTask("a", "")
	x.Status, x.ExitCode, x.Ended = task.Running, nil, time.Time{}
	one, src := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}})
	two, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}})
	look(t, one)
	before, err := two.ledger.store.Version()
	if err != nil {
		t.Fatal(err)
	}
	x.Activity, x.Output.Bytes, x.ActivityAt = "another line", 4711, time.Now()
	src.snap.Tasks = []task.Task{x}
	look(t, one)
	look(t, one)
	if after, err := two.ledger.store.Version(); err != nil || after != before {
		t.Errorf("a last line and a size were written: %d, then %d (%v)", before, after, err)
	}
	x.Status, x.Ended = task.Succeeded, time.Now()
	src.snap.Tasks = []task.Task{x}
	look(t, one)
	rec, ok, err := one.ledger.store.Record("x:a")
	if err != nil || !ok || rec.Status != task.Succeeded || rec.CleanupAfter.IsZero() {
		t.Errorf("the end is not in the ledger: %+v %v %v", rec, ok, err)
	}
}

// What has no life beyond its window, or no agent to tell of its end, is not
// kept; a secret is not either (C9).
func TestNotKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	log, left, front, loud := endedTask("f", ""), endedTask("l", ""), endedTask("g", ""), endedTask("s", "")
	log.Source, left.LeftBehind, left.Status, front.Foreground = "files", true, task.Running, true
	secret := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	loud.Command = "deploy --token " + secret
	old := endedTask("o", "")
	old.Started, old.Ended = time.Now().Add(-9*24*time.Hour), time.Now().Add(-8*24*time.Hour)
	r, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{log, left, front, loud, old}})
	look(t, r)
	list, err := r.ledger.store.Every()
	if err != nil || len(list) != 1 || list[0].ID != "x:s" {
		t.Fatalf("kept %+v %v", list, err)
	}
	if strings.Contains(list[0].Command, secret) || !strings.Contains(list[0].Command, "[redacted]") {
		t.Errorf("the command is kept as %q", list[0].Command)
	}
}

// A ledger that cannot be written is said in one sentence and tried again; the
// rows are there all the same (R11).
func TestUnwrittenDiary(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	x := endedTask("a", "")
	r, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}})
	spoil(t, dir, "CREATE TRIGGER full BEFORE INSERT ON task BEGIN SELECT RAISE(ABORT, 'disk full'); END")
	look(t, r)
	got := look(t, r)
	if len(got.Tasks) != 1 || len(got.Troubles) != 1 || !strings.Contains(got.Troubles[0].Text, "cannot be written into the ledger") {
		t.Fatalf("%+v", got)
	}
	spoil(t, dir, "DROP TRIGGER full")
	r.ledger.diary.mu.Lock()
	r.ledger.diary.later = time.Time{}
	r.ledger.diary.mu.Unlock()
	look(t, r)
	if got := look(t, r); len(got.Troubles) != 0 {
		t.Errorf("it can be written again, and still it says: %+v", got.Troubles)
	}
	if _, ok, err := r.ledger.store.Record("x:a"); !ok || err != nil {
		t.Errorf("what could not be written is lost: %v", err)
	}
}

// R5: a source that has read all would list a task that is there; until then it
// can say nothing.
func TestWhatASourceKnows(t *testing.T) {
	x := endedTask("a", "")
	x.Status, x.Ended = task.Running, time.Time{}
	r, src := desk(t, "", task.Snapshot{Tasks: []task.Task{x}})
	knows := r.knows(r.feeds[0])
	rec := task.Record{ID: "x:a", Run: 1, Status: task.Running}
	if got := knows(rec); got != ledger.CannotSay {
		t.Errorf("before it was asked: %v", got)
	}
	look(t, r)
	if got := knows(rec); got != ledger.StillThere {
		t.Errorf("while it lists the task: %v", got)
	}
	src.snap.Tasks = nil
	look(t, r)
	if got := knows(rec); got != ledger.Gone {
		t.Errorf("when it lists it no more: %v", got)
	}
}
