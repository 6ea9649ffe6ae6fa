package codex

import (
	"context"
	"testing"

	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

// scan reads until nothing is left.
func scan(t *testing.T, s *Source) task.Snapshot {
	t.Helper()
	for range 1000 {
		snap, err := s.Scan(context.Background())
		tracetest.Must(t, err)
		if !s.Pending() {
			return snap
		}
	}
	t.Fatal("it never has read all")
	return task.Snapshot{}
}

// TestRecordings: every task of every recording as it really was (issue 9.1, 9.2).
func TestRecordings(t *testing.T) {
	tracetest.Each(t, func(t *testing.T, r tracetest.Recording) {
		snap := scan(t, New(r.World, r.Procs))
		r.Compare(t, snap)
	})
}
