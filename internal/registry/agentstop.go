package registry

import (
	"context"
	"fmt"

	"offstage/internal/proc"
	"offstage/task"
)

// carryOut ends a task of an agent: by signals, with the agent's own force before
// ours where it can be asked, or by the agent alone where no process is to be seen.
// Agents kill at once: whoever can be seen is asked to end first.
func (r *Registry) carryOut(ctx context.Context, t task.Task, pp proc.Plan, o proc.StopOptions) (proc.Report, error) {
	if t.Channel == nil {
		return proc.Stop(ctx, r.w, target(t), pp, o)
	}
	if !pp.Unseen {
		o.Force = t.Channel.End
		return proc.Stop(ctx, r.w, target(t), pp, o)
	}
	began := r.w.Now()
	if err := t.Channel.End(ctx); err != nil {
		return proc.Report{}, fmt.Errorf("%w: its agent did not end it: %w", proc.ErrRefused, err)
	}
	return proc.Report{Took: r.w.Now().Sub(began)}, nil
}
