//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
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

// inSession is a process in a session of its own, killed with its whole group.
func inSession(t *testing.T, env []string, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env, c.Dir, c.SysProcAttr = env, dir, &syscall.SysProcAttr{Setsid: true}
	t.Cleanup(func() {
		if c.Process != nil && c.ProcessState == nil {
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
			_ = c.Wait()
		}
	})
	return c
}

// Fifty tasks run, half of them started by an agent's commands and half by its MCP
// server, and a panel shows them. Panel, server and agent are killed by force, with
// all of their process groups: fifty tasks end, each with its own code, and the
// next look tells all of them (spec 2 O1, spec 3 R7, R8).
func TestFiftyTasksOutliveAllWhoKnowThem(t *testing.T) {
	const n = 50
	home := t.TempDir()
	env := append(os.Environ(), programVar+"=1", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "XDG_RUNTIME_DIR=", "TMPDIR="+home, "OFFSTAGE_PLAIN=")
	command := func(i int) string { return fmt.Sprintf("until test -e %s/go; do sleep 0.1; done; exit %d", home, i) }

	agent := inSession(t, append(env, "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=5e55"), home, "/bin/sh", "-c",
		`i=0; while [ $i -lt `+fmt.Sprint(n/2)+` ]; do "$0" run --name "job $i" -- "until test -e $HOME/go; do sleep 0.1; done; exit $i" || exit 1; i=$((i+1)); done; echo all; exec sleep 600`, os.Args[0])
	says, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	server := inSession(t, append(env, "CLAUDECODE=1"), home, os.Args[0], "mcp")
	ask, err1 := server.StdinPipe()
	answers, err2 := server.StdoutPipe()
	for _, err := range []error{err1, err2, agent.Start(), server.Start()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	panel := runWith(t, 120, 40, home, append(env, "TERM=xterm-256color", "NO_COLOR=", "TMUX="), "--everywhere")

	var calls strings.Builder
	for i := n / 2; i < n; i++ {
		b, err := json.Marshal(map[string]any{"command": command(i), "name": fmt.Sprint("job ", i)})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&calls, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"run_task","arguments":%s}}`+"\n", i, b)
	}
	go func() { // a pipe may be full until answers are read
		_, _ = io.WriteString(ask, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n"+
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+calls.String())
	}()
	lines := bufio.NewReader(answers)
	for got := 0; got <= n/2; got++ {
		line, err := lines.ReadString('\n')
		if err != nil || strings.Contains(line, `"isError":true`) {
			t.Fatalf("the server answered %q, %v", line, err)
		}
	}
	for from := bufio.NewScanner(says); from.Scan() && from.Text() != "all"; {
	}
	panel.until("shows the tasks", func(text string) bool { return strings.Contains(text, "job ") })

	for _, pid := range []int{panel.cmd.Process.Pid, server.Process.Pid, agent.Process.Pid} {
		if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
			t.Errorf("kill %d: %v", pid, err)
		}
	}
	<-panel.ended
	_, _ = server.Wait(), agent.Wait()
	if err := os.WriteFile(filepath.Join(home, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := endsListed(t, env, home, n)
	for i := range n {
		if code, ok := ended[fmt.Sprint("job ", i)]; !ok || code == nil || *code != i {
			t.Errorf("task %d: listed %v, its code %v", i, ok, code)
		}
	}
}

// endsListed asks the list until n tasks have ended, and gives their codes by name.
func endsListed(t *testing.T, env []string, home string, n int) map[string]*int {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		ls := exec.Command(os.Args[0], "ls", "--all", "--everywhere", "--json")
		ls.Env, ls.Dir = env, home
		out, err := ls.Output()
		if err != nil {
			t.Fatalf("ls: %v: %s", err, out)
		}
		var list []struct {
			Title    string `json:"title"`
			Status   string `json:"status"`
			ExitCode *int   `json:"exit_code"`
		}
		if err := json.Unmarshal(out, &list); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got := map[string]*int{}
		for _, x := range list {
			if x.Status != "running" && x.Status != "queued" {
				got[x.Title] = x.ExitCode
			}
		}
		if len(got) >= n || time.Now().After(end) {
			return got
		}
	}
}
