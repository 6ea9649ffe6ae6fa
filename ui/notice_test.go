package ui

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/task"
	"offstage/ui/uitest"
)

// N4: an end is asked for once: of what was seen to run, and of what came and
// ended between two looks; not of old rows that are listed because more is wanted.
func TestEnds(t *testing.T) {
	now := uitest.Start
	run := task.Task{ID: "a", Run: 1, Status: task.Running}
	done := func(id string, ago time.Duration) task.Task {
		return task.Task{ID: id, Run: 1, Status: task.Succeeded, Ended: now.Add(-ago)}
	}
	for _, c := range []struct {
		name        string
		before, now []task.Task
		loaded      bool
		want        []string
	}{
		{"it ran", []task.Task{run}, []task.Task{done("a", time.Minute)}, true, []string{"a"}},
		{"it had ended", []task.Task{done("a", time.Second)}, []task.Task{done("a", time.Second)}, true, nil},
		{"a quick one", nil, []task.Task{done("b", time.Second)}, true, []string{"b"}},
		{"the first look", nil, []task.Task{done("b", time.Second)}, false, nil},
		{"H lists old ones", nil, []task.Task{done("b", time.Hour)}, true, nil},
		{"still running", []task.Task{run}, []task.Task{run}, true, nil},
		{"gone", []task.Task{run}, nil, true, nil},
		{"foreground", []task.Task{run}, []task.Task{{ID: "a", Run: 1, Status: task.Failed, Foreground: true}}, true, nil},
	} {
		if got := ends(c.before, c.now, c.loaded, now); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What rings goes through the program's own output, once, and a sentence to the
// hint line.
func TestNoticeIsWritten(t *testing.T) {
	snap := uitest.Sample(uitest.Start)
	id := ""
	for _, x := range snap.Tasks {
		if x.Status == task.Running {
			id = x.ID
		}
	}
	e := uitest.New(snap, time.Now)
	var mu sync.Mutex
	var asked []string
	var out safeBuffer
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := Options{Engine: e, In: neverInput{}, Out: &out, TellEnds: func(ids []string) (string, string) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, ids...)
		return "\x1b]9;Offstage: it ended\a", "The desktop could not show it"
	}}
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o) }()
	wait := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: asked %v", what, asked)
			}
		}
	}
	wait("the first frame", func() bool { return out.Len() > 0 })
	time.Sleep(100 * time.Millisecond)
	e.SetTask(id, func(x *task.Task) { x.Status, x.Ended = task.Failed, time.Now() })
	wait("the notice", func() bool { return strings.Contains(out.String(), "\x1b]9;Offstage: it ended\a") })
	time.Sleep(200 * time.Millisecond)
	cancel()
	<-ended
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(asked, []string{id}) || strings.Count(out.String(), "]9;Offstage") != 1 {
		t.Errorf("asked %v, written %d times", asked, strings.Count(out.String(), "]9;Offstage"))
	}
}

// safeBuffer is written by the program and read by the test.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *safeBuffer) Len() int { return len(s.String()) }

// neverInput is a terminal at which nobody types.
type neverInput struct{}

func (neverInput) Read([]byte) (int, error) { select {} }
