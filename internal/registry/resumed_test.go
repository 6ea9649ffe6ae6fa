package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestCountsSurviveARestart: a restart takes the counts of a log up where the last
// program left them, and does not read it again: what it counted is wiped in between
// and counts all the same (F2, G).
func TestCountsSurviveARestart(t *testing.T) {
	w, state := newWorld(t), filepath.Join(t.TempDir(), "state")
	x := one1("a", task.Running)
	x.Output.Path = filepath.Join(t.TempDir(), "out")
	look := func() *task.Tests {
		t.Helper()
		r := New(Options{World: w, State: state, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
		s, err := r.Scan(t.Context(), 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if len(s.Tasks) != 1 {
			t.Fatalf("%d tasks", len(s.Tasks))
		}
		return s.Tasks[0].Tests
	}
	begin := strings.Repeat("a line before the run\n", 300)
	run := " RUN  v3.2.7 /srv/app\n\n ✓ src/a.test.ts (19 tests) 5ms\n ✓ src/b.test.ts (3 tests) 5ms\n"
	if err := os.WriteFile(x.Output.Path, []byte(begin+run), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := look(); got == nil || got.Passed != 22 || got.Settled {
		t.Fatalf("first look: %+v", got)
	}
	f, err := os.OpenFile(x.Output.Path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte(strings.Repeat("\n", len(run))+" ✓ src/c.test.ts (5 tests) 5ms\n"), int64(len(begin)))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := look(); got == nil || got.Passed != 27 || len(got.Runs) != 1 {
		t.Errorf("after the restart %+v, want 22 of before and 5 read now", got)
	}
}
