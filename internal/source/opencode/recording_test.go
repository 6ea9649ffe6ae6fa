package opencode

import (
	"testing"

	"offstage/internal/source/trace/tracetest"
)

// TestRecordings: every session of every recording as it really was, and no task
// where OpenCode knows of none (issue 9.1, 9.2).
func TestRecordings(t *testing.T) {
	tracetest.Each(t, func(t *testing.T, r tracetest.Recording) {
		r.Compare(t, tracetest.All(t, New(r.World, r.Procs)))
	})
}
