package registry

import (
	"context"
	"errors"

	"offstage/task"
)

// errNoOutput: the task has nothing to read.
var errNoOutput = errors.New("this task has no output to read")

// Open is the output of a task, for a console. Close it when the console
// closes. An error is one sentence for a person.
func (r *Registry) Open(ctx context.Context, id string) (task.Output, error) {
	r.mu.Lock()
	t, ok := byID(r.raw.Tasks, id)
	r.mu.Unlock()
	if !ok {
		return nil, ErrNoTask
	}
	if t.Output.Path == "" {
		if t.Trouble != "" {
			return nil, errors.New(t.Trouble)
		}
		return nil, errNoOutput
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.facts.use(t)
}
