package registry

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/task"
)

// stuck is a source on a file server that does not answer: its Scan holds its
// lock, as those of real sources do, until the test lets it go.
type stuck struct {
	mu    sync.Mutex
	free  chan struct{}
	tasks []task.Task
}

func (s *stuck) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	<-s.free
	return task.Snapshot{Tasks: s.tasks}, nil
}

func (s *stuck) Dirs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return nil
}

func (s *stuck) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return false
}

// TestStuckSource: a source that does not answer holds up no news of the others,
// is said not to have answered, and is taken up at once when it has.
func TestStuckSource(t *testing.T) {
	good := &script{snap: task.Snapshot{Tasks: []task.Task{one1("a", task.Running)}}}
	bad := &stuck{free: make(chan struct{}), tasks: []task.Task{one1("b", task.Lost)}}
	bad.tasks[0].StatusAt = time.Now()
	r := New(Options{World: newWorld(t), Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "bad", Source: bad}, {Name: "good", Source: good}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	next := func(rev uint64, what string, ok func(task.Snapshot) bool) task.Snapshot {
		t.Helper()
		for {
			snap, err := r.Next(ctx, rev)
			if err != nil {
				close(bad.free)
				t.Fatalf("%s: %v", what, err)
			}
			if rev = snap.Rev; ok(snap) {
				return snap
			}
		}
	}
	snap := next(0, "the first answer", func(s task.Snapshot) bool { return ids(s.Tasks) == "a" })
	good.set(func(s *task.Snapshot) { s.Tasks[0].Title = "changed" })
	r.Wake()
	snap = next(snap.Rev, "a change of the good one", func(s task.Snapshot) bool { return s.Tasks[0].Title == "changed" })
	if len(snap.Troubles) == 0 {
		snap = next(snap.Rev, "the trouble", func(s task.Snapshot) bool { return len(s.Troubles) > 0 })
	}
	if !strings.Contains(snap.Troubles[0].Text, "bad has not answered yet") {
		t.Errorf("%+v", snap.Troubles)
	}
	close(bad.free)
	began := time.Now()
	next(snap.Rev, "the late answer", func(s task.Snapshot) bool { return len(s.Tasks) == 2 && len(s.Troubles) == 0 })
	if d := time.Since(began); d > 900*time.Millisecond {
		t.Errorf("the late answer was taken up after %v", d)
	}
}
