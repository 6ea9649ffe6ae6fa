package registry

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/task"
)

// TestBriefFirst: the first answer of a panel has a page of what the ledger knows to
// have ended, the next one, which comes at once, has the rest.
func TestBriefFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	const many = 3 * fewEnded
	var reports []ledger.Report
	for i := range many {
		reports = append(reports, ledger.Report{Proof: ledger.Recorded, Record: task.Record{ID: fmt.Sprintf("x:b%03d", i), Run: 1, Kind: task.Shell,
			Session: fmt.Sprint("x:s", i%15), Title: "t", Status: task.Succeeded, Ended: time.Now().Add(-time.Duration(i) * time.Second)}})
	}
	if _, err := ledger.NewBook(st, time.Now, nil).Observe(reports); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	r, _ := desk(t, dir, task.Snapshot{})
	defer func() { _ = r.Close() }()
	var rev uint64
	var counts []int
	began := time.Now()
	for len(counts) == 0 || counts[len(counts)-1] < many {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		snap, err := r.Next(ctx, rev)
		cancel()
		if err != nil {
			t.Fatalf("%v after %v", err, counts)
		}
		rev = snap.Rev
		counts = append(counts, len(snap.Tasks))
	}
	if counts[0] != fewEnded {
		t.Errorf("the answers had %v rows", counts)
	}
	if took := time.Since(began); took > idleTick-time.Second {
		t.Errorf("all of them came after %v", took)
	}
}
