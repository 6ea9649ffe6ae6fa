package trace

import (
	"strconv"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// View is the processes as one Scan sees them.
type View struct {
	Now time.Time
	// Table is nil where there is none.
	Table *proc.Table
	// Since is when this table was seen first: what began later is not in it.
	Since time.Time
}

// Looks keeps when a table was seen first.
type Looks struct {
	table *proc.Table
	since time.Time
}

// At is the view of a Scan at now; procs may be nil.
func (l *Looks) At(now time.Time, procs func() (*proc.Table, error)) View {
	var t *proc.Table
	if procs != nil {
		if got, err := procs(); err == nil {
			t = got
		}
	}
	if t != l.table || l.since.IsZero() {
		l.table, l.since = t, now
	}
	return View{Now: now, Table: t, Since: l.since}
}

// Verdict is a state with its source and time, as a task.Task has them.
type Verdict struct {
	Status task.Status
	Source string
	At     time.Time
	Ended  time.Time
}

// On puts the verdict on a task.
func (v Verdict) On(t *task.Task) {
	t.Status, t.StatusSource, t.StatusAt, t.Ended = v.Status, v.Source, v.At, v.Ended
}

// Words for StatusSource.
const (
	ByRecord    = "task record"
	ByAgentGone = "agent gone"
	byAgent     = "agent alive"
)

// Grace is how long a task may have no process and no record of its end before
// it counts as lost: agents write both within a fifth of a second.
const Grace = 5 * time.Second

// Opening is what is known of a task whose record says that it runs.
type Opening struct {
	// Alive: a process of it was found. Agent: its agent lives.
	Alive, Agent bool
	// Writes: its agent will write the end down, so that it gets the time to.
	Writes bool
	// Started is when the task began, Written when anything of it was written last.
	Started, Written time.Time
}

// Open judges a task whose record says that it runs (A5: running with its agent
// gone, and ended with an unknown result, are states).
func (v View) Open(o Opening) Verdict {
	if o.Written.After(v.Now) {
		o.Written = time.Time{} // a clock was set back: it proves nothing
	}
	running := Verdict{Status: task.Running, Source: ByRecord, At: o.Written}
	switch {
	case o.Alive:
		running.Source, running.At = task.SeenProcesses, v.Now
		return running
	case v.Table == nil:
		return running
	case o.Agent && o.Writes && v.Now.Sub(o.Written) < Grace:
		return running // its agent may be about to write the end
	case v.Since.Before(o.Started.Add(tableSlack)) && !o.Started.After(v.Now):
		return running // the table may be older than the task
	}
	lost := Verdict{Status: task.Lost, Source: task.SeenProcesses, At: v.Now, Ended: o.Written}
	if !o.Agent {
		lost.Source = ByAgentGone
	}
	return lost
}

// tableSlack is how much older than our first sight of it a table may be.
const tableSlack = time.Second

// Inside judges a task without a process of its own, such as a sub-agent: it
// lives and dies with its agent.
func (v View) Inside(agent bool, written time.Time) Verdict {
	switch {
	case v.Table == nil:
		return Verdict{Status: task.Running, Source: ByRecord, At: written}
	case agent:
		return Verdict{Status: task.Running, Source: byAgent, At: v.Now}
	}
	return Verdict{Status: task.Lost, Source: ByAgentGone, At: v.Now, Ended: written}
}

// GoneNote is the word on the row of a task that runs while its agent does not.
const GoneNote = "Its agent is gone; it runs on by itself."

// Note puts GoneNote on a running task where its agent does not live.
func (v View) Note(t *task.Task, agent bool) {
	if v.Table != nil && !agent && !t.Status.Ended() && t.Warning == "" && t.StatusSource == task.SeenProcesses {
		t.Warning = GoneNote
	}
}

// CanStop says what can be done with a running command that is known by its
// process, and why not. agent is the name that people know its agent by, how
// what ends the task in it.
func CanStop(recorded bool, table *proc.Table, root task.ProcessID, agent, how string) (bool, string) {
	switch {
	case recorded:
		return false, "This is a recording or another file system: nothing in it can be stopped from here."
	case table == nil:
		return false, "Cannot see its processes on this machine: stop it in " + agent + " (" + how + ")."
	case root.PID == 0:
		return false, "Its process cannot be found from here: stop it in " + agent + " (" + how + ")."
	case root.Start == 0:
		return false, "Its process cannot be told for sure from a later one with the same number: stop it in " + agent + " (" + how + ")."
	}
	return true, ""
}

// State is what a session does now (A7), by whether its agent lives, whether its
// last turn is open, and how many of its tasks run.
func State(live, turn bool, running int) task.SessionState {
	switch {
	case !live:
		return task.EndedSession
	case turn:
		return task.RunningTurn
	case running > 0:
		return task.BackgroundOnly
	}
	return task.Idle
}

// Unreadable is the sentence about n records of an agent that could not be read.
func Unreadable(n int, agent string) string {
	if n == 1 {
		return "1 task record of " + agent + " cannot be read; its row says so. It is half-written, broken, or of a newer version."
	}
	return strconv.Itoa(n) + " task records of " + agent + " cannot be read; their rows say so. They are half-written, broken, or of a newer version."
}
