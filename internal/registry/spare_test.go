package registry

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/ledger"
	"offstage/task"
)

// TestSpare: what a person keeps is said on its row and in no time forgotten, and
// goes with the rest once it is no longer kept (R6).
func TestSpare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	r, _ := desk(t, dir, task.Snapshot{Tasks: []task.Task{endedTask("a", "")}})
	look(t, r)
	if err := r.Spare("x:a", true); err != nil {
		t.Fatal(err)
	}
	if got := look(t, r); !got.Tasks[0].Kept {
		t.Fatalf("%+v", got.Tasks[0])
	}
	if err := r.Spare("x:nobody", true); err == nil || !strings.Contains(err.Error(), "does not know this task") {
		t.Errorf("of an unknown task: %v", err)
	}
	_ = r.Close()

	// Nine days later: swept, and looked for among all that ended.
	later := func() time.Time { return time.Now().Add(9 * 24 * time.Hour) }
	again := func() []task.Task {
		t.Helper()
		s, _ := desk(t, dir, task.Snapshot{})
		defer func() { _ = s.Close() }()
		look(t, s)
		sweeper := &ledger.Sweeper{Book: ledger.NewBook(s.ledger.store, later, nil)}
		if _, err := sweeper.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := readRemembered(s.ledger.store, later(), Keep{For: time.Hour, Max: 20, Ended: true}, maxEnded, s.ledger.probe)
		if err != nil {
			t.Fatal(err)
		}
		return got.tasks
	}
	if got := again(); len(got) != 1 || !got[0].Kept {
		t.Errorf("nine days later: %+v", got)
	}
	s, _ := desk(t, dir, task.Snapshot{})
	look(t, s)
	if err := s.Spare("x:a", false); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	if got := again(); len(got) != 0 {
		t.Errorf("no longer kept: %+v", got)
	}
}
