//go:build unix

package runner

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/taskdir"
	"offstage/task"
)

// S3: a task on a terminal is answered; one without says why it cannot be.
func TestAnswer(t *testing.T) {
	w, state := stage(t)
	ctx := context.Background()
	st := start(t, w, Spec{State: state, Shell: `printf 'Continue? (y/n) '; read a; echo "got $a"; exit 4`, TTY: true})
	wait(t, "the question", func() bool { return strings.Contains(output(t, st.Dir), "(y/n)") })
	if err := Answer(ctx, w, st.Dir, "yes"); err != nil {
		t.Fatal(err)
	}
	if e := ended(t, st.Dir, 10*time.Second); *e.Code != 4 || !strings.Contains(output(t, st.Dir), "got yes") {
		t.Errorf("end %+v, output %q", e, output(t, st.Dir))
	}
	wait(t, "the supervisor's end", func() bool { return errors.Is(Answer(ctx, w, st.Dir, "x"), ErrNoSupervisor) })
	st = start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	if err := Answer(ctx, w, st.Dir, "yes"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "--tty") {
		t.Errorf("%v", err)
	}
	st = start(t, w, Spec{State: state, Shell: "exec sleep 300", TTY: true})
	if err := Answer(ctx, w, st.Dir, strings.Repeat("x", maxText+1)); !errors.Is(err, ErrRefused) {
		t.Errorf("%v", err)
	}
}

// A terminal of 120×40, and the mark of the task in the environment.
func TestTerminalSizeAndMark(t *testing.T) {
	need(t, "stty")
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "stty size; echo $" + taskdir.MarkVar + " $" + taskdir.SupervisorVar, TTY: true})
	ended(t, st.Dir, 10*time.Second)
	if out := output(t, st.Dir); !strings.HasPrefix(out, "40 120\r\n"+st.ID+"\r\n") {
		t.Errorf("%q", out)
	}
}

// H1: the supervisor keeps the time; a turn of the agent starts it from zero.
func TestTimeout(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300", Timeout: 1500 * time.Millisecond})
	first, err := taskdir.ReadStarted(st.Dir)
	if err != nil || !first.EndsAt.After(first.At) {
		t.Fatalf("it does not say when it ends: %+v, %v", first, err)
	}
	time.Sleep(time.Second)
	if err := Turn(context.Background(), w, st.Dir); err != nil {
		t.Fatal(err)
	}
	if s, err := taskdir.ReadStarted(st.Dir); err != nil || s.EndsAt.Sub(first.EndsAt) < 900*time.Millisecond || s.Child != first.Child {
		t.Errorf("after a turn it says %+v, %v; before %+v", s, err, first)
	}
	time.Sleep(time.Second)
	if s, err := Status(context.Background(), w, st.Dir); err != nil || s.Status != task.Running || s.EndsAt.IsZero() {
		t.Fatalf("the turn did not count: %+v, %v", s, err)
	}
	if e := ended(t, st.Dir, 10*time.Second); e.Status() != task.TimedOut {
		t.Errorf("end %+v", e)
	}
}

// K5: an undo command runs after a stop, and only then; it is bounded.
func TestUndo(t *testing.T) {
	w, state := stage(t)
	dir := t.TempDir()
	undone := filepath.Join(dir, "undone")
	st := start(t, w, Spec{State: state, Cwd: dir, Shell: "exec sleep 300", Undo: "echo undo runs; touch undone; exit 6"})
	if _, err := Stop(context.Background(), w, st.Dir, StopOptions{}); err != nil {
		t.Fatal(err)
	}
	e := ended(t, st.Dir, time.Second)
	if _, err := os.Stat(undone); err != nil || e.Undo == nil || e.Undo.Code == nil || *e.Undo.Code != 6 || e.Status() != task.Cancelled {
		t.Errorf("%v, end %+v", err, e)
	}
	if !strings.Contains(output(t, st.Dir), "undo runs") {
		t.Errorf("output %q", output(t, st.Dir))
	}
	_ = os.Remove(undone)
	st = start(t, w, Spec{State: state, Cwd: dir, Shell: "exit 1", Undo: "touch undone"})
	ended(t, st.Dir, 10*time.Second)
	time.Sleep(100 * time.Millisecond)
	if _, err := os.Stat(undone); err == nil {
		t.Error("undone without a stop")
	}
}

// K8: the same command, folder and environment again.
func TestAgain(t *testing.T) {
	w, state := stage(t)
	dir := t.TempDir()
	st := start(t, w, Spec{State: state, Cwd: dir, Name: "n", Shell: `pwd; echo "$SPECIAL"`, Env: []string{"PATH=" + os.Getenv("PATH"), "SPECIAL=a b"}})
	ended(t, st.Dir, 10*time.Second)
	spec, err := Again(st.Dir, state)
	if err != nil {
		t.Fatal(err)
	}
	again := start(t, w, spec)
	ended(t, again.Dir, 10*time.Second)
	if a, b := output(t, st.Dir), output(t, again.Dir); a != b || !strings.HasSuffix(a, "\na b\n") {
		t.Errorf("%q, then %q", a, b)
	}
	if rec, err := taskdir.ReadRecord(again.Dir); err != nil || rec.Restarts != st.ID || rec.Name != "n" {
		t.Errorf("%+v, %v", rec, err)
	}
	if st, err := os.Stat(filepath.Join(string(st.Dir), "environment")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the environment is open to others: %v, %v", st, err)
	}
}

// R7: a supervisor that is told to end stops its task and writes the end.
func TestToldToEnd(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	term(t, st.Dir)
	if e := ended(t, st.Dir, 10*time.Second); e.Reason != taskdir.Shutdown || e.Status() != task.Cancelled {
		t.Errorf("end %+v", e)
	}
	st = start(t, w, Spec{State: state, Shell: "sleep 1; exit 9", Job: "nightly"})
	term(t, st.Dir)
	if e := ended(t, st.Dir, 10*time.Second); e.Code == nil || *e.Code != 9 || e.Reason != taskdir.Exited {
		t.Errorf("a scheduled run had no time to settle: %+v", e)
	}
}

// What is no question is refused, what is too long is cut off, and a caller who
// says nothing holds nobody up.
func TestHostileCallers(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	s, err := taskdir.ReadStarted(st.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var silent []net.Conn
	for range maxCallers - 4 {
		c, err := net.Dial("unix", s.Control)
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, c)
	}
	for name, line := range map[string]string{"garbage": "\x1b]0;x\a{{{\n", "no version": `{"do":"stop"}` + "\n", "too long": strings.Repeat("x", 2*maxAsk) + "\n", "unknown": `{"v":9,"do":"dance"}` + "\n"} {
		c, err := net.Dial("unix", s.Control)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(line))
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		text, err := bufio.NewReader(c).ReadString('\n')
		var r reply
		if name != "too long" && (err != nil || json.Unmarshal([]byte(text), &r) != nil || r.Refused == "" || !r.Done) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		_ = c.Close()
	}
	if got, err := Status(context.Background(), w, st.Dir); err != nil || got.Status != task.Running {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range silent {
		_ = c.Close()
	}
}

// A state folder whose path is too long for a socket has it elsewhere.
func TestLongStatePath(t *testing.T) {
	w, state := stage(t)
	state = filepath.Join(state, strings.Repeat("long/", 20))
	t.Setenv("TMPDIR", t.TempDir())
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	s, err := taskdir.ReadStarted(st.Dir)
	if err != nil || strings.HasPrefix(s.Control, state) || len(s.Control) > 103 {
		t.Fatalf("%+v, %v", s, err)
	}
	if got, err := Stop(context.Background(), w, st.Dir, StopOptions{}); err != nil || len(got.Ended) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
