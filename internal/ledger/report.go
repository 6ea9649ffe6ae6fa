package ledger

import (
	"strings"
	"time"

	"offstage/task"
)

// Proof is how good the word of a report is.
type Proof uint8

// The three grades. A lost task yields to the last two (L3); what was stopped
// from here stays cancelled against all but the last (K7).
const (
	// Hearsay: a record says so, or the lack of one.
	Hearsay Proof = iota
	// Recorded: the agent wrote down the end, with its code or words.
	Recorded
	// Witnessed: our supervisor's exit record, a live process of the task, or a
	// stop whose effect was seen.
	Witnessed
)

// Report is what somebody says of a task. The zero fields of its record say
// nothing; ID is always there, Run 0 means the present run.
type Report struct {
	task.Record
	// At is when it was so; zero is now.
	At    time.Time
	Proof Proof
	// Level: this is how it looks now, said again at every look. What is known
	// already is then no double report, and neither sizes, ages nor last lines are
	// news.
	Level bool
	// Rebuilt: it comes from a folder after the ledger was lost. Whether its owner
	// was told is not known, and nobody is told twice.
	Rebuilt bool
	// SetKeep and SetHidden are what a person decided, nil for nothing.
	SetKeep, SetHidden *bool
}

// Bounds of the texts of a record, in characters.
const (
	maxTitle   = 200
	maxCommand = 2000
	maxText    = 4000
	maxName    = 1000
)

// tidy bounds the texts of what is said, and sets its time.
func (r Report) tidy(now time.Time) Report {
	if r.At.IsZero() {
		r.At = now
	}
	r.Title, r.Command = fit(oneLine(r.Title), maxTitle), fit(r.Command, maxCommand)
	r.Error, r.Progress, r.Summary = fit(oneLine(r.Error), maxText), fit(oneLine(r.Progress), maxText), fit(oneLine(r.Summary), maxText)
	r.Result, r.Cwd = fit(r.Result, maxText), fit(r.Cwd, maxCommand)
	for _, name := range []*string{&r.RunID, &r.Owner, &r.Session, &r.Flow, &r.Parent, &r.ToolCall, &r.StatusSource, &r.Signal} {
		*name = fit(*name, maxName)
	}
	return r
}

// fit cuts s to at most n characters, never inside one.
func fit(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// oneLine collapses white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Known says whether status is one of the house's: a record with another word,
// of a newer program, is left alone and never an end of the reading.
func Known(s task.Status) bool {
	return s == task.Queued || s == task.Running || s.Ended()
}
