package ledger

import (
	"time"

	"offstage/task"
)

// fill adds to a record what it does not know yet of what is said: no word of
// its description is exchanged. A process or an output file that is named anew
// takes the place of the old one.
func fill(rec, said task.Record) task.Record {
	for _, f := range []struct {
		to  *string
		say string
	}{
		{&rec.Runtime, said.Runtime}, {&rec.RunID, said.RunID}, {&rec.Owner, said.Owner}, {&rec.Session, said.Session},
		{&rec.Flow, said.Flow}, {&rec.Parent, said.Parent}, {&rec.Title, said.Title}, {&rec.Command, said.Command},
		{&rec.Cwd, said.Cwd}, {&rec.ToolCall, said.ToolCall}, {&rec.Folder, said.Folder}, {&rec.Delivery.Route, said.Delivery.Route},
	} {
		*f.to = first(*f.to, f.say)
	}
	if rec.Kind == "" {
		rec.Kind = said.Kind
	}
	if rec.Open() && said.Process.PID != 0 {
		rec.Process = said.Process
	}
	if said.Output.Path != "" && !sameFile(rec.Output, said.Output) {
		rec.Output = said.Output
	}
	if rec.Delivery.Policy == task.NotifySilent && said.Delivery.Policy != "" {
		rec.Delivery.Policy = said.Delivery.Policy // upgraded from silence only
	}
	return rec
}

// sameFile says whether two mentions are of one file; one that says less of it
// is no other.
func sameFile(a, b task.OutputFile) bool {
	return a.Path == b.Path && (b.Ino == 0 || a.Dev == b.Dev && a.Ino == b.Ino && a.Birth == b.Birth)
}

// differ says whether two records differ in anything that a person, a program
// or the sweeper could see.
func differ(a, b task.Record) bool {
	if !sameCode(a.ExitCode, b.ExitCode) {
		return true
	}
	a, b = normal(a), normal(b)
	a.ExitCode, a.Rev, a.Late = nil, 0, 0
	b.ExitCode, b.Rev, b.Late = nil, 0, 0
	return a != b
}

func sameCode(a, b *int) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// normal is a record with its times as the ledger keeps them: UTC, milliseconds.
func normal(r task.Record) task.Record {
	for _, t := range []*time.Time{
		&r.Created, &r.Started, &r.RunStarted, &r.LastEvent, &r.Ended, &r.CleanupAfter, &r.StopRequested, &r.GoneSince,
		&r.Delivery.At, &r.Delivery.ToldOf, &r.Delivery.Claimant.At,
	} {
		if !t.IsZero() {
			*t = t.UTC().Truncate(time.Millisecond)
		}
	}
	return r
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earliest of the times that are known.
func earliest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if !t.IsZero() && (out.IsZero() || t.Before(out)) {
			out = t
		}
	}
	return out
}
