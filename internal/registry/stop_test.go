package registry

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/task"
)

// stopStage is a registry with one task that real processes write.
func stopStage(t *testing.T, command string) (*Registry, task.Task, *exec.Cmd) {
	t.Helper()
	x, c := shellTask(t, command)
	r := New(Options{World: newWorld(t), State: filepath.Join(t.TempDir(), "state"), Keep: Keep{For: time.Hour, Max: 20},
		Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
	t.Cleanup(func() { _ = r.Close() })
	if _, err := r.Scan(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	return r, x, c
}

// TestStopOfOthersProvesNothing: the processes that were shown are gone and
// others write the output: nothing is tried, and the ledger must not say that the
// task was stopped while it runs (K7).
func TestStopOfOthersProvesNothing(t *testing.T) {
	r, x, c := stopStage(t, "exec sleep 300")
	plan, err := r.PlanStop(t.Context(), x.ID)
	if err != nil || plan.Refused != "" {
		t.Fatalf("%+v %v", plan, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(x.Output.Path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "300")
	other.Stdout = f
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	for end := time.Now().Add(5 * time.Second); ; {
		table, err := proc.Scan(r.w)
		if err != nil || time.Now().After(end) {
			t.Fatal("the killed process stays", err)
		}
		if p, ok := table.Get(c.Process.Pid); !ok || p.Dead() {
			break
		}
	}
	rep, err := r.Stop(t.Context(), plan, false, nil)
	if !errors.Is(err, proc.ErrChanged) || rep.Status != task.Running {
		t.Errorf("report %+v, %v", rep, err)
	}
	snap, err := r.Scan(t.Context(), 0)
	if err != nil || snap.Tasks[0].Status != task.Running {
		t.Errorf("the row says %s by %q, %v", snap.Tasks[0].Status, snap.Tasks[0].StatusSource, err)
	}
	if kept, err := r.ledger.store.Stops(time.Unix(0, 0)); err != nil || len(kept) != 0 {
		t.Errorf("the ledger keeps %v, %v", kept, err)
	}
}

// TestStopHidesCommands: what a stop says on its way is masked as well, and a
// command is masked before it is cut to fit (C8, C9).
func TestStopHidesCommands(t *testing.T) {
	tok := madeToken()
	for name, lead := range map[string]string{"whole": "name", "across the cut": strings.Repeat("x", 25)} {
		t.Run(name, func(t *testing.T) {
			r, x, _ := stopStage(t, "exec bash -c 'while :; do sleep 0.05; done' "+lead+" "+tok)
			plan, err := r.PlanStop(t.Context(), x.ID)
			if err != nil || plan.Refused != "" {
				t.Fatalf("%+v %v", plan, err)
			}
			var said []string
			for _, p := range plan.Processes {
				said = append(said, p.Command)
			}
			rep, err := r.Stop(t.Context(), plan, true, func(p task.StopProgress) {
				said = append(said, p.Step)
				for _, l := range p.Left {
					said = append(said, l.Command)
				}
			})
			if err != nil || rep.Status != task.Cancelled {
				t.Fatalf("%+v %v", rep, err)
			}
			for _, s := range said {
				if strings.Contains(s, tok[:8]) || len([]rune(s)) > 150 {
					t.Errorf("%q", s)
				}
			}
			if all := strings.Join(said, " "); !strings.Contains(all, "while :") {
				t.Errorf("no command: %s", all)
			}
		})
	}
}

// TestNameIsNoRun: a log of a folder has no number of runs, so a stop counts for
// what ended with it and not for what the same name says hours later.
func TestNameIsNoRun(t *testing.T) {
	at := time.Now().Add(-3 * time.Hour)
	i := store.StopIntent{Task: "files:a.log", Run: 1, At: at, Proven: true}
	x := task.Task{ID: "files:a.log", Source: "files", Run: 1, Status: task.Failed, StatusSource: "end mark", Ended: at.Add(2 * time.Hour)}
	if got := foldStop(x, i); got.Status != task.Failed {
		t.Errorf("a later run of the same log is %s by %q", got.Status, got.StatusSource)
	}
	x.Status, x.StatusSource, x.Ended, x.Output.LastWrite = task.Running, "output file", time.Time{}, at.Add(2*time.Hour)
	if got := foldStop(x, i); got.Status != task.Running {
		t.Errorf("a log that grows is %s by %q", got.Status, got.StatusSource)
	}
	x.Status, x.Ended = task.Failed, at.Add(2*time.Second)
	if got := foldStop(x, i); got.Status != task.Cancelled {
		t.Errorf("the run that was stopped is %s", got.Status)
	}
	x.Source, x.Ended = "claude", at.Add(2*time.Hour) // its agent wrote late
	if got := foldStop(x, i); got.Status != task.Cancelled {
		t.Errorf("a numbered run is %s", got.Status)
	}
}
