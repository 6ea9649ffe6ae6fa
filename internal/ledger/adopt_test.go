package ledger

import (
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// A session that goes on from another is told what that one is owed (M3); what
// was told stays told.
func TestAdopt(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	b := NewBook(s, time.Now, nil)
	end := func(id string, status task.Status) {
		if _, err := b.Report(Report{Record: task.Record{ID: id, Runtime: RuntimeShell, Owner: "claude:old", Session: "claude:old", Status: task.Running, Started: time.Now()}}); err != nil {
			t.Fatal(err)
		}
		if status.Ended() {
			if _, err := b.Report(Report{Record: task.Record{ID: id, Status: status}, Proof: Witnessed}); err != nil {
				t.Fatal(err)
			}
		}
	}
	end("own:t-running0", task.Running)
	end("own:t-owed0000", task.Failed)
	end("own:t-told0000", task.Failed)
	if won, err := b.Claim("own:t-told0000", 1, task.Identity{PID: 1, Start: 1}); !won || err != nil {
		t.Fatal(won, err)
	}
	if err := b.Adopt("claude:old", "claude:new"); err != nil {
		t.Fatal(err)
	}
	owed, err := s.Owed([]string{"claude:new"}, 10)
	if err != nil || len(owed) != 1 || owed[0].ID != "own:t-owed0000" || owed[0].Session != "claude:old" {
		t.Errorf("owed %+v %v", owed, err)
	}
	if r, _, err := s.Record("own:t-running0"); err != nil || r.Owner != "claude:new" {
		t.Errorf("what runs: %+v %v", r, err)
	}
	if r, _, err := s.Record("own:t-told0000"); err != nil || r.Owner != "claude:old" {
		t.Errorf("what was told: %+v %v", r, err)
	}
}
