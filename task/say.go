package task

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"offstage/testparse"
)

// Tone is the meaning of a colour; faces decide how it looks.
type Tone int

// The tones. Plain is the terminal's own text colour.
const (
	Plain Tone = iota
	Good
	Bad
	Amber
	Quiet
	Link
	Accent
)

// Chip is a short coloured word: test counts, a hint.
type Chip struct {
	Text string
	Tone Tone
	// Title is the whole story for focus or hover.
	Title string
}

// QuietAfter is the default of the setting of spec 1 D2.
const QuietAfter = 10 * time.Minute

// TestChip is what the counts of a log say in a few cells (spec 1 F1); the
// zero Chip where there is no test run.
func TestChip(t *Tests) Chip {
	if t == nil || len(t.Runs) == 0 {
		return Chip{}
	}
	passed := strconv.Itoa(t.Passed)
	if t.PassedUnknown && !t.Settled {
		passed = "?"
	}
	c := Chip{Text: "✓ " + passed, Tone: Good}
	if t.Red {
		c.Tone = Bad
	}
	switch {
	case t.Failed > 0:
		c.Text += " ✘ " + strconv.Itoa(t.Failed)
	case t.SuitesFailed == 1:
		c.Text += " ✘ 1 suite"
	case t.SuitesFailed > 1:
		c.Text += " ✘ " + strconv.Itoa(t.SuitesFailed) + " suites"
	case t.Red:
		c.Text += " ✘"
	}
	c.Title = testTitle(t)
	return c
}

func testTitle(t *Tests) string {
	parts := []string{runners(t.Runs)}
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+word)
		}
	}
	if t.PassedUnknown && !t.Settled {
		parts = append(parts, "passed tests are not printed until the summary")
	} else {
		parts = append(parts, strconv.Itoa(t.Passed)+" passed")
	}
	add(t.Failed, "failed")
	add(t.SuitesFailed, "suites failed")
	add(t.Skipped, "skipped")
	add(t.Todo, "todo")
	add(t.Flaky, "flaky")
	if !t.Complete {
		parts = append(parts, "still counting")
	}
	return strings.Join(parts, ", ")
}

func runners(runs []testparse.Run) string {
	var names []string
	for _, r := range runs {
		seen := false
		for _, n := range names {
			seen = seen || n == r.Runner
		}
		if !seen {
			names = append(names, r.Runner)
		}
	}
	return strings.Join(names, " + ")
}

// QuietFor is how long a running shell or monitor has written nothing, counted
// from its file's own time or, before its first byte, from its start (D3).
// Never less than zero; zero where quiet means nothing.
func QuietFor(t Task, now time.Time) time.Duration {
	if t.Status != Running || (t.Kind != Shell && t.Kind != Monitor) {
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

// Rough is a duration in its largest unit: "45 s", "12 min", "3 h", "2 d"; an age
// that a clock set back made negative is "0 s".
func Rough(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + " d"
}

// Clock is a run time in the fixed form of rows: "41s", "3m04s", "1h12m", "2d03h".
func Clock(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	s := int(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 24*3600:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd%02dh", s/(24*3600), s/3600%24)
}

// Size is a number of bytes to two digits: "812 B", "2.1 MB", "1.4 TB".
func Size(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, units := float64(n), []string{"kB", "MB", "GB", "TB", "PB"}
	for i, u := range units {
		f /= 1000
		if f < 999.5 || i == len(units)-1 {
			if f < 9.95 {
				return strconv.FormatFloat(f, 'f', 1, 64) + " " + u
			}
			return strconv.FormatFloat(f, 'f', 0, 64) + " " + u
		}
	}
	return ""
}

// Elapsed is how long a task has run, or ran.
func Elapsed(t Task, now time.Time) time.Duration {
	end := now
	if t.Status.Ended() && !t.Ended.IsZero() {
		end = t.Ended
	}
	if t.Started.IsZero() || !end.After(t.Started) {
		return 0
	}
	return end.Sub(t.Started)
}

// StateWords is the state as the console's header says it (spec 1 B10):
// "running", "completed", "failed, exit code 1", "ended, result unknown" …
func StateWords(t Task) string {
	switch t.Status {
	case Queued:
		return "queued"
	case Running:
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

// Counts are what a list of tasks adds up to.
type Counts struct {
	Running, Finished, Failed, Waiting int
	ByKind                             map[Kind]int
}

// Count adds up tasks; foreground and hidden ones are left out (L5, A5).
func Count(tasks []Task) Counts {
	c := Counts{ByKind: map[Kind]int{}}
	for _, t := range tasks {
		switch {
		case t.Foreground || t.Hidden:
		case t.Status.Ended():
			c.Finished++
			if t.Status == Failed || t.Status == TimedOut {
				c.Failed++
			}
		default:
			c.Running++
			c.ByKind[t.Kind]++
			if t.Waiting != "" {
				c.Waiting++
			}
		}
	}
	return c
}

// Collapsed is the one line of the closed panel (A1), without its spinner:
// "2 background tasks running · 1 finished".
func Collapsed(c Counts) string {
	var s string
	switch c.Running {
	case 0:
		s = "No background tasks running"
	case 1:
		s = "1 background task running"
	default:
		s = strconv.Itoa(c.Running) + " background tasks running"
	}
	if c.Finished > 0 {
		s += " · " + strconv.Itoa(c.Finished) + " finished"
	}
	return s
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
