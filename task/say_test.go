package task

import (
	"encoding/json"
	"testing"
	"time"

	"offstage/testparse"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// TestStateWords are the words of B10 and A5, letter by letter.
func TestStateWords(t *testing.T) {
	one := 1
	for _, c := range []struct {
		t           Task
		words, mark string
	}{
		{Task{Status: Queued}, "queued", "○"},
		{Task{Status: Running}, "running", "●"},
		{Task{Status: Running, Warning: WaitingForWorker}, "waiting for its worker after the restart", "●"},
		{Task{Status: Succeeded}, "completed", "✓"},
		{Task{Status: Cancelled}, "stopped", "■"},
		{Task{Status: Failed, ExitCode: &one}, "failed, exit code 1", "✘"},
		{Task{Status: Failed, Signal: "TERM"}, "failed, signal TERM", "✘"},
		{Task{Status: Failed}, "failed", "✘"},
		{Task{Status: TimedOut, ExitCode: &one}, "timed out", "✘"},
		{Task{Status: Lost}, "ended, result unknown", "?"},
	} {
		if got := StateWords(c.t); got != c.words {
			t.Errorf("%s: %q, want %q", c.t.Status, got, c.words)
		}
		if got := Glyph(c.t.Status); got != c.mark {
			t.Errorf("%s: mark %q, want %q", c.t.Status, got, c.mark)
		}
	}
}

// TestPipeNote is the sentence of E1, letter by letter; a sink of E2 has its own
// name in it, and a filter that buffers has a softer one.
func TestPipeNote(t *testing.T) {
	want := "Output stops here: this command pipes into tail, so the rest arrives when it ends. " +
		"Logging to a file instead (> run.log 2>&1) and following that file shows it live."
	if got := PipeNote(PipeSink{Name: "tail"}); got != want {
		t.Errorf("%q", got)
	}
	if got := PipeNote(PipeSink{Name: "sort"}); got != "Output stops here: this command pipes into sort"+want[len("Output stops here: this command pipes into tail"):] {
		t.Errorf("%q", got)
	}
	if soft := PipeNote(PipeSink{Name: "grep", Soft: true}); soft == PipeNote(PipeSink{Name: "grep"}) || soft == "" {
		t.Errorf("%q", soft)
	}
	if got := PipeNote(PipeSink{}); got != "" {
		t.Errorf("%q without a sink", got)
	}
}

// TestQuiet is D1 to D3: nothing before a minute, amber past the setting, the age
// from the file, never below zero, never of what has ended or has no output.
func TestQuiet(t *testing.T) {
	silent := func(k Kind, d time.Duration) Task {
		return Task{Kind: k, Status: Running, Started: noon.Add(-24 * time.Hour), Output: OutputRef{LastWrite: noon.Add(-d)}}
	}
	over := silent(Shell, time.Hour)
	over.Status = Failed
	waiting := silent(Shell, time.Hour)
	waiting.Waiting = "may be waiting for input"
	fresh := silent(Shell, 0)
	fresh.Output.LastWrite, fresh.Started = time.Time{}, noon.Add(-2*time.Minute)
	for _, c := range []struct {
		name string
		t    Task
		text string
		tone Tone
	}{
		{"59 s", silent(Shell, 59*time.Second), "", Plain},
		{"a minute", silent(Shell, time.Minute), "no output for 1 min", Quiet},
		{"below the setting", silent(Monitor, 9*time.Minute), "no output for 9 min", Quiet},
		{"past the setting", silent(Monitor, 12*time.Minute), "no output for 12 min", Amber},
		{"a sub-agent", silent(Agent, time.Hour), "", Plain},
		{"ended", over, "", Plain},
		{"a clock set back", silent(Shell, -time.Hour), "", Plain},
		{"no byte yet", fresh, "no output for 2 min", Quiet},
		{"waiting", waiting, "may be waiting for input", Amber},
	} {
		if got := QuietChip(c.t, noon, QuietAfter); got.Text != c.text || got.Tone != c.tone {
			t.Errorf("%s: %q in tone %d, want %q in %d", c.name, got.Text, got.Tone, c.text, c.tone)
		}
	}
	if got := QuietChip(silent(Shell, 3*time.Minute), noon, 2*time.Minute); got.Tone != Amber {
		t.Error("the setting has no effect (D2)")
	}
}

// TestAges: an age that a clock set back made negative is 0 s (spec 5, bad
// input).
func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0 s", 45 * time.Second: "45 s", 12 * time.Minute: "12 min", 3 * time.Hour: "3 h", 50 * time.Hour: "2 d",
	} {
		if got := Rough(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := Clock(-time.Hour); got != "0s" {
		t.Errorf("a clock of %q", got)
	}
	future := Task{Status: Running, Started: noon.Add(time.Hour), StatusAt: noon.Add(time.Hour)}
	if Elapsed(future, noon) != 0 || *ToWire(future, noon).StatusAgeMS != 0 {
		t.Error("an age below zero")
	}
}

// TestCollapsed is A1, letter by letter.
func TestCollapsed(t *testing.T) {
	for want, c := range map[string]Counts{
		"2 background tasks running · 1 finished": {Running: 2, Finished: 1},
		"1 background task running":               {Running: 1},
		"No background tasks running":             {},
	} {
		if got := Collapsed(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTestChip is F1: red is a run that is bad, not only one with a failed test.
func TestTestChip(t *testing.T) {
	chip := func(f func(*Tests)) Chip {
		x := &Tests{Complete: true, Runs: []testparse.Run{{Runner: "vitest"}}}
		f(x)
		return TestChip(x)
	}
	for want, c := range map[string]Chip{
		"✓ 38":          chip(func(x *Tests) { x.Passed = 38 }),
		"✓ 412 ✘ 2":     chip(func(x *Tests) { x.Passed, x.Failed, x.Red = 412, 2, true }),
		"✓ 3 ✘ 1 suite": chip(func(x *Tests) { x.Passed, x.SuitesFailed, x.Red = 3, 1, true }),
		"✓ 5 ✘":         chip(func(x *Tests) { x.Passed, x.Red = 5, true }),
		"✓ ?":           chip(func(x *Tests) { x.PassedUnknown = true }),
	} {
		if c.Text != want || (c.Tone == Bad) != (len(want) > len("✓ 38") && want != "✓ ?") {
			t.Errorf("%q in tone %d, want %q", c.Text, c.Tone, want)
		}
	}
	if c := TestChip(&Tests{Complete: true}); c.Text != "" {
		t.Errorf("a chip without a run: %q", c.Text)
	}
}

// TestCount is L5 and A5: what the foreground holds or a person hid is in no
// count.
func TestCount(t *testing.T) {
	c := Count([]Task{
		{Status: Running, Kind: Shell}, {Status: Queued, Kind: Shell}, {Status: Running, Kind: Monitor, Waiting: "waiting for input"},
		{Status: Running, Foreground: true}, {Status: Failed}, {Status: TimedOut}, {Status: Succeeded}, {Status: Failed, Hidden: true},
	})
	if c.Running != 3 || c.Finished != 3 || c.Failed != 2 || c.Waiting != 1 || c.ByKind[Shell] != 2 {
		t.Errorf("%+v", c)
	}
}

// TestAgentGone: a session says so only while tasks of it live (A7).
func TestAgentGone(t *testing.T) {
	s := Session{ID: "claude:s", State: EndedSession, AgentGone: true}
	live := []Task{{Session: "claude:s", Status: Running}}
	if w := SessionToWire(s, live); !w.AgentGone || w.Tasks.Running != 1 {
		t.Errorf("%+v", w)
	}
	live[0].Status = Succeeded
	if w := SessionToWire(s, live); w.AgentGone || w.Tasks.Finished != 1 {
		t.Errorf("%+v", w)
	}
}

// TestWireKeys: the names that other programs rely on, none missing where all is
// known, none null where nothing is (spec 5).
func TestWireKeys(t *testing.T) {
	code := 1
	full := Task{ID: "claude:b1", Source: "claude", Native: "b1", Kind: Shell, Title: "t", Command: "c", Cwd: "/", Session: "claude:s", Status: Running,
		ExitCode: &code, Signal: "TERM", Started: noon.Add(-time.Hour), Ended: noon, Output: OutputRef{Path: "/o", Bytes: 1, LastWrite: noon.Add(-time.Minute)},
		Waiting: "waiting for input", Tests: &Tests{Runs: []testparse.Run{{Runner: "jest"}}}, URLs: []string{"http://localhost:5173"}, Ports: []int{5173},
		Pipe: PipeSink{Name: "tail"}, Parent: "claude:p", Activity: "a", ActivityAt: noon, Summary: "s", Tokens: &Tokens{}, ToolCalls: 1,
		StatusSource: "processes", StatusAt: noon}
	keys := []string{"id", "source", "kind", "title", "command", "cwd", "session", "status", "exit_code", "signal", "started_at", "ended_at", "last_output_at",
		"quiet_ms", "output", "can", "waiting_for_input", "tests", "urls", "ports", "pipe", "left_behind", "parent", "run", "activity", "last_activity_at",
		"summary", "tokens", "tool_calls", "status_source", "status_age_ms"}
	got := object(t, ToWire(full, noon))
	for _, k := range keys {
		if _, ok := got[k]; !ok {
			t.Errorf("%q is missing", k)
		}
	}
	if tests := got["tests"].(map[string]any); tests["complete"] != false || tests["total"] == nil {
		t.Errorf("tests: %v", tests)
	}
	for k, v := range object(t, ToWire(Task{ID: "a:b", Status: Running}, noon)) {
		if v == nil {
			t.Errorf("%q is null", k)
		}
	}
	if got["started_at"] != "2026-03-14T11:00:00Z" || got["quiet_ms"] != float64(60_000) {
		t.Errorf("started_at %v, quiet_ms %v", got["started_at"], got["quiet_ms"])
	}
}

func object(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
