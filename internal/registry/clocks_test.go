package registry

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/task"
)

// H1 for observed tasks: off until it is set; counted from the start or the last
// turn; the row warns ten minutes before; only what can be stopped from here.
func TestObservedClocks(t *testing.T) {
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	run := task.Task{ID: "x:a", Source: "x", Session: "x:s", Status: task.Running, Started: now.Add(-5 * time.Hour), Can: task.Can{Stop: true}}
	idle := func(since time.Duration) task.Session {
		return task.Session{ID: "x:s", State: task.BackgroundOnly, StateSince: now.Add(-since)}
	}
	for name, c := range map[string]struct {
		limit   time.Duration
		session task.Session
		change  func(*task.Task)
		ends    time.Duration // from now; 0 never
		warns   string
	}{
		"off":               {0, idle(5 * time.Hour), nil, 0, ""},
		"from its start":    {8 * time.Hour, task.Session{ID: "x:s", State: task.EndedSession}, nil, 3 * time.Hour, ""},
		"from the turn":     {4 * time.Hour, idle(time.Hour), nil, 3 * time.Hour, ""},
		"a turn goes on":    {4 * time.Hour, task.Session{ID: "x:s", State: task.RunningTurn}, nil, 4 * time.Hour, ""},
		"a person is asked": {4 * time.Hour, task.Session{ID: "x:s", State: task.WaitingPerson}, nil, 4 * time.Hour, ""},
		"soon":              {4 * time.Hour, idle(4*time.Hour - 8*time.Minute), nil, 8 * time.Minute, "It will be stopped in 8 min: timeout.observed is 4 h."},
		"over":              {4 * time.Hour, idle(4*time.Hour + time.Minute), nil, -time.Minute, "It will be stopped in 0 s: timeout.observed is 4 h."},
		"of our own":        {time.Hour, idle(2 * time.Hour), func(t *task.Task) { t.Source = OwnSource }, 0, ""},
		"left behind":       {time.Hour, idle(2 * time.Hour), func(t *task.Task) { t.LeftBehind = true }, 0, ""},
		"not to be stopped": {time.Hour, idle(2 * time.Hour), func(t *task.Task) { t.Can.Stop = false }, 0, ""},
		"ended":             {time.Hour, idle(2 * time.Hour), func(t *task.Task) { t.Status = task.Succeeded }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := run
			if c.change != nil {
				c.change(&x)
			}
			tasks := []task.Task{x}
			var k clocks
			k.fold(tasks, []task.Session{c.session}, c.limit, now)
			got := tasks[0]
			if (c.ends == 0) != got.Timeout.IsZero() || c.ends != 0 && !got.Timeout.Equal(now.Add(c.ends)) {
				t.Errorf("it ends at %v, want %v from now", got.Timeout, c.ends)
			}
			if got.Warning != c.warns {
				t.Errorf("warns %q, want %q", got.Warning, c.warns)
			}
		})
	}
}

// H1: what a clock ended is timed out and not cancelled, whatever its agent says.
func TestStopByClockIsTimedOut(t *testing.T) {
	at := time.Now().Add(-time.Minute)
	key := store.RunKey{Task: "x:a", Run: 1}
	got := foldStop(task.Task{ID: "x:a", Run: 1, Source: "x", Status: task.Failed, StatusSource: "notification", Ended: at.Add(time.Second)}, byClock.intent(key, at, true))
	if got.Status != task.TimedOut || got.StatusSource != overTime {
		t.Errorf("%+v", got)
	}
}

// H1: an observed task whose time is over is stopped while a panel lives, and its
// row says timed out; without the setting it goes on.
func TestOverdueIsEnded(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Minute} {
		p := asleep(t)
		x := task.Task{ID: "x:a", Source: "x", Native: "a", Kind: task.Shell, Run: 1, Session: "x:s", Status: task.Running, Started: time.Now().Add(-time.Hour),
			Can: task.Can{Stop: true}, Evidence: task.Evidence{Roots: []task.ProcessID{p}}}
		src := &fixed{snap: task.Snapshot{Tasks: []task.Task{x}, Sessions: []task.Session{{ID: "x:s", State: task.BackgroundOnly, StateSince: time.Now().Add(-time.Hour)}}}}
		r := New(Options{World: here(t), State: filepath.Join(t.TempDir(), "state"), Everywhere: true, TimeoutObserved: limit, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
		t.Cleanup(func() { _ = r.Close() })
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		snap, err := r.Next(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		if limit == 0 {
			time.Sleep(200 * time.Millisecond)
			if !proc.Lives(proc.ID{PID: p.PID, Start: p.Start}) {
				t.Fatal("it was ended although nobody asked for that")
			}
			continue
		}
		for snap.Tasks[0].Status != task.TimedOut {
			if snap, err = r.Next(ctx, snap.Rev); err != nil {
				t.Fatalf("it was not ended: %v %+v", err, snap.Tasks)
			}
		}
		if proc.Lives(proc.ID{PID: p.PID, Start: p.Start}) {
			t.Error("the row says timed out and the process lives")
		}
	}
}
