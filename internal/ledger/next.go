package ledger

import (
	"time"

	"offstage/task"
)

// Change is what a report did to a record.
type Change uint8

// The kinds of change. Same and Late wake nobody.
const (
	// Same: nothing new was said.
	Same Change = iota
	// Late: it came after the end, twice, or of an earlier run; counted, ignored.
	Late
	// Changed: the present run is another than before.
	Changed
	// New: there was no record.
	New
	// Again: a new run of the same id.
	Again
)

// Result is the next record and how it came about.
type Result struct {
	task.Record
	Change Change
	// Past is the run that Again put into the history.
	Past *task.PastRun
}

// Next is the one function through which records change (L4): it takes the
// present record (zero where there is none) and what is said, and gives the next.
func Next(old task.Record, r Report, now time.Time) Result {
	r = r.tidy(now)
	var out Result
	switch {
	case r.Status != "" && !Known(r.Status):
		return Result{Record: old, Change: Same}
	case old.ID == "":
		return fresh(r, now)
	case r.Run > old.Run:
		out = again(old, r)
	case !Known(old.Status): // written by a newer program, which knows better
		return Result{Record: old, Change: Same}
	case r.Run != 0 && r.Run < old.Run:
		out = late(old, r)
	case old.Status.Ended():
		out = afterEnd(old, r)
	default:
		out = whileOpen(old, r)
	}
	out.Record = settings(out.Record, r)
	if out.Change <= Late && differ(old, out.Record) {
		out.Change = Changed
	}
	out.Record = normal(out.Record)
	if out.Change >= Changed {
		out.Rev = old.Rev + 1
	}
	return out
}

// late counts a report that says nothing any more; a look that repeats itself
// is not counted.
func late(old task.Record, r Report) Result {
	if r.Level {
		return Result{Record: old, Change: Same}
	}
	old.Late++
	return Result{Record: old, Change: Late}
}

// whileOpen takes up what is said of a run that has not ended.
func whileOpen(old task.Record, r Report) Result {
	rec := fill(old, r.Record)
	if !r.Level {
		rec.LastEvent = latest(old.LastEvent, r.At)
		rec.Progress = first(r.Progress, rec.Progress)
	}
	if !r.Level || r.Proof == Witnessed {
		rec.GoneSince = time.Time{}
	}
	if old.StopRequested.IsZero() && !r.StopRequested.IsZero() {
		rec.StopRequested, rec.StopBy = r.StopRequested, r.StopBy
	}
	switch {
	case r.Status.Ended():
		rec = end(rec, r)
	case r.Status == task.Running && old.Status == task.Queued:
		rec = start(rec, r)
	case r.Status == task.Queued && old.Status == task.Running:
		return late(old, r)
	}
	if !differ(old, rec) {
		return Result{Record: old, Change: Same}
	}
	return Result{Record: rec, Change: Changed}
}

// start is the step from queued to running.
func start(rec task.Record, r Report) task.Record {
	rec.Status, rec.StatusSource = task.Running, first(r.StatusSource, rec.StatusSource)
	rec.RunStarted = latest(firstTime(r.RunStarted, r.Started, r.At), rec.Created)
	rec.Started = firstTime(rec.Started, rec.RunStarted)
	rec.LastEvent = latest(rec.LastEvent, rec.RunStarted)
	return rec
}

// stopSettles is how long after a stop was asked for an end still is its effect.
const stopSettles = time.Minute

// end closes the present run.
func end(rec task.Record, r Report) task.Record {
	rec.Ended = latest(firstTime(r.Ended, r.At), firstTime(rec.RunStarted, rec.Created))
	rec.Status, rec.StatusSource = r.Status, first(r.StatusSource, rec.StatusSource)
	if stopped(rec, r) {
		rec.Status, rec.StatusSource = task.Cancelled, StoppedHere
	}
	rec.ExitCode, rec.Signal = r.ExitCode, r.Signal
	rec.Error, rec.Summary, rec.Result = r.Error, r.Summary, r.Result
	if r.Output.Bytes > 0 {
		rec.Output.Bytes = r.Output.Bytes
	}
	rec.LastEvent = latest(rec.LastEvent, rec.Ended)
	rec.GoneSince = time.Time{}
	rec.CleanupAfter = Cleanup(rec)
	return rec
}

// stopped says whether an end is the effect of a stop that a person asked for
// here, whatever the agent writes (K7). An exit record of ours knows better.
func stopped(rec task.Record, r Report) bool {
	if rec.StopRequested.IsZero() || rec.Ended.Sub(rec.StopRequested) > stopSettles {
		return false
	}
	return r.Proof != Witnessed || r.Status == task.Lost
}

// afterEnd: ends are final for their run, and lost alone yields to proof (L3).
func afterEnd(old task.Record, r Report) Result {
	switch {
	case old.Status == task.Lost && r.Proof > Hearsay && r.Status.Ended() && r.Status != task.Lost:
		rec := end(fill(old, r.Record), r)
		rec.Summary, rec.Result = first(rec.Summary, old.Summary), first(rec.Result, old.Result)
		return Result{Record: rec, Change: Changed}
	case old.Status == task.Lost && r.Proof == Witnessed && r.Status == task.Running:
		return Result{Record: alive(fill(old, r.Record), r), Change: Changed}
	case r.Status == old.Status:
		if rec := complete(old, r); differ(old, rec) {
			return Result{Record: rec, Change: Changed}
		}
		return late(old, r)
	case r.Status == "" && r.Progress == "" && !r.decides():
		if rec := fill(old, r.Record); differ(old, rec) {
			return Result{Record: rec, Change: Changed}
		}
	case r.decides() && r.Status == "":
		return Result{Record: old, Change: Same}
	}
	return late(old, r)
}

// alive takes a run back that was taken for lost: a process of it was seen.
func alive(rec task.Record, r Report) task.Record {
	rec.Status, rec.StatusSource = task.Running, first(r.StatusSource, task.SeenProcesses)
	rec.Ended, rec.CleanupAfter, rec.GoneSince = time.Time{}, time.Time{}, time.Time{}
	rec.Error = ""
	rec.LastEvent = latest(rec.LastEvent, r.At)
	return rec
}

// complete adds to an end what was not known of it.
func complete(old task.Record, r Report) task.Record {
	rec := fill(old, r.Record)
	if rec.ExitCode == nil {
		rec.ExitCode = r.ExitCode
	}
	rec.Signal, rec.Error = first(rec.Signal, r.Signal), first(rec.Error, r.Error)
	rec.Summary, rec.Result = first(rec.Summary, r.Summary), first(rec.Result, r.Result)
	if rec.Output.Bytes == 0 && !r.Level {
		rec.Output.Bytes = r.Output.Bytes
	}
	return rec
}

// decides says whether the report carries a person's decision.
func (r Report) decides() bool { return r.SetKeep != nil || r.SetHidden != nil }

// settings takes up what a person decided.
func settings(rec task.Record, r Report) task.Record {
	if r.SetKeep != nil {
		rec.Keep = *r.SetKeep
	}
	if r.SetHidden != nil {
		rec.Hidden = *r.SetHidden
	}
	return rec
}
