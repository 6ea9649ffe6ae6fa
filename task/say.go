package task

import (
	"strconv"
	"strings"
	"time"
)

// CannotSee begins the trouble of a session whose processes are those of another
// machine or container (G6): sources write it, doctor knows it by that.
const CannotSee = "Cannot see its processes: the agent runs in a container"

// WaitingForWorker is the Warning, and the state in words, of a task of our own whose
// supervisor was not heard of yet (G2).
const WaitingForWorker = "waiting for its worker after the restart"

// StateWords is the state as the console's header says it (spec 1 B10):
// "running", "completed", "failed, exit code 1", "ended, result unknown" …
func StateWords(t Task) string {
	switch t.Status {
	case Queued:
		return "queued"
	case Running:
		if t.Warning == WaitingForWorker {
			return WaitingForWorker
		}
		return "running"
	case Succeeded:
		return "completed"
	case Failed:
		switch {
		case t.ExitCode != nil:
			return "failed, exit code " + strconv.Itoa(*t.ExitCode)
		case t.Signal != "":
			return "failed, signal " + t.Signal
		}
		return "failed"
	case TimedOut:
		return "timed out"
	case Cancelled:
		return "stopped"
	}
	return "ended, result unknown"
}

// Glyph is the state's mark (A5): "●" running, "✓", "✘", "■", "?".
func Glyph(s Status) string {
	switch s {
	case Queued:
		return "○"
	case Running:
		return "●"
	case Succeeded:
		return "✓"
	case Failed, TimedOut:
		return "✘"
	case Cancelled:
		return "■"
	}
	return "?"
}

// ASCIIGlyph is Glyph for terminals without the marks.
func ASCIIGlyph(s Status) string {
	switch s {
	case Queued:
		return "o"
	case Running:
		return "*"
	case Succeeded:
		return "+"
	case Failed, TimedOut:
		return "x"
	case Cancelled:
		return "#"
	}
	return "?"
}

// StatusTone is the colour of a state.
func StatusTone(s Status) Tone {
	switch s {
	case Running:
		return Good
	case Failed, TimedOut:
		return Bad
	case Succeeded, Cancelled, Lost:
		return Quiet
	}
	return Plain
}

// Sentence says a task and its state without any glyph, for plain mode and
// screen readers: "vitest run, failed, exit code 1, 412 passed, 2 failed".
func Sentence(t Task, now time.Time) string {
	s := t.Title + ", " + strings.ToLower(t.Kind.Label()) + ", " + StateWords(t)
	if t.Tests != nil && len(t.Tests.Runs) > 0 {
		s += ", " + testTitle(t.Tests)
	}
	if q := QuietChip(t, now, QuietAfter); q.Text != "" {
		s += ", " + q.Text
	}
	if d := Elapsed(t, now); d > 0 {
		s += ", " + Rough(d)
	}
	return s
}
