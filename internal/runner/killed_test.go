//go:build unix

package runner

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// shortTasks is how many short tasks are run: OFFSTAGE_SHORT_TASKS=10000 makes it
// the promised figure, OFFSTAGE_FULL=1 too.
func shortTasks(t testing.TB) int {
	n := 40
	if os.Getenv("OFFSTAGE_FULL") != "" {
		n = 10_000
	}
	if v := os.Getenv("OFFSTAGE_SHORT_TASKS"); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// shortSpec is the i-th of them: it writes without a newline and ends at once, in
// a file or on a terminal.
func shortSpec(state string, i int) Spec {
	return Spec{State: state, Name: strconv.Itoa(i), Shell: fmt.Sprintf("printf 'x%d'; exit %d", i, i%200), TTY: i%2 == 0}
}

// shortsMain is a panel that starts short tasks from a number on, without end,
// says each number before it starts it, and waits for every fourth.
func shortsMain() {
	w, err := world.New(world.Options{})
	if err != nil {
		os.Exit(3)
	}
	from, _ := strconv.Atoi(os.Args[1])
	for i := from; ; i++ {
		fmt.Println(i)
		st, err := Start(context.Background(), w, shortSpec(os.Args[2], i))
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		if i%4 == 0 {
			_, _ = Wait(context.Background(), w, st.Dir)
		}
	}
}

// Short tasks whose starter is killed without a warning, again and again, at any
// moment of a start: whatever ran has its own code and its last byte; what did
// not run says so, and did not run.
func TestShortTasksOfKilledStarters(t *testing.T) {
	_, state := stage(t)
	n := shortTasks(t)
	const wide = 4
	var all sync.WaitGroup
	for k := range wide {
		all.Go(func() { // each has numbers of its own
			for at, end := k*n/wide, (k+1)*n/wide; at < end; {
				at = killedStarter(t, state, at, end) + 1
			}
		})
	}
	all.Wait()
	ran, not := 0, 0
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		var open int
		if ran, not, open = shortEnds(t, state); open == 0 || time.Now().After(end) || t.Failed() {
			if open > 0 {
				t.Errorf("%d tasks have no end", open)
			}
			break
		}
	}
	t.Logf("%d tasks ran, %d were killed before they could", ran, not)
	if ran < n*3/4 {
		t.Errorf("only %d of %d tasks ran", ran, n)
	}
}

// killedStarter runs a starter from number at, and kills it by force after a
// random number of starts and some microseconds more; it gives the last number.
func killedStarter(t *testing.T, state string, at, end int) int {
	self, err := os.Executable()
	if err != nil {
		t.Error(err)
		return end
	}
	cmd := exec.Command(self, strconv.Itoa(at), state)
	cmd.Env = append(os.Environ(), roleVar+"=shorts")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return end
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return end
	}
	last := min(at+1+rand.IntN(30), end-1)
	for lines := bufio.NewScanner(out); at < last && lines.Scan(); {
		if at, err = strconv.Atoi(lines.Text()); err != nil {
			t.Errorf("a starter said %q", lines.Text())
			at = end
		}
	}
	time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
	_ = cmd.Process.Kill()
	rest := bufio.NewScanner(out)
	for rest.Scan() { // it may have begun some more
		if i, err := strconv.Atoi(rest.Text()); err == nil {
			at = max(at, i)
		}
	}
	_ = cmd.Wait()
	return at
}

// unsigned: its starter was killed before there was a supervisor, which takes
// milliseconds to sign.
func unsigned(d taskdir.Dir, rec taskdir.Record) bool {
	st, err := taskdir.ReadStarted(d)
	return err == nil && st == nil && time.Since(rec.Created) > 15*time.Second
}

// shortEnds looks at every folder: how many tasks ran, how many did not, and how
// many have no end yet.
func shortEnds(t *testing.T, state string) (ran, not, open int) {
	dirs, err := taskdir.List(state)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		rec, err := taskdir.ReadRecord(d)
		if err != nil {
			not++ // the starter died before there was a task
			continue
		}
		e, err := taskdir.ReadExit(d)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := strconv.Atoi(rec.Name)
		b, _ := os.ReadFile(d.Output())
		switch {
		case e == nil && unsigned(d, rec):
			not++
		case e == nil:
			open++
		case e.Reason == taskdir.FailedToStart:
			if not++; len(b) > 0 {
				t.Errorf("task %d did not start and wrote %q", i, b)
			}
		case e.Code == nil || *e.Code != i%200 || string(b) != fmt.Sprintf("x%d", i):
			t.Errorf("task %d: %+v, wrote %q", i, e, b)
		default:
			ran++
		}
	}
	return ran, not, open
}
