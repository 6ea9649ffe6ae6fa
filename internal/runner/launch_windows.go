package runner

import (
	"context"

	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// launch: a task of our own is kept together by sessions and reaped children,
// which this system does not have.
func (s *Spec) launch(_ context.Context, _ *world.World, d taskdir.Dir, _ func()) (Started, error) {
	_ = taskdir.Remove(d)
	return Started{}, &startError{"a task of our own cannot be started on Windows: start it inside WSL", ErrSystem}
}
