package ledger

import (
	"time"

	"offstage/task"
)

// Life is what can be said of a process.
type Life uint8

// Dead is proof: the boot is another one, or no process has pid and start time.
const (
	CannotTell Life = iota
	Alive
	Dead
)

// Probe looks for a process by its identity. Since is when it died where that
// is known, as after a reboot; else zero.
type Probe func(task.Identity) (life Life, since time.Time)

// NextDelivery is a delivery after an attempt. States are reached from pending;
// what waits in a session's queue may still arrive or fail; everything else is
// final, so that nobody is told twice.
func NextDelivery(d task.Delivery, to task.DeliveryState, why string, now time.Time) (next task.Delivery, ok bool) {
	switch {
	case d.State == task.DeliveryPending && to != task.DeliveryPending:
	case d.State == task.SessionQueued && (to == task.Delivered || to == task.DeliveryFailed || to == task.ParentMissing):
	default:
		return d, false
	}
	if to == task.Delivered || to == task.SessionQueued {
		if !d.Notified { // nobody took the latch: whoever tells must have it
			return d, false
		}
	}
	d.State, d.At, d.Error = to, now, ""
	if to == task.DeliveryFailed || to == task.ParentMissing {
		d.Error = fit(oneLine(why), maxText)
	}
	return d, true
}

// DiedTelling is the error of a delivery whose program ended before it told.
const DiedTelling = "the program that was to tell of the end has ended itself"

// Undelivered says whether the news of an end is shown as not delivered (N1):
// it failed, found nobody, or who took it upon himself is dead.
func Undelivered(r task.Record, probe Probe) bool {
	switch r.Delivery.State {
	case task.DeliveryFailed, task.ParentMissing:
		return r.Status.Ended() && r.Delivery.Policy != task.NotifySilent
	case task.DeliveryPending:
		if !r.Delivery.Notified || !r.Status.Ended() {
			return false
		}
		life, _ := probe(r.Delivery.Claimant.Identity)
		return life == Dead
	}
	return false
}

// TellsEnd says whether an end is to be told at all.
func TellsEnd(r task.Record) bool {
	return r.Status.Ended() && r.Delivery.State == task.DeliveryPending && !r.Delivery.Notified && r.Delivery.Policy != task.NotifySilent
}

// TellsChange says whether a change of state at a time is told on the way.
func TellsChange(r task.Record, at time.Time) bool {
	d := r.Delivery
	return r.Open() && d.Policy == task.NotifyChanges && d.State == task.DeliveryPending && at.After(d.ToldOf)
}

// Visible says whether an owner may read, list and cancel a record: only its
// own, and never one of the system. What is refused looks as if it were absent.
func Visible(r task.Record, owner string) bool {
	return r.Scope == task.SessionScope && owner != "" && r.Owner == owner
}
