package main

import (
	"path/filepath"

	"offstage/cli"
	"offstage/internal/registry"
	"offstage/internal/runner"
	"offstage/internal/world"
)

// supervise is the hidden verb: it looks after one task of our own, whose folder
// stands at path in STATE/tasks. The ledger is opened when the task has ended,
// not before: a supervisor is small.
func supervise(path string) int {
	w, err := world.New(world.Options{})
	if err != nil {
		return 1
	}
	state := filepath.Dir(filepath.Dir(path))
	return runner.Supervise(w, path, runner.SuperviseOptions{Ended: func(e runner.End) {
		if registry.RecordEnd(state, w.Now, e.Dir, e.Record, e.Exit) == nil { // else the folder says it; the next panel takes it up
			cli.TellEnd(w, state, e.Dir.ID())
		}
	}})
}
