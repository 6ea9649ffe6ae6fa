package ledger

import (
	"cmp"
	"slices"
	"time"

	"offstage/task"
)

// Severity of a finding.
type Severity string

// The two severities.
const (
	Warning Severity = "warning"
	Fault   Severity = "error"
)

// Codes of findings (R10). Those of flows begin with "flow_".
const (
	StaleQueued    = "stale_queued"
	StaleRunning   = "stale_running"
	LostTask       = "lost"
	FailedDelivery = "delivery_failed"
	MissingCleanup = "missing_cleanup"
	WrongTimes     = "inconsistent_timestamps"
	Unreadable     = "restore_failed"
	FlowRunning    = "flow_stale_running"
	FlowWaiting    = "flow_stale_waiting"
	FlowBlocked    = "flow_stale_blocked"
	CancelStuck    = "flow_cancel_stuck"
	NoTasks        = "flow_missing_linked_tasks"
	BlockerMissing = "flow_blocked_task_missing"
	FlowTimes      = "flow_inconsistent_timestamps"
	FlowUnreadable = "flow_restore_failed"
)

// Finding is one thing that looks wrong.
type Finding struct {
	Code     string
	Severity Severity
	// Subject is the id of a task or, for a code that begins with "flow_", a flow.
	Subject string
	Age     time.Duration
	// Text is one sentence.
	Text string
	// CanFix: Fix knows what to do.
	CanFix bool
}

// Ages from which an audit speaks.
const (
	queuedTooLong = 10 * time.Minute
	flowTooLong   = 30 * time.Minute
	cancelTooLong = 5 * time.Minute
)

// Audit says what looks wrong in the records at now; sight asks for the work of
// an open one.
func Audit(recs []task.Record, now time.Time, sight func(task.Record) Sight, probe Probe) []Finding {
	var out []Finding
	add := func(r task.Record, code string, s Severity, age time.Duration, fix bool, text string) {
		out = append(out, Finding{Code: code, Severity: s, Subject: r.ID, Age: max(age, 0), CanFix: fix, Text: text})
	}
	for _, r := range recs {
		if !Known(r.Status) {
			add(r, Unreadable, Fault, now.Sub(r.Created), false, "Its status \""+fit(string(r.Status), 40)+"\" is not known here: a newer offstage may have written it.")
			continue
		}
		auditOpen(r, now, sight, add)
		if r.Status == task.Lost {
			s := Warning
			if !r.CleanupAfter.IsZero() && now.After(r.CleanupAfter) {
				s = Fault
			}
			add(r, LostTask, s, now.Sub(r.Ended), s == Fault, "It ended and its result is not known.")
		}
		if r.Delivery.Policy != task.NotifySilent && Undelivered(r, probe) {
			add(r, FailedDelivery, Warning, now.Sub(firstTime(r.Delivery.At, r.Ended)), r.Delivery.State == task.DeliveryPending,
				"The news of its end was not delivered: "+first(r.Delivery.Error, whyUndelivered(r))+".")
		}
		if !r.Open() && r.CleanupAfter.IsZero() {
			add(r, MissingCleanup, Warning, now.Sub(r.Ended), true, "It ended and has no time of its clean-up.")
		}
		if why := contradiction(r, now); why != "" {
			add(r, WrongTimes, Warning, now.Sub(r.Created), true, "Its times contradict each other: "+why+".")
		}
	}
	return sorted(out)
}

func whyUndelivered(r task.Record) string {
	if r.Delivery.State == task.ParentMissing {
		return "whoever asked for it is gone"
	}
	return DiedTelling
}

// auditOpen: what is queued or running for long is in order while it is seen.
func auditOpen(r task.Record, now time.Time, sight func(task.Record) Sight, add func(task.Record, string, Severity, time.Duration, bool, string)) {
	age := now.Sub(latest(firstTime(r.Started, r.Created), r.LastEvent))
	queued := r.Status == task.Queued && age > queuedTooLong
	if !queued && (r.Status != task.Running || age <= SilentAfter) {
		return
	}
	s := sight(r)
	if s.Life == Alive || r.Process.PID == 0 && s.Knows == StillThere {
		return
	}
	gone := s.Life == Dead || r.Process.PID == 0 && s.Knows == Gone
	text := "Nothing was heard of it for long, and it cannot be seen from here."
	if gone {
		text = "Nothing was heard of it for long, and nothing of it can be found: the sweeper takes it for lost."
	}
	switch {
	case queued:
		add(r, StaleQueued, Warning, age, gone, text)
	case gone:
		add(r, StaleRunning, Fault, age, true, text)
	default:
		add(r, StaleRunning, Warning, age, false, text)
	}
}

// skew is how far in the future a time may lie: clocks of files and hosts differ.
const skew = time.Minute

// contradiction says in what way a record's times cannot be true, "" if they can.
func contradiction(r task.Record, now time.Time) string {
	switch {
	case r.Created.IsZero():
		return "nobody knows when it was created"
	case !r.Started.IsZero() && r.Started.Before(r.Created):
		return "it started before it was created"
	case !r.Open() && r.Ended.IsZero():
		return "it ended at no time"
	case !r.Ended.IsZero() && r.Ended.Before(firstTime(r.RunStarted, r.Created)):
		return "it ended before it started"
	case r.Open() && !r.Ended.IsZero():
		return "it is open and has an end"
	case r.LastEvent.After(now.Add(skew)), r.Ended.After(now.Add(skew)):
		return "it lies in the future"
	}
	return ""
}

// sorted puts faults before warnings, then by code and subject.
func sorted(f []Finding) []Finding {
	slices.SortFunc(f, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Subject, b.Subject))
	})
	return f
}
