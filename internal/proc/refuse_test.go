//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// scan is the table now.
func scan(t *testing.T) *Table {
	t.Helper()
	table, err := Scan(thisWorld(t))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// writerOf starts a program whose fd 1 and 2 are a new file.
func writerOf(t *testing.T, cmd *exec.Cmd) (path string, id ID) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "output")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	return path, start(t, cmd)
}

// K2, K3: a plan whose pids came back as others stops nothing.
func TestStopRefusesAnotherStart(t *testing.T) {
	path, id := writerOf(t, exec.Command("sleep", "60"))
	tg := Target{Output: path}
	plan := scan(t).Plan(tg)
	if len(plan.Processes) != 1 || plan.Processes[0].ID != id {
		t.Fatalf("plan %+v", plan)
	}
	plan.Processes[0].Start++
	if r, err := Stop(context.Background(), thisWorld(t), tg, plan, StopOptions{}); !errors.Is(err, ErrChanged) || len(r.Ended) > 0 {
		t.Errorf("report %+v, %v", r, err)
	}
	if err := id.check(); err != nil {
		t.Errorf("the other process did not survive: %v", err)
	}
}

// K3: never ourselves or what we run in; the plan says so in one sentence.
func TestPlanRefusesOurAncestors(t *testing.T) {
	table := scan(t)
	me, _ := table.Get(os.Getpid())
	parent, _ := table.Get(os.Getppid())
	for _, p := range []Proc{me, parent} {
		tg := Target{Roots: []ID{p.ID}}
		plan := table.Plan(tg)
		if !strings.HasPrefix(plan.Refused, "Offstage itself runs inside") || len(plan.Processes) > 0 {
			t.Errorf("%d: %+v", p.PID, plan)
		}
		plan = Plan{Processes: []Member{{Proc: p}}} // a face that did not look
		if _, err := Stop(context.Background(), thisWorld(t), tg, plan, StopOptions{}); !errors.Is(err, ErrRefused) {
			t.Errorf("%d: %v", p.PID, err)
		}
	}
	of, _, err := table.Members(Target{Roots: []ID{{PID: 1, Start: startOfInit(table)}}})
	if err != nil || len(of) > 0 {
		t.Errorf("the first process: %v %v", of, err)
	}
}

func startOfInit(t *Table) uint64 {
	p, _ := t.Get(1)
	return p.Start
}

// K3: an agent whose own output is the file (claude -p > out) is left alone,
// and so are its other tasks.
func TestPlanSparesTheAgent(t *testing.T) {
	path, id := writerOf(t, exec.Command("bash", "-c", "sleep 61 > /dev/null 2>&1 & wait; :"))
	tg := Target{Output: path, AgentPID: id.PID, AgentStart: id.Start}
	plan := scan(t).Plan(tg)
	if len(plan.Processes) > 0 || !strings.HasPrefix(plan.Refused, "Only the agent itself") || len(plan.Spared) != 1 || plan.Spared[0].Why != whyAgent {
		t.Errorf("plan %+v", plan)
	}
	parent, _ := scan(t).Get(os.Getppid()) // we as a child of the agent, as its MCP server
	tg = Target{Roots: []ID{parent.ID}, AgentPID: parent.PID, AgentStart: parent.Start}
	if plan := scan(t).Plan(tg); !strings.HasPrefix(plan.Refused, "Only the agent itself") {
		t.Errorf("plan %+v", plan)
	}
	for _, c := range scan(t).Children(id.PID) {
		if h, err := Hold(c.ID); err == nil {
			_ = h.signal(sigKill)
			h.Close()
		}
	}
}

// K3: same user only.
func TestPlanRefusesAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	cmd := exec.Command("sleep", "60")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	path, id := writerOf(t, cmd)
	plan := scan(t).Plan(Target{Output: path})
	if len(plan.Processes) > 0 || !strings.HasPrefix(plan.Refused, "Its processes belong to another user") {
		t.Errorf("plan %+v", plan)
	}
	if id.check() != nil {
		t.Error("it did not survive")
	}
}

// K3: a person's shell stays, even when its output goes to the file.
func TestPlanSparesAPersonsShell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "output")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminals here: " + err.Error())
	}
	defer func() { _ = master.Close() }()
	cmd := exec.Command("bash", "--norc", "--noprofile", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	id := start(t, cmd)
	_ = slave.Close()
	of, spared, err := scan(t).Members(Target{Output: path})
	if err != nil || len(of) > 0 {
		t.Errorf("members %v %v", of, err)
	}
	found := false
	for _, m := range spared {
		found = found || m.ID == id && m.Why == whyShell
	}
	if !found {
		t.Errorf("spared %v", spared)
	}
}

// K3: a supervisor of ours that the task started stays with all below it.
func TestPlanKeepsInnerTasks(t *testing.T) {
	path, id := writerOf(t, exec.Command("bash", "-c", "bash -c 'sleep 62; :' & sleep 63; :"))
	var inner Proc
	for range 200 {
		for _, c := range scan(t).Children(id.PID) {
			if strings.Contains(strings.Join(scan(t).Args(c.PID), " "), "sleep 62; :") && len(scan(t).Children(c.PID)) == 1 {
				inner = c
			}
		}
		if inner.PID != 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	tg := Target{Output: path, Keep: []ID{inner.ID}}
	plan := scan(t).Plan(tg)
	r, err := Stop(context.Background(), thisWorld(t), tg, plan, StopOptions{})
	if err != nil || len(r.Left) > 0 || len(r.Ended) != 2 {
		t.Errorf("report %+v, %v", r, err)
	}
	if inner.check() != nil {
		t.Error("the inner task did not survive")
	}
	all := scan(t).Plan(Target{Output: path})
	if _, err := Stop(context.Background(), thisWorld(t), Target{Output: path}, all, StopOptions{}); err != nil {
		t.Fatal(err)
	}
	if inner.check() == nil {
		t.Error("the inner task lives on")
	}
}

// An ended task has nothing to stop.
func TestPlanOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "output")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tg := range []Target{{Output: path}, {Output: path + ".gone"}, {Wrapped: "true"}, {}} {
		plan := scan(t).Plan(tg)
		if !strings.HasPrefix(plan.Refused, "No process of it") {
			t.Errorf("%+v: %+v", tg, plan)
		}
		if _, err := Stop(context.Background(), thisWorld(t), tg, plan, StopOptions{}); !errors.Is(err, ErrRefused) {
			t.Errorf("%+v: %v", tg, err)
		}
	}
}

// The output was deleted while it was written: its writers are found still.
func TestUsersOfADeletedFile(t *testing.T) {
	path, id := writerOf(t, exec.Command("sleep", "60"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check := func(want int) {
		t.Helper()
		users, err := scan(t).Users(path)
		if err != nil || len(users) != want {
			t.Fatalf("users %v %v, want %d", users, err, want)
		}
		for _, u := range users {
			if u.ID != id || !u.Std || !u.Write {
				t.Errorf("user %+v", u)
			}
		}
	}
	check(2)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check(0) // a new file of that name is another one
}
