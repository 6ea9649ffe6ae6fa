package kimi

import (
	"testing"

	"offstage/internal/source/trace/tracetest"
)

// TestRecordings: every task of every recording as it really was (issue 9.1, 9.2).
func TestRecordings(t *testing.T) {
	tracetest.Each(t, func(t *testing.T, r tracetest.Recording) {
		snap := tracetest.All(t, New(r.World, r.Procs))
		for i, w := range r.Tasks {
			if w.NativeStatus == "lost" && len(w.AlivePIDs) > 0 {
				r.Tasks[i].Status = "running" // the agent lost it; its process lives
			}
		}
		r.Compare(t, snap)
	})
}
