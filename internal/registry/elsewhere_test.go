package registry

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
	"offstage/testparse"
)

// K7: a stop by another program is known before the end is told, however quick
// the end was: no frame says failed first.
func TestStopElsewhereIsKnownAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	x := endedTask("a", "")
	x.Status, x.ExitCode, x.Ended = task.Running, nil, time.Time{}
	panel, src := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}})
	other, _ := desk(t, dir, task.Snapshot{})
	look(t, panel)
	if _, err := panel.Scan(context.Background(), 0); err != nil { // the ledger was read just now
		t.Fatal(err)
	}
	at := time.Now()
	for _, proven := range []bool{false, true} {
		if err := other.ledger.store.PutStop(store.StopIntent{Task: x.ID, Run: 1, At: at, PID: 1, Proven: proven}); err != nil {
			t.Fatal(err)
		}
	}
	code := 143
	x.Status, x.ExitCode, x.Ended = task.Failed, &code, at
	src.snap.Tasks = []task.Task{x}
	snap, err := panel.Scan(context.Background(), 0)
	if err != nil || len(snap.Tasks) != 1 || snap.Tasks[0].Status != task.Cancelled {
		t.Errorf("%+v %v", snap.Tasks, err)
	}
}

// A6: who reads a stop as a failure is named.
func TestAgainNoteNamesTheAgent(t *testing.T) {
	for source, want := range map[string]string{"claude": "Claude Code reads this as a failure and may start it again.", "qwen": "Qwen Code reads this as a failure and may start it again.", "own": "", "gemini": ""} {
		if got := againNote(task.Task{Source: source}, nil, false); got != want {
			t.Errorf("%s: %q", source, got)
		}
		if got := againNote(task.Task{Source: source}, nil, true); got != "" {
			t.Errorf("%s has a hook of ours, which tells it: %q", source, got)
		}
	}
}

// F5: the counts and addresses of a file of records are those of nobody's output.
func TestRecordsAreNoOutput(t *testing.T) {
	f := task.Facts{URLs: []string{"http://localhost:1"}, Tests: &task.Tests{Runs: make([]testparse.Run, 1)}}
	if x := foldFacts(task.Task{Decoder: noSteps{}}, f); x.URLs != nil || x.Tests != nil {
		t.Errorf("%+v", x)
	}
	if x := foldFacts(task.Task{}, f); x.URLs == nil || x.Tests == nil {
		t.Errorf("%+v", x)
	}
}

// noSteps decodes nothing.
type noSteps struct{ task.Decoder }
