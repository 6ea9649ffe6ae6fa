package desk

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGoToPane: the client of a real tmux is taken to the agent's pane, and not
// to one that only has the same number elsewhere (A12).
func TestGoToPane(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	t.Setenv("TMUX", "")
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux", append([]string{"-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "sleep 60")
	t.Cleanup(func() { _ = exec.Command("tmux", "kill-server").Run() })
	run("new-window", "-t", "work", "sleep 60")
	run("split-window", "-t", "work:0", "sleep 60")
	socket := run("display-message", "-p", "#{socket_path}")
	pane := run("display-message", "-p", "-t", "work:0.0", "#{session_name}:#{window_id}.#{pane_id}")
	env := func(k string) string {
		if k == "TMUX" {
			return socket + ",1,0"
		}
		return ""
	}
	t.Setenv("TMUX", socket+",1,0")
	// A client of tmux is needed to be taken anywhere: one in control mode is enough.
	client := exec.Command("tmux", "-C", "attach", "-t", "work:1")
	in, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	client.Env = append(client.Environ(), "TMUX=", "TMUX_TMPDIR="+filepath.Dir(filepath.Dir(socket)))
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = client.Process.Kill(); _ = client.Wait() })
	for end := time.Now().Add(5 * time.Second); run("list-clients") == "" && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if err := GoToPane(context.Background(), "tmux:"+pane, env); err != nil {
		t.Fatal(err)
	}
	if got := run("display-message", "-p", "-t", "work", "#{session_name}:#{window_id}.#{pane_id}"); got != pane {
		t.Errorf("the client is at %s, want %s", got, pane)
	}
	for _, bad := range []string{"", "kitty:1", "tmux:work:@99.%0", "tmux:work:@0.%99", "tmux:work:@0", "tmux:-t;kill-server.%0"} {
		if err := GoToPane(context.Background(), bad, env); err == nil {
			t.Errorf("%q led somewhere", bad)
		}
	}
	if err := GoToPane(context.Background(), "tmux:"+pane, func(string) string { return "" }); err == nil {
		t.Error("outside tmux it went somewhere")
	}
}
