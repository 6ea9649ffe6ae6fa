package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/runner"
	"offstage/internal/store"
	"offstage/internal/taskdir"
	"offstage/task"
)

// OwnSource is the source of the tasks that this program runs itself.
const OwnSource = "own"

// ownTask is a task of our own with its folder. What is another's is refused with
// the sentence foreign.
func (r *Registry) ownTask(ctx context.Context, id, foreign string) (task.Task, taskdir.Dir, error) {
	r.mu.Lock()
	t, ok := byID(r.raw.Tasks, id)
	r.mu.Unlock()
	if !ok {
		return task.Task{}, "", ErrNoTask
	}
	if t.Source != OwnSource {
		return t, "", refusal(foreign)
	}
	if r.w.Recorded() || r.o.State == "" {
		return t, "", refusal("This is a recording of another machine: nothing can be done in it.")
	}
	d, err := taskdir.At(r.o.State, t.Native)
	if err != nil {
		return t, "", ErrNoTask
	}
	return t, d, ctx.Err()
}

// planOwn is what a stop of a task of our own would end (K2).
func (r *Registry) planOwn(t task.Task, inner bool) (task.StopPlan, error) {
	out := task.StopPlan{Task: t.ID, Run: t.Run, Inner: inner}
	d, err := taskdir.At(r.o.State, t.Native)
	if err != nil {
		return out, ErrNoTask
	}
	started, _ := taskdir.ReadStarted(d) // one that cannot be read leaves the mark to go by
	own := runner.OwnOf(d, started)
	own.WithInner = inner
	r.procs.Stale(0)
	table, err := r.procs.Table()
	if err != nil {
		out.Refused = "Cannot see its processes from here: " + err.Error() + "."
		return out, nil
	}
	plan := table.PlanOwn(own)
	out.Processes, out.Spared = r.members(t, plan.Processes), r.members(t, plan.Spared)
	out.Ports, out.Refused, out.Note = plan.Ports, plan.Refused, plan.Note
	if n := len(table.InnerTasks(own)); n > 0 && !inner && out.Note == "" {
		out.Note = innerNote(n)
	}
	return out, nil
}

func innerNote(n int) string {
	if n == 1 {
		return "A task that it started goes on."
	}
	return fmt.Sprintf("%d tasks that it started go on.", n)
}

// PlanStopInner is PlanStop that ends the tasks of ours too that this one started.
// For another's task it is PlanStop.
func (r *Registry) PlanStopInner(ctx context.Context, id string) (task.StopPlan, error) {
	t, err := r.stoppable(ctx, id)
	if err != nil {
		return task.StopPlan{}, err
	}
	if t.Source != OwnSource || !t.Can.Stop {
		return r.PlanStop(ctx, id)
	}
	return r.planOwn(t, true)
}

// stopOwn ends a task of our own through its supervisor, or without one (K2). One
// that is being stopped already goes on a rung sooner.
func (r *Registry) stopOwn(ctx context.Context, t task.Task, plan task.StopPlan, now bool, progress func(task.StopProgress)) (task.StopReport, error) {
	d, err := taskdir.At(r.o.State, t.Native)
	if err != nil {
		return task.StopReport{}, ErrNoTask
	}
	key := store.RunKey{Task: t.ID, Run: t.Run}
	began := r.w.Now()
	r.mu.Lock()
	r.stopping[t.ID] = true
	lerr := r.ledger.intend(byPerson.intent(key, began, false))
	r.mu.Unlock()
	defer r.release(t.ID)
	rep, err := runner.Stop(ctx, r.w, d, runner.StopOptions{Now: now, Inner: plan.Inner, Progress: func(step string, left []proc.Member) {
		if progress != nil {
			progress(task.StopProgress{Task: t.ID, Step: r.step(t, step), Elapsed: r.w.Since(began), Left: r.members(t, left)})
		}
	}})
	out := task.StopReport{Task: t.ID, Status: rep.Status, Ended: r.members(t, rep.Ended), Left: r.members(t, rep.Left), PortsFreed: rep.PortsFreed, PortsHeld: rep.PortsHeld, Took: rep.Took}
	switch {
	case errors.Is(err, runner.ErrRefused):
		r.untried(key)
		return out, refusal(r.step(t, err.Error()))
	case err == nil && len(out.Left) == 0:
		r.settleOwn(key, began, &out, lerr)
	}
	r.procs.Stale(0)
	r.Wake()
	if err != nil {
		return out, fmt.Errorf("stop %s: %w", t.ID, err)
	}
	return out, nil
}

// settleOwn writes the proof of a stop; a task that had ended by itself meanwhile
// was not stopped.
func (r *Registry) settleOwn(key store.RunKey, began time.Time, out *task.StopReport, lerr error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if out.Status != task.Cancelled {
		r.ledger.takeBack(key)
		return
	}
	if err := r.ledger.intend(byPerson.intent(key, began, true)); err != nil {
		lerr = err
	}
	if lerr != nil {
		out.Note = "The stop could not be written into the ledger; the task's own folder says it."
	}
}

// Answer types a line into the terminal of a task of our own that has one (S3).
func (r *Registry) Answer(ctx context.Context, id, text string) error {
	t, d, err := r.ownTask(ctx, id, "Only tasks that were started with offstage run --tty can be answered from here.")
	if err != nil {
		return err
	}
	if !t.Can.Answer {
		return refusal(whyNoAnswer(t))
	}
	return r.said(t, runner.Answer(ctx, r.w, d, text))
}

func whyNoAnswer(t task.Task) string {
	if t.Status.Ended() {
		return "It has already ended: " + task.StateWords(t) + "."
	}
	return "It has no terminal to answer on: start it with offstage run --tty."
}

// said is an answer of a supervisor as faces tell it.
func (r *Registry) said(t task.Task, err error) error {
	switch {
	case errors.Is(err, runner.ErrRefused):
		return refusal(r.step(t, err.Error()))
	case errors.Is(err, runner.ErrNoSupervisor):
		return refusal("Its supervisor is gone, or it has ended: nobody is there to do it.")
	}
	return err
}

// Restart starts a task of our own again: same command, folder and environment
// (K8). It answers with the id of the new task. Another's task is refused with the
// sentence that asks its agent.
func (r *Registry) Restart(ctx context.Context, id string) (string, error) {
	r.mu.Lock()
	shown, _ := byID(r.last.Tasks, id)
	r.mu.Unlock()
	_, d, err := r.ownTask(ctx, id, "Only its agent can start it again. Tell it: "+AskToRestart(shown))
	if err != nil {
		return "", err
	}
	spec, err := runner.Again(d, r.o.State)
	if err != nil {
		return "", fmt.Errorf("read what task %s was: %w", id, err)
	}
	spec.Program, spec.Args = r.o.Supervisor.Program, r.o.Supervisor.Args
	started, err := runner.Start(ctx, r.w, spec)
	if err != nil {
		return "", err
	}
	r.Wake()
	return OwnSource + ":" + started.ID, nil
}

// AskToRestart is the sentence that asks an agent for a task again (K8).
func AskToRestart(t task.Task) string {
	what := first(t.Command, t.Title, "the background task "+t.Native)
	return "Please start this again in the background: " + cut(oneLine(what), maxTitle)
}

// What Guard does to a task of our own (O6).
const (
	GuardFreeze = "freeze"
	GuardThaw   = "thaw"
	GuardTrim   = "trim"
)

// Guard freezes, thaws or trims a task of our own.
func (r *Registry) Guard(ctx context.Context, id, what string) error {
	t, d, err := r.ownTask(ctx, id, "Only tasks that were started with offstage run have a guard.")
	if err != nil {
		return err
	}
	do, ok := map[string]func() (runner.State, error){
		GuardFreeze: func() (runner.State, error) { return runner.Freeze(ctx, r.w, d) },
		GuardThaw:   func() (runner.State, error) { return runner.Thaw(ctx, r.w, d) },
		GuardTrim:   func() (runner.State, error) { return runner.Trim(ctx, r.w, d) },
	}[what]
	if !ok {
		return refusal("A guard can freeze, thaw or trim.")
	}
	_, err = do()
	r.Wake()
	return r.said(t, err)
}

// cancelOwn is how the ledger's flows end a task of our own.
func (r *Registry) cancelOwn(ctx context.Context, rec task.Record, _ string) error {
	d, err := taskdir.At(r.o.State, strings.TrimPrefix(rec.ID, OwnSource+":"))
	if err != nil {
		return ErrNoTask
	}
	if err := r.ledger.diary.book.RequestStop(rec.ID, rec.Run, ownPID()); err != nil {
		return err
	}
	_, err = runner.Stop(ctx, r.w, d, runner.StopOptions{})
	return err
}
