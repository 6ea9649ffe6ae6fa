package registry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/task"
)

// ErrRefused: a stop is not allowed or not possible here; the error's text is
// the reason as a person reads it.
var ErrRefused = errors.New("refused")

// refusal carries a reason and is ErrRefused to those who branch.
type refusal string

func (r refusal) Error() string        { return string(r) }
func (r refusal) Is(target error) bool { return target == ErrRefused }

// PlanStop looks at the processes of a task now and says what a stop would end
// (K3). What cannot be stopped is a plan with Refused set, not an error.
func (r *Registry) PlanStop(ctx context.Context, id string) (task.StopPlan, error) {
	t, err := r.stoppable(ctx, id)
	if err != nil {
		return task.StopPlan{}, err
	}
	out := task.StopPlan{Task: t.ID, Run: t.Run}
	if !t.Can.Stop {
		out.Refused = t.Can.WhyNot
		return out, nil
	}
	if t.Source == OwnSource {
		return r.planOwn(t, false)
	}
	r.procs.Stale(0)
	table, err := r.procs.Table()
	if err != nil {
		out.Refused = "Cannot see its processes from here: " + err.Error() + "."
		return out, nil
	}
	plan := table.Plan(target(t))
	r.mu.Lock()
	if len(r.plans) > 256 {
		r.plans = map[string]proc.Plan{}
	}
	r.plans[t.ID] = plan
	r.mu.Unlock()
	out.Processes, out.Spared = r.members(t, plan.Processes), r.members(t, plan.Spared)
	out.Ports, out.Refused = plan.Ports, plan.Refused
	out.Note = first(plan.Note, r.againNote(t))
	if plan.Unseen && t.Channel != nil {
		out.Refused, out.Note = "", "Its processes cannot be seen from here: its agent is asked to end it."
	}
	if len(plan.Processes) == 0 && r.stoppedElsewhere(store.RunKey{Task: t.ID, Run: t.Run}) {
		out.Refused = "It is being stopped already, from another window."
	}
	return out, nil
}

// stoppedElsewhere says whether another program's stop of this run is under way
// or just done: its processes are gone before the row says so.
func (r *Registry) stoppedElsewhere(key store.RunKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.asked = time.Time{}
	r.ledger.refresh(r.w.Now(), r.keep)
	i, ok := r.ledger.stops[key]
	return ok && i.PID != ownPID() && r.w.Since(i.At) < stopSettles
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func (r *Registry) againNote(t task.Task) string {
	hooked := r.hooked(t.ID)
	r.mu.Lock()
	defer r.mu.Unlock()
	return againNote(t, r.raw.Sessions, hooked)
}

func (r *Registry) stoppable(ctx context.Context, id string) (task.Task, error) {
	r.mu.Lock()
	t, ok := byID(r.last.Tasks, id)
	raw, rok := byID(r.raw.Tasks, id)
	r.mu.Unlock()
	if !ok || !rok {
		return task.Task{}, ErrNoTask
	}
	if t.Status.Ended() {
		return task.Task{}, refusal("It has already ended: " + task.StateWords(t) + ".")
	}
	t.Evidence, t.Command, t.Output = raw.Evidence, raw.Command, raw.Output
	return t, ctx.Err()
}

func target(t task.Task) proc.Target {
	e := t.Evidence
	tg := proc.Target{AgentPID: e.AgentPID, AgentStart: e.AgentStart, Markers: e.Markers, Wrapped: e.Wrapped, Roots: processIDs(e.Roots), Keep: processIDs(e.Keep)}
	if e.WritersAreProof || e.Wrapped == "" && len(tg.Roots) == 0 {
		tg.Output = t.Output.Path
	}
	return tg
}

// processIDs are those of list that can be told from a later process with the
// same pid.
func processIDs(list []task.ProcessID) []proc.ID {
	var out []proc.ID
	for _, p := range list {
		if p.PID > 0 && p.Start > 0 {
			out = append(out, proc.ID{PID: p.PID, Start: p.Start})
		}
	}
	return out
}

// How much is shown of a process's command, and of what a stop says on its way.
const (
	maxProcess = 72
	maxStep    = 120
)

// members are processes as faces show them, their commands masked, then cut.
func (r *Registry) members(t task.Task, list []proc.Member) []task.Process {
	sec := r.secrets.get(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]task.Process, 0, len(list))
	for _, m := range list {
		out = append(out, task.Process{
			PID: m.PID, PPID: m.PPID, Start: m.Start, Command: cut(sec.Recall(r.mask.line(m.Command)), maxProcess),
			Depth: m.Depth, Why: m.Why, Wrapper: m.Wrapper,
		})
	}
	return out
}

// step is one step of a stop as faces show it: it may name a command.
func (r *Registry) step(t task.Task, text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cut(r.secrets.get(t).Recall(r.mask.line(text)), maxStep)
}

// Stop ends what plan showed, proves it, and frees its ports (K4). The intent
// is in the ledger before the first signal (K7). It answers with what lives on
// when not all could be ended; an error means that nothing was tried.
func (r *Registry) Stop(ctx context.Context, plan task.StopPlan, now bool, progress func(task.StopProgress)) (task.StopReport, error) {
	return r.stopFor(ctx, plan, byPerson, now, progress)
}

// StopForAgent is Stop for an agent that asked for it, of the plan of now.
func (r *Registry) StopForAgent(ctx context.Context, plan task.StopPlan, now bool) (task.StopReport, error) {
	return r.stopFor(ctx, plan, byAgent, now, nil)
}

// stopFor is Stop on behalf of a person, a clock or an agent.
func (r *Registry) stopFor(ctx context.Context, plan task.StopPlan, by cause, now bool, progress func(task.StopProgress)) (task.StopReport, error) {
	t, err := r.stoppable(ctx, plan.Task)
	if err != nil {
		return task.StopReport{}, err
	}
	if plan.Run != t.Run {
		return task.StopReport{}, refusal("It has been started again meanwhile: look at what would be stopped once more.")
	}
	if plan.Refused != "" {
		return task.StopReport{}, refusal(plan.Refused)
	}
	if t.Source == OwnSource {
		return r.stopOwn(ctx, t, plan, now, progress)
	}
	pp, err := r.claim(t.ID)
	if err != nil {
		return task.StopReport{}, err
	}
	defer r.release(t.ID)
	key := store.RunKey{Task: t.ID, Run: t.Run}
	began := r.w.Now()
	r.mu.Lock()
	lerr := r.ledger.intend(by.intent(key, began, false))
	r.mu.Unlock()
	rep, err := r.carryOut(ctx, t, pp, proc.StopOptions{Now: now, NewTable: r.freshTable, Progress: func(step string, left []proc.Member) {
		if progress != nil {
			progress(task.StopProgress{Task: t.ID, Step: r.step(t, step), Elapsed: r.w.Since(began), Left: r.members(t, left)})
		}
	}})
	out := task.StopReport{Task: t.ID, Status: task.Running, Ended: r.members(t, rep.Ended), Left: r.members(t, rep.Left), PortsFreed: rep.PortsFreed, PortsHeld: rep.PortsHeld, Took: rep.Took}
	if len(out.Left) == 0 {
		out.Note = r.againNote(t)
	}
	if errors.Is(err, proc.ErrRefused) || errors.Is(err, proc.ErrChanged) {
		r.untried(key)
		out.Note = ""
	} else {
		r.settleStop(key, by, began, &out, lerr)
	}
	r.procs.Stale(0)
	r.Wake()
	if err != nil {
		return out, fmt.Errorf("stop %s: %w", t.ID, err)
	}
	return out, nil
}

// untried takes the intent of a stop back that touched nothing. Its report lists
// nobody as left, which is no proof.
func (r *Registry) untried(key store.RunKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.takeBack(key)
}

// settleStop writes how the stop came out.
func (r *Registry) settleStop(key store.RunKey, by cause, began time.Time, out *task.StopReport, lerr error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case len(out.Ended) == 0 && len(out.Left) > 0:
		r.ledger.takeBack(key)
	case len(out.Left) == 0:
		out.Status = task.Cancelled
		if by == byClock {
			out.Status = task.TimedOut
		}
		if err := r.ledger.intend(by.intent(key, began, true)); err != nil {
			lerr = err
		}
	}
	if lerr != nil {
		out.Note = "The stop could not be written into the ledger: another program may show it as failed."
	}
}

func (r *Registry) freshTable() (*proc.Table, error) { return proc.Scan(r.w) }

// claim takes the plan that was shown last and keeps a second stop of the same
// task out.
func (r *Registry) claim(id string) (proc.Plan, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopping[id] {
		return proc.Plan{}, refusal("It is being stopped already.")
	}
	pp, ok := r.plans[id]
	if !ok {
		return proc.Plan{}, refusal("What would be stopped has not been looked at yet.")
	}
	r.stopping[id] = true
	return pp, nil
}

func (r *Registry) release(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.stopping, id)
	delete(r.plans, id)
}
