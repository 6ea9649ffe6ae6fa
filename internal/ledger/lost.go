package ledger

import (
	"time"

	"offstage/task"
)

// The times of R5.
const (
	SweepEvery = time.Minute
	// DeadGrace is how long after a proven death an end may still be found.
	DeadGrace = 90 * time.Second
	// SilentAfter is how long a record without a process may have had no event.
	SilentAfter = 30 * time.Minute
	// SilentGrace is how long its runtime must have known nothing of it then.
	SilentGrace = 5 * time.Minute
	// RecoverySlow is when a recovery is warned of.
	RecoverySlow = 5 * time.Second
	// Batch is after how many records a sweep lets others have their turn.
	Batch = 25
)

// Verdict is what the sweeper does with an open record.
type Verdict uint8

// Leave it; note that it cannot be found, or is there again; or take it for lost
// unless a last look finds its end.
const (
	Leave Verdict = iota
	NoteGone
	NoteBack
	TakeForLost
)

// Sight is what was seen of a record's work.
type Sight struct {
	// Life of its process, and since when it is dead where that is known.
	Life  Life
	Since time.Time
	// Knows is the word of its runtime, for a record without a process.
	Knows Knowledge
}

// Judge decides over an open record (R5). Only proof makes it gone: a process
// that cannot be seen from here, or a runtime that does not run here, is none.
func Judge(r task.Record, s Sight, now time.Time) (v Verdict, gone time.Time) {
	if !r.Open() {
		return Leave, time.Time{}
	}
	grace, missing, sure := DeadGrace, s.Life == Dead, s.Life != CannotTell
	if r.Process.PID == 0 {
		heard := latest(firstTime(r.Started, r.Created), r.LastEvent)
		silent := now.Sub(heard) >= SilentAfter
		grace, missing, sure = SilentGrace, silent && s.Knows == Gone, !silent || s.Knows != CannotSay
	}
	switch {
	case missing && r.GoneSince.IsZero():
		gone = now
		if !s.Since.IsZero() && s.Since.Before(now) {
			gone = latest(s.Since, firstTime(r.RunStarted, r.Created))
		}
		if now.Sub(gone) >= grace {
			return TakeForLost, gone
		}
		return NoteGone, gone
	case missing && now.Sub(r.GoneSince) >= grace:
		return TakeForLost, r.GoneSince
	case !missing && sure && !r.GoneSince.IsZero():
		return NoteBack, time.Time{}
	}
	return Leave, r.GoneSince
}

// LostReport is the end of a record of which nothing can be found any more.
func LostReport(r task.Record, gone time.Time) Report {
	why := "its process has ended and left no result"
	if r.Process.PID == 0 {
		why = "nothing was heard of it, and who ran it no longer knows it"
	}
	return Report{Proof: Witnessed, At: gone, Record: task.Record{ID: r.ID, Run: r.Run, Status: task.Lost, StatusSource: "sweep", Ended: gone, Error: why}}
}

// Sound says whether what a recovery found can be true of a record: an end that
// is none of ours to invent, or proof that it still runs.
func Sound(r task.Record, found Report) bool {
	if found.ID != r.ID || found.Run != 0 && found.Run != r.Run || found.Proof == Hearsay {
		return false
	}
	return found.Status == task.Running || found.Status.Ended() && found.Status != task.Lost
}
