package registry

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/task"
)

// tailed is a source whose records say nothing of tasks as long as they do not say
// "task".
type tailed struct{ *script }

func (tailed) Unmoved(_ string, added []byte) bool { return string(added) == "talk\n" }

func glanceOf(t *testing.T, r *Registry) Glance {
	t.Helper()
	g, err := r.TakeGlance(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGlanceMoves is W4: whatever changes in a place is seen, and what means
// nothing is not.
func TestGlanceMoves(t *testing.T) {
	dir := t.TempDir()
	log, out, other := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "b1.output"), filepath.Join(dir, "late")
	put := func(path, text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			_ = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(log, "one\nhalf")
	put(out, "x")
	x := one1("b1", task.Running)
	x.Source, x.Output.Path = "x", out
	src := tailed{&script{snap: task.Snapshot{Tasks: []task.Task{x}, Looked: []task.Place{{Source: "x", Path: other}}}, dirs: []string{dir}}}
	r := New(Options{World: newWorld(t), Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
	defer func() { _ = r.Close() }()
	for _, c := range []struct {
		name  string
		does  func()
		moved bool
	}{
		{"nothing", func() {}, false},
		{"the output grew", func() { put(out, "more\n") }, false},
		{"half a line that began before is read from where it began", func() { put(log, "\n") }, true},
		{"talk", func() { put(log, "talk\n") }, false},
		{"a task", func() { put(log, "task\n") }, true},
		{"a record that shrank", func() { _ = os.Truncate(log, 2) }, true},
		{"another file", func() { put(filepath.Join(dir, "exit.json"), "{}") }, true},
		{"a file that went", func() { _ = os.Remove(filepath.Join(dir, "exit.json")) }, true},
		{"a place that came", func() { put(other, "") }, true},
	} {
		g := glanceOf(t, r)
		c.does()
		if got := len(r.Moved(g)) > 0; got != c.moved {
			t.Errorf("%s: moved %v", c.name, got)
		}
	}
}

// TestGlanceDies is W4: an end that no file shows is seen by the process.
func TestGlanceDies(t *testing.T) {
	r := New(Options{World: newWorld(t), Sources: []Named{{Name: "x", Source: &script{}}}})
	defer func() { _ = r.Close() }()
	table, err := proc.Scan(here(t))
	if err != nil {
		t.Skipf("the processes cannot be seen: %v", err)
	}
	me, _ := table.Get(os.Getpid())
	self := proc.ID{PID: os.Getpid(), Start: me.Start}
	for _, c := range []struct {
		name  string
		b     briefTask
		moved bool
	}{
		{"one of two lives", briefTask{Alive: []proc.ID{{PID: 1 << 22, Start: 1}, self}}, false},
		{"none lives", briefTask{Alive: []proc.ID{{PID: self.PID, Start: self.Start + 1}}}, true},
		{"its agent is gone", briefTask{Alive: []proc.ID{self}, Agent: proc.ID{PID: self.PID, Start: self.Start + 1}}, true},
		{"none is known", briefTask{}, false},
		{"it ended", briefTask{Status: task.Failed, Alive: []proc.ID{{PID: 1 << 22, Start: 1}}}, false},
	} {
		if c.b.Status == "" {
			c.b.Status = task.Running
		}
		g := Glance{Sources: []sourceGlance{{Name: "x", Tasks: []briefTask{c.b}}}}
		if got := len(r.Moved(g)) > 0; got != c.moved {
			t.Errorf("%s: moved %v", c.name, got)
		}
	}
	if got := r.Moved(Glance{}); !reflect.DeepEqual(got, []string{"x"}) {
		t.Errorf("a source that the glance does not know: %v", got)
	}
}

// TestGlanceKeeps: what is written is what is read, for its owner alone; and the
// ledger's marks count from when they are there.
func TestGlanceKeeps(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if _, err := ReadGlance(state); err == nil {
		t.Error("a glance out of nothing")
	}
	g := Glance{At: time.Unix(1, 0).UTC(), Whole: true, Sources: []sourceGlance{{Name: "x", Tasks: []briefTask{
		{ID: "x:1", Session: "x:s", Kind: task.Shell, Status: task.Failed, Run: 1},
		{ID: "x:2", Session: "x:s", Kind: task.Shell, Status: task.Failed, Run: 1},
		{ID: "x:3", Session: "x:other", Kind: task.Shell, Status: task.Running, Run: 1},
	}, Sessions: []briefSession{{ID: "x:s", Native: "s", Agent: "x"}, {ID: "x:other", Native: "other", Agent: "x"}}}}}
	if err := WriteGlance(state, g); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(filepath.Join(state, glanceFile))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", st.Mode(), err)
	}
	back, err := ReadGlance(state)
	if err != nil || !reflect.DeepEqual(back, g) {
		t.Errorf("read back %+v %v", back, err)
	}
	snap := back.Snapshot(Scope{Session: "s"}, Marks{seen: map[store.RunKey]bool{{Task: "x:1", Run: 1}: true}})
	p := task.PillOf(snap, time.Unix(2, 0), task.PillScope{})
	if p.Failed != 1 || p.Attention != "x:2" || len(p.Running) != 0 {
		t.Errorf("with a mark, in a session: %+v", p)
	}
	if err := os.WriteFile(filepath.Join(state, glanceFile), []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadGlance(state); err == nil {
		t.Error("half a glance was read")
	}
}

// TestOneCatchesUp: of many only one, and one that died does not hold the rest up.
func TestOneCatchesUp(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	free, ok := LockCatchUp(state)
	if _, second := LockCatchUp(state); !ok || second || !CatchingUp(state) {
		t.Fatalf("first %v, second %v", ok, second)
	}
	old := time.Now().Add(-2 * catchUpLimit)
	if err := os.Chtimes(filepath.Join(state, "glance.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	if _, ok := LockCatchUp(state); !ok {
		t.Error("the lock of a dead one holds the rest up")
	}
	free()
	if CatchingUp(state) {
		t.Error("it was set free")
	}
}
