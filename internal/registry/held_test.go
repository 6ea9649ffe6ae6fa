package registry

import (
	"runtime"
	"testing"
	"time"

	"offstage/task"
)

// TestLetGo: a process that is not watched any more leaves nothing behind, also
// where it lives on (an agent, after its task).
func TestLetGo(t *testing.T) {
	r, x, _ := stopStage(t, "exec sleep 300")
	before := runtime.NumGoroutine()
	const rounds = 10
	for range rounds {
		r.procs.Stale(0)
		r.hold([]task.Task{x})
		if len(r.live.held) == 0 {
			t.Fatal("its process is not held")
		}
		r.hold(nil)
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+rounds/2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestNothingHeldAfterClose: a look that is under way while the registry closes
// takes no process up again.
func TestNothingHeldAfterClose(t *testing.T) {
	r, x, _ := stopStage(t, "exec sleep 300")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r.hold([]task.Task{x}); len(r.live.held) != 0 {
		t.Errorf("%d processes are held", len(r.live.held))
	}
}
