package registry

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// asleep starts a process of the test's own and gives its identity.
func asleep(t *testing.T) task.ProcessID {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("no sleep to start: " + err.Error())
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := proc.Scan(w)
	if err != nil {
		t.Skip("the processes cannot be seen here: " + err.Error())
	}
	p, ok := table.Get(cmd.Process.Pid)
	if !ok {
		t.Fatal("the process is not in the table")
	}
	return task.ProcessID{PID: p.PID, Start: p.Start}
}

func leftRow(id string, p task.ProcessID) task.Task {
	return task.Task{ID: "left:" + id, Source: "left", Native: id, Kind: task.Shell, LeftBehind: true, Status: task.Running, Session: "x:s", Evidence: task.Evidence{Roots: []task.ProcessID{p}}}
}

// A process that its marks alone found is no row of its own when it belongs to a
// running task, and is one as soon as that has ended (A11).
func TestLeftBehindOfATaskIsNoRow(t *testing.T) {
	p := asleep(t)
	owner := task.Task{ID: "x:a", Source: "x", Native: "a", Kind: task.Shell, Status: task.Running, Session: "x:s", Evidence: task.Evidence{Roots: []task.ProcessID{p}}}
	src := &fixed{snap: task.Snapshot{Tasks: []task.Task{owner}, Sessions: []task.Session{{ID: "x:s", Cwd: "/srv", State: task.Idle}}}}
	marked := &fixed{snap: task.Snapshot{Tasks: []task.Task{leftRow("1-1", p)}, Sessions: []task.Session{{ID: "x:s", State: task.EndedSession}}}}
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{World: w, Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}, {Name: "left", Source: marked}}})
	defer func() { _ = r.Close() }()
	ids := func() (out []string) {
		snap, err := r.Scan(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range snap.Tasks {
			out = append(out, x.ID)
		}
		if len(snap.Sessions) != 1 || snap.Sessions[0].Cwd != "/srv" {
			t.Errorf("sessions %+v, want the one that its source told", snap.Sessions)
		}
		return out
	}
	if got := ids(); len(got) != 1 || got[0] != "x:a" {
		t.Errorf("while its task runs: %v", got)
	}
	owner.Status, owner.Ended = task.Succeeded, time.Now()
	src.snap.Tasks = []task.Task{owner}
	if got := ids(); len(got) != 2 {
		t.Errorf("after its task has ended: %v, want both rows", got)
	}
}

// Until every source has told what it knows nothing counts as left behind (A11).
func TestNothingIsLeftBehindTooEarly(t *testing.T) {
	p := asleep(t)
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	marked := &fixed{snap: task.Snapshot{Tasks: []task.Task{leftRow("1-1", p)}}}
	r := New(Options{World: w, Everywhere: true, Sources: []Named{{Name: "x", Source: &reading{}}, {Name: "left", Source: marked}}})
	defer func() { _ = r.Close() }()
	raw := r.unclaimed(gather(context.Background(), r.feeds, time.Second))
	if len(raw.Tasks) != 0 {
		t.Errorf("listed while a source is still reading: %+v", raw.Tasks)
	}
}

// fixed is a source that tells what it is given.
type fixed struct{ snap task.Snapshot }

func (f *fixed) Scan(context.Context) (task.Snapshot, error) { return f.snap, nil }
func (f *fixed) Dirs() []string                              { return nil }

// reading is a source that always has more to read.
type reading struct{ fixed }

func (*reading) Pending() bool { return true }
