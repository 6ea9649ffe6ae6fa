//go:build unix

package proc

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// K3: nobody holds a monitor's output; its marks, its command and its place
// under the agent find it, and the loop that is its wrapper goes last.
func TestStopEndsAMonitor(t *testing.T) {
	a := newAgent(t, `i=0; while :; do sleep 0.2; i=$((i+1)); echo "it's $i"; done`, "PROC_TEST_SOCKETS=1")
	tg := a.target()
	tg.Output = a.output + ".other" // written by the agent, held by nobody
	tg.Markers = []string{a.mark}
	tg.Wrapped = `i=0; while :; do sleep 0.2; i=$((i+1)); echo "it's $i"; done`
	plan, r := a.stop(scan(t), tg, StopOptions{})
	if len(plan.Processes) == 0 || !plan.Processes[0].Wrapper || plan.Processes[0].Command != tg.Wrapped {
		t.Errorf("plan %+v", plan)
	}
	if len(r.Left) > 0 || len(a.marked()) > 0 {
		t.Errorf("left %v, alive %v", r.Left, a.marked())
	}
	if said := a.next(); said != "exit 1015" {
		t.Errorf("a loop in the wrapper itself ends by TERM, the agent read %q", said)
	}
	if a.id.check() != nil {
		t.Error("the agent did not survive")
	}
}

// Two that cannot be told apart are refused; a guess is none.
func TestPlanRefusesTwoOfAKind(t *testing.T) {
	const command = "sleep 300; :"
	var twins []*exec.Cmd
	for range 2 {
		cmd := exec.Command("bash", "-c", command)
		cmd.Env = append(cmd.Environ(), marker+"=twins")
		twins = append(twins, cmd)
	}
	first := start(t, twins[0])
	time.Sleep(20 * time.Millisecond)
	start(t, twins[1])
	me, _ := scan(t).Get(first.PID)
	tg := Target{AgentPID: me.PPID, Markers: []string{marker + "=twins"}, Wrapped: command}
	if plan := scan(t).Plan(tg); !strings.HasPrefix(plan.Refused, "Several processes") {
		t.Errorf("plan %+v", plan)
	}
	table := scan(t)
	for _, cmd := range twins {
		for _, c := range table.Children(cmd.Process.Pid) {
			if h, err := Hold(c.ID); err == nil {
				_ = h.signal(sigKill)
				h.Close()
			}
		}
	}
}

// A6: the limit is kept, and what lives on is named.
func TestStopKeepsItsLimit(t *testing.T) {
	a := newAgent(t, "bash -c 'trap \"\" TERM; while :; do sleep 0.2; done'")
	table := a.settled(3)
	began := time.Now()
	var steps []string
	_, r := a.stop(table, a.target(), StopOptions{Limit: 400 * time.Millisecond,
		Progress: func(step string, left []Member) { steps = append(steps, step) }})
	if len(r.Left) < 2 || time.Since(began) > 3*time.Second {
		t.Errorf("left %v after %v", r.Left, time.Since(began))
	}
	if len(steps) == 0 || !strings.HasPrefix(steps[0], "Asked ") {
		t.Errorf("steps %q", steps)
	}
	_, r = a.stop(a.settled(2), a.target(), StopOptions{Now: true, Grace: 100 * time.Millisecond})
	if len(r.Left) > 0 || len(a.marked()) > 0 {
		t.Errorf("stop now: left %v, alive %v", r.Left, a.marked())
	}
}

// A caller that goes away ends the stop, not the report.
func TestStopEndsWithItsContext(t *testing.T) {
	path, id := writerOf(t, exec.Command("bash", "-c", "trap '' TERM; while :; do sleep 0.1; done"))
	tg := Target{Output: path}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	r, err := Stop(ctx, thisWorld(t), tg, scan(t).Plan(tg), StopOptions{})
	if !errors.Is(err, context.DeadlineExceeded) || len(r.Left) == 0 {
		t.Errorf("report %+v, %v", r, err)
	}
	if id.check() != nil {
		t.Error("it was not asked to end by force yet")
	}
	if _, err := Stop(context.Background(), thisWorld(t), tg, scan(t).Plan(tg), StopOptions{Now: true, Grace: 50 * time.Millisecond}); err != nil {
		t.Error(err)
	}
}

// A stop that cannot look says so instead of claiming an end.
func TestStopThatCannotLook(t *testing.T) {
	path, id := writerOf(t, exec.Command("sleep", "60"))
	tg := Target{Output: path}
	plan := scan(t).Plan(tg)
	blind := func() (*Table, error) { return nil, ErrNoProcs }
	if r, err := Stop(context.Background(), thisWorld(t), tg, plan, StopOptions{NewTable: blind}); !errors.Is(err, ErrNoProcs) || len(r.Ended) > 0 {
		t.Errorf("report %+v, %v", r, err)
	}
	if id.check() != nil {
		t.Error("it was signalled without a look")
	}
}
