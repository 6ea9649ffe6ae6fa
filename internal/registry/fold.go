package registry

import (
	"time"

	"offstage/internal/prompt"
	"offstage/internal/store"
	"offstage/task"
)

// stallAfter is how long an output must have stood still before its last line
// may be called a question (spec 2 S1).
const stallAfter = 45 * time.Second

// stopSettles is how long after an unproven stop an end still counts as its
// effect.
const stopSettles = time.Minute

// waitsForInput is what is said of a task that was seen reading its terminal.
const waitsForInput = "waiting for input"

// foldTask adds to what a source told of a task what the ledger, its output and
// its command line say. Called with the lock held.
func (r *Registry) foldTask(t task.Task, now time.Time) task.Task {
	key := store.RunKey{Task: t.ID, Run: t.Run}
	t.Hidden = r.hidden[key]
	t.Kept = t.Kept || r.ledger.kept.spared[t.ID]
	t.Seen = t.Seen || r.ledger.seen[key]
	t = foldStop(t, r.ledger.stops[key])
	if !t.Status.Ended() && len(t.Ports) == 0 {
		t.Ports = r.ports[t.ID]
	}
	f, known := r.facts.of(t)
	if known {
		t = foldFacts(t, f)
	}
	if sink := r.sinks.of(t.Command).At(t.Output.Bytes > 0); t.Command != "" && sink.Name != "" {
		t.Pipe = task.PipeSink{Name: sink.Name, Soft: sink.Soft}
	}
	if known && waits(t, f, now) {
		t.Waiting, t.WaitingLine = "may be waiting for input", f.LastLine
	}
	if known && f.OpenLine && f.LastLine != "" && r.reads(t) { // a line without an end, and somebody is to type the rest
		t.Waiting, t.WaitingLine = waitsForInput, f.LastLine
	}
	if t.Warning == "" {
		t.Warning = r.ledger.kept.untold[key]
	}
	return r.foldCan(t)
}

// foldStop makes an end that a person asked for from here a stop, whatever the
// agent reported (K7).
func foldStop(t task.Task, i store.StopIntent) task.Task {
	switch {
	case i.Task == "":
		return t
	case !t.Status.Ended() && !(i.Proven && t.StatusSource != task.SeenProcesses):
		// It runs; or a process of it is seen again after all of them had ended.
		return t
	}
	end, proven := t.Ended, i.Proven
	if t.Source == "files" { // a log of a folder has no runs: what is written long after the stop is of another
		proven = false
		if end.IsZero() {
			end = t.Output.LastWrite
		}
	}
	if !proven && !end.IsZero() && end.Sub(i.At) > stopSettles {
		return t
	}
	// Where nobody saw the end, the stop was it.
	if t.Ended.IsZero() || t.Status == task.Lost && i.Proven {
		t.Ended = i.At
	}
	t.Status, t.StatusSource, t.StatusAt = task.Cancelled, stoppedHere, i.At
	if i.Clock {
		t.Status, t.StatusSource = task.TimedOut, overTime
	}
	return t
}

// foldFacts takes up what the output says.
func foldFacts(t task.Task, f task.Facts) task.Task {
	if f.Size > 0 || t.Output.Bytes == 0 {
		t.Output.Bytes = f.Size
	}
	if f.LastWrite.After(t.Output.LastWrite) {
		t.Output.LastWrite = f.LastWrite
	}
	if t.Decoder == nil { // records are no output: what their bytes look like proves nothing
		if f.Tests != nil && len(f.Tests.Runs) > 0 {
			t.Tests = f.Tests
		}
		t.URLs = f.URLs
		if !t.Status.Ended() {
			t.Progress = f.Progress
		}
	}
	if t.Activity == "" && f.LastLine != "" && t.Kind != task.Workflow { // that is JSON, written at its end
		t.Activity, t.ActivityAt = f.LastLine, f.LastWrite
	}
	if t.Trouble == "" {
		t.Trouble = f.Trouble
	}
	return t
}

// waits says whether a task may be waiting for a person: it runs, its output
// has stood still, and its last line is a question (D4).
func waits(t task.Task, f task.Facts, now time.Time) bool {
	if t.Status != task.Running || t.Output.Unheard || t.Kind != task.Shell || f.LastLine == "" || f.Size == 0 {
		return false
	}
	if now.Sub(f.LastWrite) < stallAfter {
		return false
	}
	return prompt.Question(f.LastLine, f.OpenLine)
}

// foldCan takes back what cannot be done here and says why.
func (r *Registry) foldCan(t task.Task) task.Task {
	if t.Status.Ended() {
		t.Can.Stop = false
		return t
	}
	if r.w.Recorded() && t.Can.Stop {
		t.Can.Stop, t.Can.WhyNot = false, "This is a recording of another machine: nothing can be stopped here."
	}
	return t
}
