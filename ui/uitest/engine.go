package uitest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"offstage/task"
)

// Engine is a registry by script. It is safe for concurrent use.
type Engine struct {
	mu      sync.Mutex
	snap    task.Snapshot
	changed chan struct{}
	outputs map[string]*Output
	calls   []string
	// Plan is what PlanStop answers; nil gives three processes and a port.
	Plan func(id string) (task.StopPlan, error)
	// OnStop carries a stop out; nil ends the task after Grace.
	OnStop func(ctx context.Context, plan task.StopPlan, progress func(task.StopProgress)) (task.StopReport, error)
	Grace  time.Duration
	now    func() time.Time
}

// New makes an engine that shows s; now is its clock.
func New(s task.Snapshot, now func() time.Time) *Engine {
	s.Rev = max(s.Rev, 1)
	return &Engine{snap: s, changed: make(chan struct{}), outputs: map[string]*Output{}, now: now}
}

// Set changes the snapshot; everyone who waits gets the new one.
func (e *Engine) Set(change func(*task.Snapshot)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.snap
	s.Tasks = append([]task.Task(nil), s.Tasks...)
	s.Sessions = append([]task.Session(nil), s.Sessions...)
	change(&s)
	s.Rev, s.At = e.snap.Rev+1, e.now()
	e.snap = s
	close(e.changed)
	e.changed = make(chan struct{})
}

// SetTask changes one task.
func (e *Engine) SetTask(id string, change func(*task.Task)) {
	e.Set(func(s *task.Snapshot) {
		for i := range s.Tasks {
			if s.Tasks[i].ID == id {
				change(&s.Tasks[i])
			}
		}
	})
}

// Next is ui.Engine's.
func (e *Engine) Next(ctx context.Context, rev uint64) (task.Snapshot, error) {
	for {
		e.mu.Lock()
		s, ch := e.snap, e.changed
		e.mu.Unlock()
		if s.Rev > rev {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return task.Snapshot{}, ctx.Err()
		case <-ch:
		}
	}
}

// Output is the output of a task, made at first sight.
func (e *Engine) Output(id string) *Output {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.outputs[id] == nil {
		e.outputs[id] = newOutput(firstLines(id))
	}
	return e.outputs[id]
}

// Open is ui.Engine's.
func (e *Engine) Open(_ context.Context, id string) (task.Output, error) {
	e.note("open " + id)
	return e.Output(id), nil
}

// PlanStop is ui.Engine's.
func (e *Engine) PlanStop(_ context.Context, id string) (task.StopPlan, error) {
	e.note("plan " + id)
	if e.Plan != nil {
		return e.Plan(id)
	}
	return task.StopPlan{Task: id, Run: 1, Ports: []int{5173}, Processes: []task.Process{
		{PID: 48210, Command: "npm", Start: 1}, {PID: 48217, Command: "node", Depth: 1, Start: 2}, {PID: 48220, Command: "esbuild", Depth: 2, Start: 3},
	}}, nil
}

// Stop is ui.Engine's.
func (e *Engine) Stop(ctx context.Context, plan task.StopPlan, now bool, progress func(task.StopProgress)) (task.StopReport, error) {
	if now {
		e.note("kill " + plan.Task)
	} else {
		e.note("stop " + plan.Task)
	}
	if e.OnStop != nil {
		return e.OnStop(ctx, plan, progress)
	}
	began := time.Now()
	for time.Since(began) < e.Grace {
		progress(task.StopProgress{Task: plan.Task, Elapsed: time.Since(began), Left: plan.Processes[len(plan.Processes)-1:]})
		select {
		case <-ctx.Done():
			return task.StopReport{}, errors.New("the program ended")
		case <-time.After(100 * time.Millisecond):
		}
	}
	e.SetTask(plan.Task, func(t *task.Task) {
		t.Status, t.Ended, t.Can.Stop = task.Cancelled, e.now(), false
		t.StatusSource, t.StatusAt = "stopped here", e.now()
	})
	return task.StopReport{Task: plan.Task, Status: task.Cancelled, Ended: plan.Processes, PortsFreed: plan.Ports, Took: time.Since(began)}, nil
}

// Seen is ui.Engine's.
func (e *Engine) Seen(id string) {
	e.note("seen " + id)
	e.SetTask(id, func(t *task.Task) { t.Seen = true })
}

// Spare is ui.Engine's.
func (e *Engine) Spare(id string, on bool) error {
	e.note("keep " + id + " " + strconv.FormatBool(on))
	e.SetTask(id, func(t *task.Task) { t.Kept = on })
	return nil
}

// Hide is ui.Engine's.
func (e *Engine) Hide(id string, hidden bool) {
	if hidden {
		e.note("hide " + id)
	} else {
		e.note("show " + id)
	}
	e.SetTask(id, func(t *task.Task) { t.Hidden = hidden })
}

// Everywhere is ui.Engine's.
func (e *Engine) Everywhere(on bool) {
	if on {
		e.note("everywhere")
	}
}

// Ended is ui.Engine's.
func (e *Engine) Ended(on bool) {
	if on {
		e.note("ended")
	}
}

func (e *Engine) note(call string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, call)
}

// Calls are what was asked of the engine so far, in order.
func (e *Engine) Calls() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.calls...)
}
