package registry

import (
	"context"

	"offstage/internal/runner"
	"offstage/internal/taskdir"
	"offstage/task"
)

// AskedByAgent says whether commands in this environment are started by an agent
// (H1: those have an end).
func AskedByAgent(env []string) bool { return runner.AskerOf(env).Agent != "" }

// RunEnd waits for the end of a task that Run started here, by its folder alone:
// no other source is asked, and its code is there within milliseconds.
func (r *Registry) RunEnd(ctx context.Context, id string) (task.Task, error) {
	d, err := taskdir.At(r.o.State, nativeOf(id))
	if err != nil {
		return task.Task{}, err
	}
	e, err := runner.Wait(ctx, r.w, d)
	if err != nil {
		return task.Task{}, err
	}
	return task.Task{ID: id, Source: OwnSource, Native: d.ID(), Run: 1, Status: e.Status(), ExitCode: e.Code, Signal: e.Signal, Ended: e.Ended}, nil
}

func nativeOf(id string) string {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == ':' {
			return id[i+1:]
		}
	}
	return id
}
