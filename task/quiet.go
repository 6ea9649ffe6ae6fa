package task

import (
	"time"
)

// QuietAfter is the default of the setting of spec 1 D2.
const QuietAfter = 10 * time.Minute

// QuietFor is how long a running shell or monitor has written nothing, counted
// from its file's own time or, before its first byte, from its start (D3).
// Never less than zero; zero where quiet means nothing, or nobody hears it.
func QuietFor(t Task, now time.Time) time.Duration {
	if t.Status != Running || t.Output.Unheard || (t.Kind != Shell && t.Kind != Monitor) {
		return 0
	}
	last := t.Started
	if t.Output.LastWrite.After(last) {
		last = t.Output.LastWrite
	}
	if last.IsZero() || !now.After(last) {
		return 0
	}
	return now.Sub(last)
}

// QuietChip is the hint of D1–D2: empty for the first minute, then
// "no output for 12 min", amber past the setting after.
func QuietChip(t Task, now time.Time, after time.Duration) Chip {
	d := QuietFor(t, now)
	if t.Waiting != "" && t.Status == Running {
		return Chip{Text: t.Waiting, Tone: Amber, Title: t.WaitingLine}
	}
	if d < time.Minute {
		return Chip{}
	}
	c := Chip{Text: "no output for " + Rough(d), Tone: Quiet}
	if d >= after {
		c.Tone = Amber
	}
	if t.Pipe.Name != "" {
		c.Title = PipeNote(t.Pipe)
	}
	return c
}

// PipeNote is the sentence of spec 1 E1 and E2 for a sink; "" without one.
func PipeNote(p PipeSink) string {
	if p.Name == "" {
		return ""
	}
	if p.Soft {
		return "Output may lag here: " + p.Name + " passes its lines on in blocks while it writes into a file or a pipe. " +
			"Its line-buffer flag (or logging to a file instead, > run.log 2>&1) shows them as they come."
	}
	return "Output stops here: this command pipes into " + p.Name + ", so the rest arrives when it ends. " +
		"Logging to a file instead (> run.log 2>&1) and following that file shows it live."
}
