package ui

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"offstage/task"
	"offstage/ui/uitest"
)

// buffer is what was written, safe to read while it is written.
type buffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// await waits until the text holds what.
func (b *buffer) await(t *testing.T, what string) {
	t.Helper()
	for range 300 {
		if strings.Contains(b.String(), what) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %q in:\n%s", what, b.String())
}

// TestPlainMode: the first line says what chose it; no escape, no mark; each
// change of a task is exactly one sentence, appended; output that grows is none.
func TestPlainMode(t *testing.T) {
	now := uitest.Start
	e := uitest.New(nasty(sample()), func() time.Time { return now })
	ctx, cancel := context.WithCancel(t.Context())
	var out buffer
	done := make(chan error, 1)
	go func() {
		done <- RunPlain(ctx, Options{Engine: e, Now: func() time.Time { return now }, PlainWhy: "TERM=dumb"}, &out)
	}()
	out.await(t, "details not reported. Its agent says that work goes on in the background, but left no record of it here. The agent's own task list shows it and ends it.\n")
	first := out.String()
	e.SetTask("claude:vitest", func(k *task.Task) { k.Activity = "one more line"; k.Output.Bytes += 10 })
	code := 1
	e.SetTask("claude:vitest", func(k *task.Task) { k.Status, k.ExitCode, k.Ended = task.Failed, &code, now })
	out.await(t, "failed, exit code 1, vitest, 412 passed, 2 failed")
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	all := out.String()
	if !strings.HasPrefix(all, "Plain mode, chosen by TERM=dumb.") {
		t.Errorf("first line: %.60q", all)
	}
	if !strings.HasPrefix(all, first) {
		t.Error("what was written was written anew")
	}
	if added := strings.Count(strings.TrimPrefix(all, first), "\n"); added != 1 {
		t.Errorf("%d lines for one change:\n%s", added, strings.TrimPrefix(all, first))
	}
	if n := strings.Count(first, "\n"); n != 1+12+1 {
		t.Errorf("%d lines for 12 tasks and a session:\n%s", n-1, first)
	}
	for _, r := range all {
		if r != '\n' && (r < ' ' || (r >= 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r))) {
			t.Fatalf("plain mode wrote %q", r)
		}
	}
}

// TestPlainModeEmpty says that there is nothing, once.
func TestPlainModeEmpty(t *testing.T) {
	e := uitest.New(empty(), func() time.Time { return uitest.Start })
	ctx, cancel := context.WithCancel(t.Context())
	var out buffer
	done := make(chan error, 1)
	go func() { done <- RunPlain(ctx, Options{Engine: e}, &out) }()
	out.await(t, "No background task is running. 4 run in other projects: offstage --plain -A follows them.")
	e.Set(func(s *task.Snapshot) { s.Elsewhere = 5 })
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "Plain mode, chosen by --plain.") || strings.Count(out.String(), "\n") != 2 {
		t.Fatal(out.String())
	}
}

// TestPlainModeSaysWhatIsNotReported is G5 and A6 in plain mode: a session whose
// work is not reported is no idle machine, and a stopped task says that its agent
// may start it again.
func TestPlainModeSaysWhatIsNotReported(t *testing.T) {
	snap := sample()
	snap.Tasks = snap.Tasks[8:9] // the stopped build
	e := uitest.New(snap, func() time.Time { return uitest.Start })
	ctx, cancel := context.WithCancel(t.Context())
	var out buffer
	done := make(chan error, 1)
	go func() { done <- RunPlain(ctx, Options{Engine: e, Now: func() time.Time { return uitest.Start }}, &out) }()
	out.await(t, "background work, details not reported. Its agent says")
	out.await(t, "stopped, 1 min, Claude Code was not told of the stop and may start it again.")
	e.Set(func(s *task.Snapshot) { s.Elsewhere = 7 })
	e.Set(func(s *task.Snapshot) {
		for i := range s.Sessions {
			s.Sessions[i].Unreported = false
		}
	})
	out.await(t, "No background task is running. 7 run in other projects")
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "details not reported"); n != 1 {
		t.Errorf("said %d times:\n%s", n, out.String())
	}
	if strings.Index(out.String(), "No background task") < strings.Index(out.String(), "not reported") {
		t.Errorf("counted as idle:\n%s", out.String())
	}
}

// TestPlainModeTakesUpTheSetting is D3: at once, no task changed.
func TestPlainModeTakesUpTheSetting(t *testing.T) {
	p := &plain{o: Options{Look: Look{QuietAfter: time.Hour}}.withDefaults()}
	quiet := task.Task{Kind: task.Shell, Status: task.Running, Started: uitest.Start.Add(-5 * time.Minute)}
	if p.state(quiet, uitest.Start).quiet {
		t.Fatal("quiet before its time")
	}
	if err := p.look(Look{QuietAfter: 3 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	if !p.state(quiet, uitest.Start).quiet {
		t.Error("the new setting is not taken up")
	}
}
