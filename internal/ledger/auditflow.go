package ledger

import (
	"time"

	"offstage/task"
)

// AuditFlows says what looks wrong in the flows at now; recs are all records.
func AuditFlows(flows []task.Flow, recs []task.Record, now time.Time) []Finding {
	kids, byID := map[string][]task.Record{}, map[string]bool{}
	for _, r := range recs {
		byID[r.ID] = true
		if r.Flow != "" {
			kids[r.Flow] = append(kids[r.Flow], r)
		}
	}
	var out []Finding
	for _, f := range flows {
		out = append(out, auditFlow(f, kids[f.ID], byID, now)...)
	}
	return sorted(out)
}

func auditFlow(f task.Flow, kids []task.Record, known map[string]bool, now time.Time) []Finding {
	age := max(now.Sub(f.Updated), 0)
	var out []Finding
	add := func(code string, s Severity, fix bool, text string) {
		out = append(out, Finding{Code: code, Severity: s, Subject: f.ID, Age: age, CanFix: fix, Text: text})
	}
	if !knownFlow(f.Status) {
		add(FlowUnreadable, Fault, false, "Its status is not known here: a newer offstage may have written it.")
		return out
	}
	open, stale := anyOpen(kids), age >= flowTooLong
	linked := len(kids) > 0
	switch {
	case f.Status.Ended():
	case !f.CancelRequested.IsZero():
		if now.Sub(f.CancelRequested) >= cancelTooLong && !open {
			add(CancelStuck, Warning, true, "Its cancel was asked for, no task of it is open, and it has not ended.")
		}
	case stale && f.Controller != "" && !linked && f.Wait == "" && f.BlockedTask == "" && f.BlockedBy == "":
		s := Warning
		if f.Status == task.FlowRunning {
			s = Fault
		}
		add(NoTasks, s, true, "It has no task and waits for nothing.")
	case stale && f.Status == task.FlowRunning && !open:
		add(FlowRunning, Fault, true, "It runs, and no task of it is open.")
	case stale && f.Status == task.FlowWaiting:
		add(FlowWaiting, Warning, false, "It has waited for long.")
	case stale && f.Status == task.FlowBlocked:
		add(FlowBlocked, Warning, false, "It has been blocked for long.")
	}
	if f.Status == task.FlowBlocked && f.BlockedTask != "" && !known[f.BlockedTask] {
		add(BlockerMissing, Warning, true, "The task that blocks it is not there.")
	}
	if f.Updated.Before(f.Created) || !f.Ended.IsZero() && (f.Ended.Before(f.Created) || f.Updated.Before(f.Ended)) {
		add(FlowTimes, Warning, true, "Its times contradict each other.")
	}
	return out
}

func knownFlow(s task.FlowStatus) bool {
	return s.Ended() || s == task.FlowQueued || s == task.FlowRunning || s == task.FlowWaiting || s == task.FlowBlocked
}

// repairFlow is a flow without what an audit found in it.
func repairFlow(f task.Flow, kids []task.Record, code string, now time.Time) task.Flow {
	switch code {
	case NoTasks, FlowRunning:
		if next, changed := Follow(f, kids, now); changed {
			return next
		}
		f.Status, f.Ended = task.FlowLost, now
	case CancelStuck:
		if next, changed := Follow(f, kids, now); changed {
			return next
		}
	case BlockerMissing:
		f.Status, f.BlockedTask, f.BlockedBy = task.FlowWaiting, "", ""
	case FlowTimes:
		f.Created = earliest(f.Created, f.Updated, f.Ended)
		f.Updated = latest(latest(f.Updated, f.Ended), f.Created)
		return f
	}
	f.Updated = latest(now, f.Created)
	f.Revision++
	return f
}

// repairTimes is a record whose times no longer contradict each other: what is
// known stays, and what cannot be true moves to the nearest time that can.
func repairTimes(r task.Record, now time.Time) task.Record {
	if r.LastEvent.After(now) {
		r.LastEvent = now
	}
	if r.Ended.After(now) {
		r.Ended = now
	}
	r.Created = firstTime(earliest(r.Created, r.Started, r.Ended), now)
	r.RunStarted = latest(r.RunStarted, r.Created)
	if !r.Started.IsZero() {
		r.Started = latest(r.Started, r.Created)
	}
	r.LastEvent = latest(r.LastEvent, r.Created)
	if r.Open() {
		r.Ended, r.CleanupAfter = time.Time{}, time.Time{}
		return r
	}
	r.Ended = latest(firstTime(r.Ended, r.LastEvent), r.Created)
	if r.Ended.Before(r.RunStarted) {
		r.RunStarted = r.Ended
	}
	r.Started = earliest(r.Started, r.RunStarted)
	r.CleanupAfter = Cleanup(r)
	return r
}
