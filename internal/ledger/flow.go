package ledger

import (
	"errors"
	"fmt"
	"time"

	"offstage/task"
)

// Reasons why a task or a change is refused in a flow.
var (
	ErrNoFlow        = errors.New("there is no such flow")
	ErrFlowOwner     = errors.New("the flow belongs to another owner")
	ErrFlowEnded     = errors.New("the flow has ended")
	ErrFlowCancelled = errors.New("the flow is being cancelled and takes no new task")
	ErrFlowRevision  = errors.New("the flow was changed by another program meanwhile")
	ErrSystemFlow    = errors.New("a task of the system belongs to no flow")
)

// OwnFlow says whether a new record gets a flow of its own: a lone agent run of
// a session that somebody is told of; never a task of the system (R4).
func OwnFlow(r task.Record) bool {
	agent := r.Kind == task.Agent || r.Runtime == RuntimeAgent || r.Runtime == RuntimeACP
	return agent && r.Scope == task.SessionScope && r.Flow == "" && r.Parent == "" && r.Open() && r.Delivery.State != task.NothingToDeliver
}

// FlowOf is the flow of a lone task.
func FlowOf(r task.Record) task.Flow {
	f := task.Flow{ID: "flow:" + r.ID, Owner: r.Owner, Goal: first(r.Title, fit(oneLine(r.Command), maxTitle)), Status: task.FlowQueued,
		Policy: r.Delivery.Policy, Created: r.Created, Updated: r.Created}
	if r.Status == task.Running {
		f.Status = task.FlowRunning
	}
	return f
}

// Joins says why a record may not belong to a flow; nil if it may.
func Joins(r task.Record, f task.Flow, found bool) error {
	switch {
	case r.Scope != task.SessionScope:
		return ErrSystemFlow
	case !found:
		return ErrNoFlow
	case f.Owner != r.Owner:
		return ErrFlowOwner
	case !f.CancelRequested.IsZero():
		return ErrFlowCancelled
	case f.Status.Ended():
		return ErrFlowEnded
	}
	return nil
}

// Follow is a flow after a change of its tasks: its status is theirs. One with a
// controller is ended by that alone, or by a cancel when its last task settled.
func Follow(f task.Flow, kids []task.Record, now time.Time) (next task.Flow, changed bool) {
	if len(kids) == 0 && f.CancelRequested.IsZero() {
		return f, false
	}
	status := ofTasks(kids)
	cancelled := !f.CancelRequested.IsZero()
	switch {
	case f.Status.Ended() && !(f.Status == task.FlowLost || f.Controller == "" && !status.Ended()):
		return f, false // final, but for a lost one, and for a task that came back
	case cancelled && status.Ended():
		status = task.FlowCancelled
	case f.Controller != "":
		return f, false
	}
	if status == f.Status {
		return f, false
	}
	if f.Status.Ended() && !status.Ended() {
		f.CancelRequested = time.Time{} // its task was started again: that cancel is done
	}
	f.Status, f.Ended = status, time.Time{}
	if status.Ended() {
		f.Ended = lastEnd(kids, now)
	}
	f.Updated = latest(now, f.Ended)
	f.Revision++
	return f, true
}

// ofTasks is the status of tasks taken together.
func ofTasks(kids []task.Record) task.FlowStatus {
	n := map[task.Status]int{}
	for _, k := range kids {
		n[k.Status]++
	}
	switch {
	case n[task.Running] > 0:
		return task.FlowRunning
	case n[task.Queued] > 0 && n[task.Queued] == len(kids):
		return task.FlowQueued
	case n[task.Queued] > 0:
		return task.FlowRunning
	case n[task.Failed]+n[task.TimedOut] > 0:
		return task.FlowFailed
	case n[task.Lost] > 0:
		return task.FlowLost
	case n[task.Cancelled] > 0:
		return task.FlowCancelled
	case len(kids) == 0:
		return task.FlowCancelled // asked of only when it is cancelled before its first task
	}
	return task.FlowSucceeded
}

func lastEnd(kids []task.Record, now time.Time) time.Time {
	var end time.Time
	for _, k := range kids {
		end = latest(end, k.Ended)
	}
	return firstTime(end, now)
}

// FlowMove is what the controller of a managed flow does with it.
type FlowMove struct {
	// To is waiting, blocked, queued, running, succeeded or failed.
	To                                 task.FlowStatus
	Step, Wait, BlockedTask, BlockedBy string
}

// Move is a managed flow after its controller's move; revision is the one that
// the controller has read.
func Move(f task.Flow, m FlowMove, revision int64, now time.Time) (task.Flow, error) {
	switch {
	case f.Revision != revision:
		return f, ErrFlowRevision
	case f.Status.Ended():
		return f, ErrFlowEnded
	case f.Controller == "":
		return f, fmt.Errorf("move flow %s: it follows its task", f.ID)
	case m.To == task.FlowCancelled, m.To == task.FlowLost, m.To == "":
		return f, fmt.Errorf("move flow %s: %q is no move", f.ID, string(m.To))
	case !f.CancelRequested.IsZero() && !m.To.Ended():
		return f, ErrFlowCancelled
	}
	f.Status, f.Step = m.To, first(fit(oneLine(m.Step), maxTitle), f.Step)
	f.Wait, f.BlockedTask, f.BlockedBy = fit(m.Wait, maxText), m.BlockedTask, fit(oneLine(m.BlockedBy), maxText)
	if m.To == task.FlowWaiting && (m.BlockedTask != "" || m.BlockedBy != "") {
		f.Status = task.FlowBlocked
	}
	if f.Status.Ended() {
		f.Ended = now
	}
	f.Updated = now
	f.Revision++
	return f, nil
}
