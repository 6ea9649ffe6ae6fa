package ledger

import (
	"strings"

	"offstage/task"
)

// own is the source of our own tasks.
const own = "own"

// FromTask is what a source's task says, as a level. Its texts must be masked
// already. ok is false for what is no background task (L5).
func FromTask(t task.Task) (r Report, ok bool) {
	if t.ID == "" || t.Foreground || !Known(t.Status) {
		return Report{}, false
	}
	rec := task.Record{
		ID: t.ID, Run: max(t.Run, 1), Runtime: runtimeOf(t), Kind: t.Kind, Session: t.Session, Parent: t.Parent, Title: t.Title,
		Command: t.Command, Cwd: t.Cwd, ToolCall: t.ToolCall, Status: t.Status, StatusSource: t.StatusSource, ExitCode: t.ExitCode,
		Signal: t.Signal, Summary: t.Summary, Result: t.Result, Started: t.Started, Ended: t.Ended,
		Output: task.OutputFile{Path: t.Output.Path, Bytes: t.Output.Bytes},
		Owner:  first(t.Session, Person),
	}
	return Report{Record: rec, At: t.StatusAt, Proof: proofOf(t), Level: true}, true
}

// runtimeOf is the runtime of a task by its source (R1).
func runtimeOf(t task.Task) string {
	source := first(t.Source, sourceOf(t.ID))
	if source != own {
		return source
	}
	if t.Kind == task.Agent {
		return RuntimeAgent
	}
	return RuntimeShell
}

func sourceOf(id string) string {
	source, _, _ := strings.Cut(id, ":")
	return source
}

// StoppedHere is the source of a status that a stop from here brought about.
const StoppedHere = "stopped here"

func proofOf(t task.Task) Proof {
	switch {
	case t.Status == task.Lost, t.Status == task.Queued:
		return Hearsay
	case t.Status == task.Running && t.StatusSource != task.SeenProcesses:
		return Hearsay
	case t.Status == task.Running, t.Source == own, t.StatusSource == StoppedHere:
		return Witnessed
	}
	return Recorded
}

// ToTask is a record as faces show it, for what its agent's traces no longer
// tell of. What hangs on the living (can, decoder, counts) is the registry's.
func ToTask(r task.Record) task.Task {
	native := r.ID[strings.LastIndexByte(r.ID, ':')+1:]
	return task.Task{
		ID: r.ID, Source: sourceOf(r.ID), Native: native, Kind: r.Kind, Title: r.Title, Command: r.Command, Cwd: r.Cwd, Session: r.Session,
		ToolCall: r.ToolCall, Run: r.Run, Status: r.Status, ExitCode: r.ExitCode, Signal: r.Signal, Started: r.Started, Ended: r.Ended,
		Output: task.OutputRef{Path: r.Output.Path, Recorded: r.Output.Path, Bytes: r.Output.Bytes}, Notified: r.Delivery.Notified,
		Parent: r.Parent, Activity: r.Progress, ActivityAt: r.LastEvent, Summary: r.Summary, Result: r.Result,
		StatusSource: r.StatusSource, StatusAt: firstTime(r.Ended, r.LastEvent), Hidden: r.Hidden, Kept: r.Keep,
	}
}
