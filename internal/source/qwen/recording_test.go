package qwen

import (
	"testing"

	"offstage/internal/source/trace/tracetest"
)

// TestRecordings: every task of every recording as it really was (issue 9.1, 9.2).
func TestRecordings(t *testing.T) {
	tracetest.Each(t, func(t *testing.T, r tracetest.Recording) {
		r.Compare(t, tracetest.All(t, New(r.World, r.Procs)))
	})
}
