//go:build unix

package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays the other programs of a stop too: an agent, an editor,
// a listening server, a process that holds a file.
func TestMain(m *testing.M) {
	switch os.Getenv("PROC_TEST_ROLE") {
	case "agent":
		agentMain()
	case "holder":
		holderMain()
	case "server":
		serverMain()
	default:
		os.Exit(m.Run())
	}
}

// marker stands in the environment of all that an agent of a test starts.
const marker = "PROC_TEST_TASK"

// role is this binary in another part.
func role(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "PROC_TEST_ROLE="+name)
	return cmd
}

// agentMain does what Claude Code does: a wrapper shell in a session of its own
// writes the file as fd 1 and 2; the agent itself has it open on a further one,
// and reports how the wrapper ended. It lives until its stdin closes.
func agentMain() {
	output, command := os.Args[1], os.Args[2]
	out, err := os.OpenFile(output, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	shell := exec.Command("bash", "-c", "shopt -u extglob 2>/dev/null || true && eval '"+
		strings.ReplaceAll(command, "'", `'\''`)+"' < /dev/null && pwd -P >| "+output+"-cwd")
	shell.Stdout, shell.Stderr = out, out
	shell.Dir = filepath.Dir(output)
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Getenv("PROC_TEST_SOCKETS") != "" { // a monitor: the agent reads pipes
		r, w, _ := os.Pipe()
		shell.Stdout, shell.Stderr = w, w
		go func() { _, _ = io.Copy(io.Discard, r) }()
	}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "PROC_TEST_ROLE=") {
			shell.Env = append(shell.Env, e)
		}
	}
	if err := shell.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("started", shell.Process.Pid)
	go func() {
		err := shell.Wait()
		code := shell.ProcessState.ExitCode()
		var exit *exec.ExitError
		if st, ok := shell.ProcessState.Sys().(syscall.WaitStatus); ok && errors.As(err, &exit) && st.Signaled() {
			code = 1000 + int(st.Signal())
		}
		fmt.Println("exit", code)
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// holderMain has a file open for reading and writing, as an editor may.
func holderMain() {
	f, err := os.OpenFile(os.Args[1], os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer func() { _ = f.Close() }()
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// agent is a running model of one, with one task.
type agent struct {
	t       testing.TB
	id      ID
	wrapper int
	output  string
	mark    string
	said    chan string
}

// newAgent starts an agent that runs command, and ends all of it with the test.
func newAgent(t testing.TB, command string, env ...string) *agent {
	t.Helper()
	a := &agent{t: t, output: filepath.Join(t.TempDir(), "b12345678.output"), said: make(chan string, 8)}
	a.mark = marker + "=" + a.output
	cmd := role("agent", a.output, command)
	cmd.Env = append(append(cmd.Env, a.mark), env...)
	stdin, _ := cmd.StdinPipe()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.sweep() })
	a.id = start(t, cmd)
	t.Cleanup(func() { _ = stdin.Close() })
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			a.said <- lines.Text()
		}
	}()
	if _, err := fmt.Sscanf(a.next(), "started %d", &a.wrapper); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *agent) next() string {
	a.t.Helper()
	select {
	case s := <-a.said:
		return s
	case <-time.After(10 * time.Second):
		a.t.Fatal("the agent said nothing for 10 s")
		return ""
	}
}

// target is what a source would know of the task.
func (a *agent) target() Target {
	return Target{Output: a.output, AgentPID: a.id.PID, AgentStart: a.id.Start}
}

// sweep ends whatever of this agent's task a failed test left behind, found by
// the mark that only it carries.
func (a *agent) sweep() {
	for range 20 {
		left := a.marked()
		if len(left) == 0 {
			return
		}
		for _, p := range left {
			if h, err := Hold(p.ID); err == nil {
				_ = h.signal(sigKill)
				h.Close()
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.t.Errorf("processes left behind: %v", a.marked())
}

// marked are the living processes of the task, agent aside.
func (a *agent) marked() []Proc {
	table, err := Scan(thisWorld(a.t))
	if err != nil {
		a.t.Error(err)
		return nil
	}
	var out []Proc
	for _, p := range table.All() {
		if !p.Dead() && p.PID != a.id.PID && marker+"="+table.Env(p.PID, marker)[marker] == a.mark {
			out = append(out, p)
		}
	}
	return out
}

// settled waits until the task has at least n processes.
func (a *agent) settled(n int) *Table {
	a.t.Helper()
	for range 500 {
		table, err := Scan(thisWorld(a.t))
		if err != nil {
			a.t.Fatal(err)
		}
		if of, _, err := table.Members(a.target()); err == nil && len(of) >= n {
			return table
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.t.Fatalf("the task did not get to %d processes: %v", n, a.marked())
	return nil
}

// stop plans and stops as a face would.
func (a *agent) stop(table *Table, tg Target, o StopOptions) (Plan, Report) {
	a.t.Helper()
	plan := table.Plan(tg)
	if plan.Refused != "" {
		a.t.Fatalf("refused: %s", plan.Refused)
	}
	r, err := Stop(context.Background(), thisWorld(a.t), tg, plan, o)
	if err != nil {
		a.t.Fatal(err)
	}
	return plan, r
}
