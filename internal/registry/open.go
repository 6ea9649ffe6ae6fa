package registry

import (
	"context"
	"errors"
	"fmt"
	"io"

	"offstage/internal/fsys"
	"offstage/task"
)

// errNoOutput: the task has nothing to read.
var errNoOutput = errors.New("this task has no output to read")

// Open is the output of a task, for a console. Close it when the console
// closes. An error is one sentence for a person.
func (r *Registry) Open(ctx context.Context, id string) (task.Output, error) {
	t, err := r.readable(id)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	t, done := r.listen(t)
	out, err := r.facts.use(t)
	switch {
	case done == nil:
		return out, err
	case err != nil:
		done()
		return nil, err
	}
	return &heardOutput{Output: out, done: done}, nil
}

// OpenBytes is the output file of a task as it is, nothing hidden. A link or a
// pipe in its place is refused (O3).
func (r *Registry) OpenBytes(id string) (io.ReadCloser, error) {
	t, err := r.readable(id)
	if err == nil && t.Output.Path == "" {
		err = errNoOutput
	}
	if err != nil {
		return nil, err
	}
	f, err := fsys.Open(t.Output.Path)
	if err != nil {
		return nil, fmt.Errorf("open the output of %s: %w", id, err)
	}
	return f, nil
}

// readable is the task of id, or the agent of a workflow, if it has a file to read
// or an agent that tells what it prints.
func (r *Registry) readable(id string) (task.Task, error) {
	r.mu.Lock()
	t, ok := task.Find(r.raw.Tasks, id)
	r.mu.Unlock()
	switch {
	case !ok:
		return t, ErrNoTask
	case t.Output.Path != "" || t.Channel != nil:
		return t, nil
	case t.Trouble != "":
		return t, errors.New(t.Trouble)
	}
	return t, errNoOutput
}
