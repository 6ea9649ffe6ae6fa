package registry

import (
	"context"
	"time"

	"offstage/internal/runner"
	"offstage/internal/store"
	"offstage/internal/taskdir"
	"offstage/task"
)

// overTime is the source of a status that a clock of ours brought about (H1).
const overTime = "over its time"

// clocks are the times of observed tasks (H1): a clock runs while nothing but
// tasks keeps a session going; a turn of its agent starts it from zero.
type clocks struct {
	// turned is when a turn of a session was last seen, ending the tasks that are
	// being ended now, told when a supervisor was last told of a turn.
	turned map[string]time.Time
	ending map[string]bool
	told   map[string]time.Time
}

// warnBefore is how long before its end a row warns of it.
const warnBefore = 10 * time.Minute

// fold notes turns, and sets the time of each observed task that a setting ends,
// with its warning. Tasks of our own keep their clock themselves.
func (c *clocks) fold(tasks []task.Task, sessions []task.Session, limit time.Duration, now time.Time) {
	turns := map[string]time.Time{}
	for _, s := range sessions {
		if at := lastTurn(s, now); at.After(c.turned[s.ID]) {
			turns[s.ID] = at
		} else if at := c.turned[s.ID]; !at.IsZero() {
			turns[s.ID] = at
		}
	}
	c.turned = turns
	if limit <= 0 {
		return
	}
	for i := range tasks {
		t := &tasks[i]
		if !observed(*t) {
			continue
		}
		from := t.Started
		if at := turns[t.Session]; at.After(from) {
			from = at
		}
		if from.IsZero() {
			continue
		}
		if at := from.Add(limit); t.Timeout.IsZero() || at.Before(t.Timeout) {
			t.Timeout = at
		}
		if left := t.Timeout.Sub(now); left <= warnBefore && t.Warning == "" {
			t.Warning = "It will be stopped in " + task.Rough(max(left, 0)) + ": timeout.observed is " + task.Rough(limit) + "."
		}
	}
}

// observed says whether the setting is about a task: one of another agent that
// runs, and that can be stopped from here.
func observed(t task.Task) bool {
	return !t.Status.Ended() && t.Source != OwnSource && t.Source != "files" && t.Source != "demo" && !t.LeftBehind && !t.Foreground && t.Can.Stop
}

// lastTurn is until when an agent was busy by itself.
func lastTurn(s task.Session, now time.Time) time.Time {
	switch s.State {
	case task.RunningTurn, task.WaitingPerson:
		return now
	case task.BackgroundOnly, task.Idle:
		return s.StateSince
	}
	return time.Time{}
}

// endOverdue stops the observed tasks whose time is over. Each stop goes its own
// way beside the frames.
func (r *Registry) endOverdue() {
	if r.observedFor() <= 0 || r.ledger.diary == nil || r.w.Recorded() {
		return
	}
	now := r.w.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.last.Tasks {
		if !observed(t) || t.Timeout.IsZero() || now.Before(t.Timeout) || r.clocks.ending[t.ID] || r.stopping[t.ID] {
			continue
		}
		if r.clocks.ending == nil {
			r.clocks.ending = map[string]bool{}
		}
		r.clocks.ending[t.ID] = true
		go r.endByClock(t.ID)
	}
}

// endByClock is the stop of one task by its clock.
func (r *Registry) endByClock(id string) {
	ctx, cancel := context.WithTimeout(r.live.ctx, time.Minute)
	defer cancel()
	plan, err := r.PlanStop(ctx, id)
	if err == nil && plan.Refused == "" {
		_, err = r.stopFor(ctx, plan, byClock, false, nil)
	}
	if err != nil || plan.Refused != "" { // tried again after a while, not in a loop
		time.AfterFunc(time.Minute, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			delete(r.clocks.ending, id)
		})
	}
}

// cause is on whose behalf a stop is.
type cause uint8

const (
	byPerson cause = iota
	byClock
	byAgent
)

// intent is a stop of this program as the ledger keeps it. One that an agent asked
// for itself has no pid: its hook tells it of no person's wish.
func (c cause) intent(key store.RunKey, at time.Time, proven bool) store.StopIntent {
	i := store.StopIntent{Task: key.Task, Run: key.Run, At: at, PID: ownPID(), Proven: proven, Clock: c == byClock}
	if c == byAgent {
		i.PID = 0
	}
	return i
}

// turnEvery is how often a supervisor is told of a turn that goes on.
const turnEvery = 30 * time.Second

// tellTurns tells the supervisors of our own tasks that their agent has a turn:
// their time starts from zero (H1).
func (r *Registry) tellTurns(raw task.Snapshot) {
	if r.ledger.diary == nil || r.o.State == "" {
		return
	}
	now, busy := r.w.Now(), map[string]bool{}
	for _, s := range raw.Sessions {
		busy[s.ID] = s.State == task.RunningTurn || s.State == task.WaitingPerson
	}
	for _, t := range raw.Tasks {
		if t.Source != OwnSource || t.Status.Ended() || t.Timeout.IsZero() || !busy[t.Session] {
			continue
		}
		r.mu.Lock()
		due := now.Sub(r.clocks.told[t.ID]).Abs() >= turnEvery
		if due {
			if r.clocks.told == nil || len(r.clocks.told) > maxHeld {
				r.clocks.told = map[string]time.Time{}
			}
			r.clocks.told[t.ID] = now
		}
		r.mu.Unlock()
		d, err := taskdir.At(r.o.State, t.Native)
		if !due || err != nil {
			continue
		}
		go func() {
			ctx, cancel := context.WithTimeout(r.live.ctx, 5*time.Second)
			defer cancel()
			_ = runner.Turn(ctx, r.w, d) // one that has ended has no clock
		}()
	}
}
