package registry

import (
	"context"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// insideTree is how long the processes that were found serve: finding them is a scan
// of the machine, asking what they use is not.
const insideTree = 5 * time.Second

// insight is the last look into a task, for what was used since.
type insight struct {
	task      string
	run       int
	found     time.Time
	processes []task.Process
	trouble   string
	asked     time.Time
	uses      map[proc.ID]proc.Use
}

// Inside looks into a running task: its processes, what each uses, and how fast its
// output grows. One that is asked every second costs a scan every five; nothing is
// looked at unless it is asked. One task is looked into at a time.
func (r *Registry) Inside(ctx context.Context, id string) (task.Inside, error) {
	t, err := r.stoppable(ctx, id)
	if err != nil {
		return task.Inside{}, err
	}
	r.insideMu.Lock()
	defer r.insideMu.Unlock()
	in := &r.insight
	if in.task != t.ID || in.run != t.Run || time.Since(in.found) >= insideTree {
		if in.task != t.ID || in.run != t.Run {
			*in = insight{task: t.ID, run: t.Run}
		}
		in.found = time.Now()
		in.processes, in.trouble = r.processesOf(t)
	}
	out := in.use()
	out.Task, out.At, out.Trouble = t.ID, r.w.Now(), in.trouble
	if f, ok := r.facts.of(t); ok {
		out.Rate = f.Rate
	}
	return out, nil
}

// processesOf finds the processes of a task, as a stop would.
func (r *Registry) processesOf(t task.Task) (list []task.Process, trouble string) {
	if t.Source == OwnSource {
		plan, err := r.planOwn(t, false)
		if err != nil {
			return nil, "Its processes could not be looked at: " + err.Error() + "."
		}
		return plan.Processes, ""
	}
	r.procs.Stale(insideTree / 2)
	table, err := r.procs.Table()
	if err == nil {
		var of []proc.Member
		if of, _, err = table.Members(target(t)); err == nil {
			return r.members(t, of), ""
		}
	}
	return nil, "Its processes cannot be seen from here: " + err.Error() + "."
}

// use asks what the processes use now, and since the last time.
func (in *insight) use() task.Inside {
	ids := make([]proc.ID, len(in.processes))
	for i, p := range in.processes {
		ids[i] = proc.ID{PID: p.PID, Start: p.Start}
	}
	now, uses := time.Now(), proc.Usage(ids)
	since := now.Sub(in.asked)
	out := task.Inside{CPU: -1}
	for i, p := range in.processes {
		u, alive := uses[ids[i]]
		if !alive && len(uses) > 0 {
			continue // it has ended since the processes were found
		}
		row := task.ProcessUse{Process: p, CPU: -1, Memory: u.Memory}
		if before, ok := in.uses[ids[i]]; ok && since > 0 {
			row.CPU = 100 * max(u.CPU-before.CPU, 0).Seconds() / since.Seconds()
			out.CPU = max(out.CPU, 0) + row.CPU
		}
		out.Memory += u.Memory
		out.Processes = append(out.Processes, row)
	}
	in.asked, in.uses = now, uses
	return out
}
