package registry

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"offstage/internal/world"
	"offstage/task"
)

// told is a source whose tasks a test changes while a wait goes on.
type told struct {
	mu    sync.Mutex
	tasks map[string]task.Task
}

func (s *told) Dirs() []string { return nil }

func (s *told) Scan(context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var snap task.Snapshot
	for _, t := range s.tasks {
		snap.Tasks = append(snap.Tasks, t)
	}
	return snap, nil
}

func (s *told) change(r *Registry, id string, f func(*task.Task)) {
	s.mu.Lock()
	t := s.tasks[id]
	f(&t)
	s.tasks[id] = t
	s.mu.Unlock()
	r.Wake()
}

func waitStage(t *testing.T, ids ...string) (*Registry, *told) {
	t.Helper()
	s := &told{tasks: map[string]task.Task{}}
	for _, id := range ids {
		path := filepath.Join(t.TempDir(), "out.log")
		if err := os.WriteFile(path, []byte("starting\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.tasks["x:"+id] = task.Task{ID: "x:" + id, Source: "x", Native: id, Kind: task.Shell, Run: 1, Status: task.Running, Started: time.Now(), Output: task.OutputRef{Path: path}}
	}
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{World: w, Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: s}}})
	t.Cleanup(func() { _ = r.Close() })
	return r, s
}

// wait runs a wait with a bound, and what happens meanwhile a little later.
func wait(t *testing.T, r *Registry, w WaitFor, limit time.Duration, meanwhile func()) []Waited {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	go func() {
		time.Sleep(50 * time.Millisecond)
		meanwhile()
	}()
	got, err := r.Wait(ctx, w)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func ends(status task.Status) func(*task.Task) {
	return func(t *task.Task) { t.Status, t.Ended = status, time.Now() }
}

// Each condition comes true, and an end without it says so (spec 5, I3).
func TestWaitConditions(t *testing.T) {
	const long = 20 * time.Second
	write := func(text string) func(*task.Task) {
		return func(x *task.Task) {
			f, err := os.OpenFile(x.Output.Path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = f.WriteString(text)
			_ = f.Close()
		}
	}
	for name, c := range map[string]struct {
		on     string
		change []func(*task.Task)
		met    string
	}{
		"end":             {"end", []func(*task.Task){ends(task.Failed)}, End},
		"fail":            {"fail", []func(*task.Task){ends(task.Failed)}, Fail},
		"a stop fails":    {"fail", []func(*task.Task){ends(task.Cancelled)}, Fail},
		"no failure":      {"fail", []func(*task.Task){ends(task.Succeeded)}, ""},
		"unknown":         {"fail", []func(*task.Task){ends(task.Lost)}, ""},
		"port":            {"port:5173", []func(*task.Task){func(x *task.Task) { x.Ports = []int{5173} }}, Port},
		"another port":    {"port:5173", []func(*task.Task){func(x *task.Task) { x.Ports = []int{80} }, ends(task.Succeeded)}, ""},
		"text at once":    {"text:starting", nil, Text},
		"text later":      {"text:ready in", []func(*task.Task){write("Ready in 50 ms\n")}, Text},
		"text at the end": {"text:ready", []func(*task.Task){write("not yet\nready"), ends(task.Succeeded)}, Text},
		"text never":      {"text:ready", []func(*task.Task){write("nothing\n"), ends(task.Succeeded)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, s := waitStage(t, "a")
			cond, err := ParseCondition(c.on)
			if err != nil {
				t.Fatal(err)
			}
			got := wait(t, r, WaitFor{Tasks: []string{"x:a"}, For: cond}, long, func() {
				for _, f := range c.change {
					s.change(r, "x:a", f)
				}
			})
			if len(got) != 1 || got[0].Met != c.met {
				t.Errorf("got %+v, want %q", got, c.met)
			}
		})
	}
}

// All are waited for, or any; the end of the time is said of each that is open
// (spec 5).
func TestWaitAllAnyTimeout(t *testing.T) {
	r, s := waitStage(t, "a", "b")
	both := []string{"x:a", "x:b"}
	got := wait(t, r, WaitFor{Tasks: both, For: Condition{On: End}, Any: true}, 20*time.Second, func() { s.change(r, "x:b", ends(task.Succeeded)) })
	if got[0].Met != "" || got[1].Met != End {
		t.Errorf("any: %+v", got)
	}
	got = wait(t, r, WaitFor{Tasks: both, For: Condition{On: End}}, 200*time.Millisecond, func() {})
	if got[0].Met != Timeout || got[1].Met != End {
		t.Errorf("the time was over: %+v", got)
	}
	got = wait(t, r, WaitFor{Tasks: both, For: Condition{On: End}}, 20*time.Second, func() { s.change(r, "x:a", ends(task.Failed)) })
	if got[0].Met != End || got[1].Met != End {
		t.Errorf("all: %+v", got)
	}
}

// A secret cannot be waited for: what is looked through is what is shown (C9).
func TestWaitCannotProbeSecrets(t *testing.T) {
	r, s := waitStage(t, "a")
	secret := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	got := wait(t, r, WaitFor{Tasks: []string{"x:a"}, For: Condition{On: Text, Text: secret}}, 20*time.Second, func() {
		s.change(r, "x:a", func(x *task.Task) {
			_ = os.WriteFile(x.Output.Path, []byte("token "+secret+"\n"), 0o600)
		})
		s.change(r, "x:a", ends(task.Succeeded))
	})
	if got[0].Met != "" {
		t.Errorf("a secret was confirmed: %+v", got)
	}
}

// A task that is not known is an error, and so is a cancelled wait.
func TestWaitErrors(t *testing.T) {
	r, _ := waitStage(t, "a")
	if _, err := r.Wait(context.Background(), WaitFor{Tasks: []string{"x:z"}, For: Condition{On: End}}); !errors.Is(err, ErrNoTask) {
		t.Errorf("unknown task: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { time.Sleep(30 * time.Millisecond); cancel() }()
	if _, err := r.Wait(ctx, WaitFor{Tasks: []string{"x:a"}, For: Condition{On: End}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
