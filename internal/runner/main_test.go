//go:build unix

package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// The test binary plays the other programs too: the supervisor, which dies at a
// step where a test wants it, and a starter that may be killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == Verb {
		w, err := world.New(world.Options{})
		if err != nil {
			os.Exit(3)
		}
		os.Exit(Supervise(w, os.Args[2], SuperviseOptions{Step: dieAt(os.Getenv(dieVar)), Ended: told4Test}))
	}
	switch os.Getenv(roleVar) {
	case "starter":
		starterMain()
	case "shorts":
		shortsMain()
	default:
		os.Exit(m.Run())
	}
}

// Variables of the tests' own programs; supervisors keep what starts so.
const (
	dieVar  = "OFFSTAGE_TEST_DIE"
	endVar  = "OFFSTAGE_TEST_ENDED"
	roleVar = "OFFSTAGE_TEST_ROLE"
)

// dieAt ends the supervisor by force at the named step.
func dieAt(want string) func(string) {
	return func(step string) {
		if want != "" && step == want {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

// told4Test writes what a ledger would be told into the folder that a test named.
func told4Test(e End) {
	if dir := os.Getenv(endVar); dir != "" {
		b, _ := json.Marshal(e.Exit)
		_ = os.WriteFile(filepath.Join(dir, e.Dir.ID()), b, 0o600)
	}
}

// starterMain starts as many tasks as it is told, prints their folders, and
// waits to be killed.
func starterMain() {
	n, _ := strconv.Atoi(os.Args[1])
	w, _ := world.New(world.Options{})
	for i := range n {
		st, err := Start(context.Background(), w, Spec{State: os.Args[2], Shell: fmt.Sprintf("sleep 1; exit %d", i)})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(st.Dir)
	}
	time.Sleep(time.Hour)
}

func here(t testing.TB) *world.World {
	t.Helper()
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// stage is a home and a state folder of the test's own.
func stage(t testing.TB) (*world.World, string) {
	t.Helper()
	home := t.TempDir()
	for _, v := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, home)
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	return here(t), filepath.Join(home, "s")
}

// start starts a task and ends all of it with the test.
func start(t testing.TB, w *world.World, s Spec) Started {
	t.Helper()
	st, err := Start(context.Background(), w, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sweep(t, w, st.Dir) })
	return st
}

// sweep ends what a failed test left of a task, and waits for its supervisor.
func sweep(t testing.TB, w *world.World, d taskdir.Dir) {
	own := OwnOf(d, nil)
	if s, err := taskdir.ReadStarted(d); err == nil && s != nil {
		own = OwnOf(d, s)
	}
	own.WithInner = true
	if r, err := proc.StopOwn(context.Background(), w, own, proc.OwnOptions{Now: true, Term: 50 * time.Millisecond}); err != nil || len(r.Left) > 0 {
		t.Errorf("sweep of %s: %v, left %v", d.ID(), err, r.Left)
	}
	for range 300 {
		if !proc.Lives(own.Supervisor) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the supervisor of %s lives on", d.ID())
}

// ended waits for the record of the end.
func ended(t testing.TB, d taskdir.Dir, patience time.Duration) taskdir.Exit {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		e, err := taskdir.ReadExit(d)
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			return *e
		}
	}
	t.Fatalf("task %s has no end after %v", d.ID(), patience)
	return taskdir.Exit{}
}

func output(t testing.TB, d taskdir.Dir) string {
	t.Helper()
	b, err := os.ReadFile(d.Output())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wait polls until ok, or fails.
func wait(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within 15 s", what)
}

// marked are the living processes that carry the mark of one of the tasks.
func marked(t testing.TB, w *world.World, ids ...string) []proc.Proc {
	t.Helper()
	table, err := proc.Scan(w)
	if err != nil {
		t.Fatal(err)
	}
	var out []proc.Proc
	for _, p := range table.All() {
		if p.Dead() {
			continue
		}
		mark := table.Env(p.PID, taskdir.MarkVar)[taskdir.MarkVar]
		for _, id := range ids {
			if mark == id {
				out = append(out, p)
			}
		}
	}
	return out
}

func need(t testing.TB, names ...string) {
	t.Helper()
	for _, n := range names {
		if _, err := exec.LookPath(n); err != nil {
			t.Skip("there is no " + n + " on this machine")
		}
	}
}
