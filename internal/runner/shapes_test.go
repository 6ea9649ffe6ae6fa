//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// shapes are the nine of the reference and those that it adds. n is how many
// processes there are at least when the task stands.
var shapes = []struct {
	name, shell string
	n           int
	// now: the polite rungs would take seconds and are not what the shape is about.
	now, kill bool
	needs     string
}{
	{"plain", "exec sleep 300", 1, false, false, ""},
	{"background job", "sleep 300 & sleep 301; :", 3, true, false, ""},
	{"setsid", "setsid sleep 300 & sleep 301; :", 3, true, false, "setsid"},
	{"double fork", "(setsid sh -c 'sleep 300 & exec sleep 301' > /dev/null 2>&1 &) ; sleep 304; :", 4, true, false, "setsid"},
	{"shell that exits at once", "sleep 300 & exit 0", 1, true, false, ""},
	{"ignores TERM", "trap '' TERM INT; while :; do sleep 0.2; done", 2, true, true, ""},
	{"respawning loop", "trap '' INT; while :; do sh -c 'trap \"\" TERM; sleep 0.05'; done", 1, true, true, ""},
	{"node detached", "exec node -e 'require(\"child_process\").spawn(\"sleep\",[\"300\"],{detached:true,stdio:\"ignore\"}); setInterval(()=>{},1e3)'", 2, true, false, "node"},
	{"ten-way setsid fan-out", "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sh -c 'sleep 300 & sleep 301; :' & done; wait", 31, true, false, "setsid"},
	{"member ignores TERM after its leader left", "(trap '' TERM; sleep 300; :) & exit 0", 1, true, true, ""},
	{"cleared its environment", "env -i setsid sleep 300 & sleep 301; :", 3, true, false, "setsid"},
	{"stands still", "sleep 300 & kill -STOP $!; sleep 301; :", 3, true, false, ""},
}

// rounds is 1 in an ordinary run; OFFSTAGE_FULL=1 repeats each shape a hundred
// times, OFFSTAGE_STOP_ROUNDS=20 as often as it says.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("OFFSTAGE_STOP_ROUNDS")); err == nil && n > 0 {
		return n
	}
	if os.Getenv("OFFSTAGE_FULL") != "" {
		return 100
	}
	return 1
}

// K2, K4: of every shape nothing lives on, and the report says who ended.
func TestStopEndsEveryShape(t *testing.T) {
	w, state := stage(t)
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			if shape.needs != "" {
				need(t, shape.needs)
			}
			for range rounds() {
				st := start(t, w, Spec{State: state, Shell: shape.shell})
				stands(t, w, st.Dir, shape.n)
				began := time.Now()
				got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: shape.now})
				took := time.Since(began)
				if err != nil || len(got.Left) > 0 || len(got.Ended) < shape.n {
					t.Fatalf("status %v, ended %v, left %v, %v", got.Status, got.Ended, got.Left, err)
				}
				if left := marked(t, w, st.ID); len(left) > 0 {
					t.Fatalf("alive after a stop that said otherwise: %v", left)
				}
				e := ended(t, st.Dir, time.Second)
				if leader := strings.Contains(shape.shell, "exit 0"); leader && e.Reason == taskdir.Exited {
					if e.Status() != task.Succeeded || len(e.Survivors) > 0 {
						t.Fatalf("end %+v", e)
					}
				} else if e.Status() != task.Cancelled {
					t.Fatalf("end %+v", e)
				}
				t.Logf("%d processes in %v", len(got.Ended), took)
				_ = os.RemoveAll(string(st.Dir))
			}
		})
	}
}

// stands waits until the task has n living processes.
func stands(t testing.TB, w *world.World, d taskdir.Dir, n int) {
	t.Helper()
	wait(t, fmt.Sprintf("%d processes", n), func() bool {
		s, err := taskdir.ReadStarted(d)
		if err != nil || s == nil {
			return false
		}
		table, err := proc.Scan(w)
		return err == nil && len(table.OwnBelow(OwnOf(d, s))) >= n
	})
}

// K2: five hundred children of a task end with it.
func TestStopFanOut(t *testing.T) {
	w, state := stage(t)
	n := 60
	if rounds() > 1 {
		n = 500
	}
	for range min(rounds(), 100) {
		st := start(t, w, Spec{State: state, Shell: fmt.Sprintf("i=0; while [ $i -lt %d ]; do sleep 300 & i=$((i+1)); done; wait", n)})
		stands(t, w, st.Dir, n+1)
		got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true})
		if err != nil || len(got.Left) > 0 || len(got.Ended) < n {
			t.Fatalf("ended %d, left %v, status %v, took %v, %v; the folder says %+v", len(got.Ended), got.Left, got.Status, got.Took, err, taskdir.Read(st.Dir))
		}
		if left := marked(t, w, st.ID); len(left) > 0 {
			t.Fatalf("alive: %v", left)
		}
	}
}

// K2: a supervisor killed by force first; the walk from here ends the task, and
// nobody invents a code.
func TestStopWithoutSupervisor(t *testing.T) {
	w, state := stage(t)
	need(t, "setsid")
	for range rounds() {
		st := start(t, w, Spec{State: state, Shell: "setsid sleep 300 & (setsid sleep 301 &) ; sleep 302; :"})
		stands(t, w, st.Dir, 4)
		kill9(t, st.Dir)
		if left := marked(t, w, st.ID); len(left) != 4 {
			t.Fatalf("the task did not outlive its supervisor: %v", left)
		}
		got, err := Stop(context.Background(), w, st.Dir, StopOptions{})
		if err != nil || len(got.Left) > 0 || len(got.Ended) != 4 || got.Status != task.Cancelled {
			t.Fatalf("%+v, %v", got, err)
		}
		if left := marked(t, w, st.ID); len(left) > 0 {
			t.Fatalf("alive: %v", left)
		}
		if e := ended(t, st.Dir, time.Second); e.Status() != task.Cancelled || e.Code != nil || e.Signal != "" {
			t.Fatalf("end %+v", e)
		}
	}
}

// kill9 ends the supervisor by force and waits until it is gone.
func kill9(t testing.TB, d taskdir.Dir) {
	t.Helper()
	s, err := taskdir.ReadStarted(d)
	if err != nil || s == nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(s.Supervisor.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wait(t, "the supervisor's death", func() bool { return !proc.Lives(proc.ID{PID: s.Supervisor.PID, Start: s.Supervisor.Start}) })
}

// term tells the supervisor to end.
func term(t testing.TB, d taskdir.Dir) {
	t.Helper()
	s, err := taskdir.ReadStarted(d)
	if err != nil || s == nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(s.Supervisor.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// K2: a record whose start times are another's is refused: the process that has
// the pid now lives on.
func TestStopRefusesAReusedPID(t *testing.T) {
	w, state := stage(t)
	for range rounds() {
		st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
		kill9(t, st.Dir)
		stranger := exec.Command("sleep", "300")
		if err := stranger.Start(); err != nil {
			t.Fatal(err)
		}
		id, err := proc.Identify(stranger.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		s, err := taskdir.ReadStarted(st.Dir)
		if err != nil {
			t.Fatal(err)
		}
		real := *s
		s.Child = taskdir.Process{PID: id.PID, Start: id.Start + 1}
		s.Supervisor = taskdir.Process{PID: os.Getppid(), Start: 1}
		if err := st.Dir.WriteStarted(*s); err != nil {
			t.Fatal(err)
		}
		got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true})
		if err != nil || len(got.Ended) != 1 || got.Ended[0].PID != real.Child.PID {
			t.Errorf("ended %v, %v", got.Ended, err)
		}
		if !proc.Lives(id) {
			t.Error("the stranger with the recorded pid was ended")
		}
		_ = stranger.Process.Kill()
		_ = stranger.Wait()
	}
}

// K2: a task of its own inside a task stays, unless it is asked for.
func TestStopSparesInnerTasks(t *testing.T) {
	w, state := stage(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range rounds() {
		for _, inner := range []bool{false, true} {
			list := filepath.Join(t.TempDir(), "inner")
			st := start(t, w, Spec{State: state, Shell: fmt.Sprintf("%s=starter %s 1 %s > %s & sleep 300; :", roleVar, self, state, list)})
			var id string
			wait(t, "the inner task", func() bool {
				b, _ := os.ReadFile(list)
				id = filepath.Base(strings.TrimSpace(string(b)))
				return taskdir.ValidID(id)
			})
			in := taskdir.Dir(filepath.Join(taskdir.Root(state), id))
			if rec, err := taskdir.ReadRecord(in); err != nil || rec.Asker.Task != st.ID {
				t.Fatalf("who asked for the inner task: %+v, %v", rec.Asker, err)
			}
			got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true, Inner: inner})
			if err != nil || len(got.Left) > 0 || len(got.Ended) < 3 {
				t.Fatalf("%+v, %v", got, err)
			}
			e := ended(t, in, 10*time.Second)
			if inner && e.Status() != task.Cancelled {
				t.Errorf("the inner task was to end too: %+v", e)
			}
			if !inner && (e.Code == nil || *e.Code != 0) {
				t.Errorf("the inner task was to go on: %+v", e)
			}
			sweep(t, w, in)
		}
	}
}

// K2: INT comes first and once; a second request skips a rung.
func TestStopLadder(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "trap 'echo int' INT; trap 'echo term; exit 5' TERM; while :; do sleep 0.1; done"})
	time.Sleep(300 * time.Millisecond)
	done := make(chan Stopped, 1)
	began := time.Now()
	go func() {
		s, err := Stop(context.Background(), w, st.Dir, StopOptions{})
		if err != nil {
			t.Error(err)
		}
		done <- s
	}()
	wait(t, "the first rung", func() bool { return strings.Contains(output(t, st.Dir), "int") })
	if _, err := Stop(context.Background(), w, st.Dir, StopOptions{}); err != nil {
		t.Error(err)
	}
	got := <-done
	if out := output(t, st.Dir); strings.Count(out, "int") != 1 || strings.Count(out, "term") != 1 {
		t.Errorf("output %q", out)
	}
	if took := time.Since(began); took > 1900*time.Millisecond {
		t.Errorf("the second request skipped nothing: %v", took)
	}
	if e := ended(t, st.Dir, time.Second); e.Status() != task.Cancelled || e.Code == nil || *e.Code != 5 || got.Status != task.Cancelled {
		t.Errorf("end %+v, %+v", e, got.Status)
	}
}

// K4: the port of a task is free again after its stop, and it is said.
func TestStopFreesPorts(t *testing.T) {
	need(t, "python3")
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Argv: []string{"python3", "-u", "-c",
		"import socket,time\ns=socket.socket()\ns.bind(('127.0.0.1',0))\ns.listen()\nprint(s.getsockname()[1])\ntime.sleep(300)"}})
	var port int
	wait(t, "a port", func() bool { _, err := fmt.Sscan(output(t, st.Dir), &port); return err == nil })
	got, err := Stop(context.Background(), w, st.Dir, StopOptions{})
	if err != nil || len(got.PortsFreed) != 1 || got.PortsFreed[0] != port || len(got.PortsHeld) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
