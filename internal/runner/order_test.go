//go:build unix

package runner

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/task"
)

// The supervisor is killed by force at every step of the order of records: what
// stands in the folder is never a wrong end, and what runs is found by its mark.
func TestKilledAtEveryStep(t *testing.T) {
	for _, c := range []struct {
		step string
		// runs: the command runs and outlives the supervisor. code: its end is written.
		runs, code, fails bool
	}{
		{"before the supervisor's record", false, false, true},
		{"before the command", false, false, true},
		{"before the command's record", true, false, true},
		{"before the starter is told", true, false, true},
		{"before the end's record", false, false, false},
		{"before the end is told", false, true, false},
		{"after the end was told", false, true, false},
	} {
		t.Run(c.step, func(t *testing.T) {
			w, state := stage(t)
			told := t.TempDir()
			t.Setenv(dieVar, c.step)
			t.Setenv(endVar, told)
			shell := "exit 3"
			if c.fails {
				shell = "sleep 300; exit 3"
			}
			st, err := Start(context.Background(), w, Spec{State: state, Shell: shell})
			if (err != nil) != c.fails {
				t.Fatalf("start: %+v, %v", st, err)
			}
			dirs, err := taskdir.List(state)
			if err != nil || len(dirs) != 1 {
				t.Fatal(dirs, err)
			}
			d := dirs[0]
			t.Cleanup(func() { sweep(t, w, d) })
			if s, _ := taskdir.ReadStarted(d); s != nil {
				wait(t, "the supervisor's death", func() bool { return !proc.Lives(proc.ID{PID: s.Supervisor.PID, Start: s.Supervisor.Start}) })
			}
			if got := len(marked(t, w, d.ID())) > 0; got != c.runs {
				t.Errorf("runs: %v", got)
			}
			f := taskdir.Read(d)
			if f.Trouble != "" || !f.HasRecord || (f.Exit != nil) != c.code {
				t.Errorf("folder %+v", f)
			}
			if f.Exit != nil && (f.Exit.Code == nil || *f.Exit.Code != 3) {
				t.Errorf("end %+v", f.Exit)
			}
			_, terr := os.Stat(told + "/" + d.ID())
			if wasTold := terr == nil; wasTold != (c.step == "after the end was told") {
				t.Errorf("told: %v", wasTold)
			}
			if c.step == "before the supervisor's record" {
				return // a wait gives it half a minute
			}
			e, err := Wait(context.Background(), w, d)
			if err != nil || !c.code && !c.runs && e.Status() != task.Lost {
				t.Errorf("a wait: %+v, %v", e, err)
			}
		})
	}
}

// Fifty tasks go on when their starter dies, and each end is its own.
func TestOutliveTheStarter(t *testing.T) {
	w, state := stage(t)
	const n = 50
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, fmt.Sprint(n), state)
	cmd.Env = append(os.Environ(), roleVar+"=starter")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var dirs []taskdir.Dir
	for lines := bufio.NewScanner(out); len(dirs) < n && lines.Scan(); {
		dirs = append(dirs, taskdir.Dir(lines.Text()))
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil { // the starter with all of its group
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if len(dirs) != n {
		t.Fatalf("%d tasks", len(dirs))
	}
	for i, d := range dirs {
		if e := ended(t, d, 30*time.Second); e.Code == nil || *e.Code != i || e.Reason != taskdir.Exited {
			t.Errorf("task %d ended %+v", i, e)
		}
	}
	for _, d := range dirs {
		sweep(t, w, d)
	}
}

// No code and no last byte of a short task is lost, in a file and on a terminal.
func TestShortTasks(t *testing.T) {
	w, state := stage(t)
	n := shortTasks(t)
	const wide = 8
	slots := make(chan struct{}, wide)
	for i := range n {
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			short(t, state, i)
		}()
	}
	for range wide {
		slots <- struct{}{}
	}
	_ = w
}

// short runs one task that writes without a newline and ends at once.
func short(t *testing.T, state string, i int) {
	w := here(t)
	tty := i%2 == 0
	st, err := Start(context.Background(), w, shortSpec(state, i))
	if err != nil {
		t.Errorf("task %d: %v", i, err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	e, err := Wait(ctx, w, st.Dir)
	if err != nil || e.Code == nil || *e.Code != i%200 {
		t.Errorf("task %d: %+v, %v", i, e, err)
	}
	if b, err := os.ReadFile(st.Output); err != nil || string(b) != fmt.Sprintf("x%d", i) {
		t.Errorf("task %d (tty %v) wrote %q, %v", i, tty, b, err)
	}
	_ = os.RemoveAll(string(st.Dir))
}

// A long last burst on a terminal is whole, and somebody in the background who
// keeps the terminal open does not hold the end up.
func TestTerminalDrains(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "i=0; while [ $i -lt 4000 ]; do echo line $i; i=$((i+1)); done", TTY: true})
	ended(t, st.Dir, 20*time.Second)
	if out := output(t, st.Dir); strings.Count(out, "\n") != 4000 || !strings.HasSuffix(out, "line 3999\r\n") {
		t.Errorf("%d lines, the end is %q", strings.Count(out, "\n"), out[max(0, len(out)-20):])
	}
	st = start(t, w, Spec{State: state, Shell: "trap '' HUP; sleep 300 & printf last", TTY: true})
	began := time.Now()
	e := ended(t, st.Dir, 20*time.Second)
	if out := output(t, st.Dir); out != "last" || len(e.Survivors) != 1 {
		t.Errorf("output %q, end %+v", out, e)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the end took %v", took)
	}
	got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true})
	if err != nil || len(got.Ended) != 1 || got.Status != task.Succeeded {
		t.Errorf("what was left behind: %+v, %v", got, err)
	}
}
