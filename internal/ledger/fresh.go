package ledger

import (
	"time"

	"offstage/task"
)

// How long ended records stay (R6), and the folder of a task of our own.
const (
	KeepEnded  = 7 * 24 * time.Hour
	KeepLost   = 24 * time.Hour
	KeepFolder = 7 * 24 * time.Hour
)

// newsAge is how old an end may be that is first seen after it, to be news still:
// a program that starts finds a week of old ends.
const newsAge = 10 * time.Minute

// Person is the owner of what a person started at the command line.
const Person = "person"

// Runtimes of the program's own (R1); observed agents have their own names.
const (
	RuntimeShell = "shell"
	RuntimeAgent = "agent"
	RuntimeACP   = "acp"
	RuntimeMCP   = "mcp"
	RuntimeCron  = "cron"
)

// Cleanup is when an ended record may be forgotten.
func Cleanup(r task.Record) time.Time {
	at := firstTime(r.Ended, r.LastEvent, r.Created)
	if r.Status == task.Lost {
		return at.Add(KeepLost)
	}
	return at.Add(KeepEnded)
}

// fresh is the first record of a task. An end that is older than the retention
// makes none: it would come and go for ever.
func fresh(r Report, now time.Time) Result {
	rec := r.Record
	rec.Rev, rec.Late, rec.Run = 1, 0, max(rec.Run, 1)
	if rec.Status == "" {
		rec.Status = task.Queued
	}
	rec.Created = earliest(rec.Created, rec.Started, rec.RunStarted, rec.LastEvent, rec.Ended, r.At)
	if rec.Status != task.Queued {
		rec.Started = firstTime(rec.Started, rec.RunStarted, rec.Created)
		rec.RunStarted = firstTime(rec.RunStarted, rec.Started)
	}
	rec.LastEvent = latest(firstTime(rec.LastEvent, r.At), firstTime(rec.Started, rec.Created))
	if r.Level { // a first look is no event of the task itself
		rec.LastEvent = latest(r.Record.LastEvent, firstTime(rec.Started, rec.Created))
	}
	rec = belongs(rec)
	rec.Delivery = firstDelivery(rec)
	rec.Ended, rec.CleanupAfter, rec.GoneSince = time.Time{}, time.Time{}, time.Time{}
	if r.Status.Ended() {
		rec = end(rec, r)
		if !rec.CleanupAfter.After(now) {
			return Result{Change: Same}
		}
		if r.Rebuilt || now.Sub(rec.Ended) > newsAge {
			rec.Delivery.State = task.NothingToDeliver
		}
	}
	rec.Delivery.At = firstTime(rec.Ended, r.At)
	return Result{Record: normal(settings(rec, r)), Change: New}
}

// belongs sets scope and owner where they were not said.
func belongs(rec task.Record) task.Record {
	if rec.Scope != task.SystemScope && rec.Scope != task.SessionScope {
		rec.Scope = task.SystemScope
		if rec.Session != "" || rec.Owner != "" {
			rec.Scope = task.SessionScope
		}
	}
	if rec.Scope == task.SessionScope {
		rec.Owner = first(rec.Owner, rec.Session)
	}
	return rec
}

// firstDelivery is where the news of an end stands before there is one.
func firstDelivery(rec task.Record) task.Delivery {
	d := task.Delivery{State: rec.Delivery.State, Policy: rec.Delivery.Policy, Route: rec.Delivery.Route}
	switch {
	case d.State == task.NothingToDeliver, rec.Scope == task.SystemScope, d.Policy == task.NotifySilent:
		d.State = task.NothingToDeliver
	case rec.Owner == "":
		d.State = task.ParentMissing
	default:
		d.State = task.DeliveryPending
	}
	if d.Policy == "" {
		d.Policy = task.NotifyDone
		if d.State == task.NothingToDeliver {
			d.Policy = task.NotifySilent
		}
	}
	return d
}

// pastKept bounds the earlier runs of a task that are kept.
const pastKept = 20

// again is a new run of the same id (L3): its start time and what the person set
// stay, the earlier run goes into the history, and its end is told anew.
func again(old task.Record, r Report) Result {
	past := &task.PastRun{Task: old.ID, Run: old.Run, Status: old.Status, StatusSource: old.StatusSource, ExitCode: old.ExitCode,
		Signal: old.Signal, Summary: old.Summary, Started: firstTime(old.RunStarted, old.Started), Ended: old.Ended}
	if !past.Status.Ended() {
		past.Status, past.StatusSource, past.Ended = task.Lost, "started again", r.At
	}
	rec := old
	rec.Run, rec.Status = r.Run, task.Running
	if r.Status == task.Queued {
		rec.Status = task.Queued
	}
	rec.StatusSource, rec.RunID = r.StatusSource, first(r.RunID, old.RunID)
	rec.ExitCode, rec.Signal, rec.Error, rec.Summary, rec.Result, rec.Progress = nil, "", "", "", "", r.Progress
	rec.Ended, rec.CleanupAfter, rec.GoneSince, rec.StopRequested, rec.StopBy = time.Time{}, time.Time{}, time.Time{}, time.Time{}, 0
	rec.Process, rec.Output = r.Process, r.Output
	began := r.Started
	if !began.After(old.Started) { // the source kept the first start, as it should
		began = time.Time{}
	}
	rec.RunStarted = firstTime(r.RunStarted, began, r.At)
	rec.Started = firstTime(old.Started, rec.RunStarted)
	rec.LastEvent = latest(old.LastEvent, r.At)
	rec = fill(rec, r.Record)
	rec.Delivery = firstDelivery(task.Record{Scope: rec.Scope, Owner: rec.Owner,
		Delivery: task.Delivery{State: stays(old.Delivery.State), Policy: old.Delivery.Policy, Route: rec.Delivery.Route}})
	rec.Delivery.At = r.At
	if r.Status.Ended() {
		rec = end(rec, r)
	}
	return Result{Record: rec, Change: Again, Past: past}
}

// stays keeps only the state that is a decision about the task, not about a run.
func stays(s task.DeliveryState) task.DeliveryState {
	if s == task.NothingToDeliver {
		return s
	}
	return task.DeliveryPending
}
