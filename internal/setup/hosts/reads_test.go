package hosts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"offstage/internal/setup"
)

func readsStrict(t *testing.T, _, text string) {
	t.Helper()
	if !json.Valid([]byte(text)) {
		t.Errorf("no strict JSON:\n%s", text)
	}
}

func readsComments(t *testing.T, _, text string) {
	t.Helper()
	if err := setup.CheckJSON([]byte(text), setup.Comments); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

func readsLoose(t *testing.T, _, text string) {
	t.Helper()
	var v struct{ Command []string }
	if ok, err := setup.JSONGet([]byte(text), []string{"mcp", "offstage"}, &v); !ok || err != nil || len(v.Command) != 2 {
		t.Errorf("%v:\n%s", err, text)
	}
}

func readsTOML(t *testing.T, _, text string) {
	t.Helper()
	var v struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal([]byte(text), &v); err != nil || v.Servers["offstage"].Command != "/usr/local/bin/offstage" {
		t.Errorf("%v:\n%s", err, text)
	}
}

// readsBlock: the programs are not asked here; one block of ours, whole.
func readsBlock(t *testing.T, host, text string) {
	t.Helper()
	if strings.Count(text, "offstage: begin") != 1 || strings.Count(text, "offstage: end") != 1 {
		t.Errorf("not one block:\n%s", text)
	}
	if program, err := exec.LookPath(host); host == "zellij" && err == nil {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "config.kdl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "--config-dir", home, "setup", "--check")
		cmd.Env = append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("zellij: %v\n%s", err, out)
		}
	}
}

func readsLua(t *testing.T, host, text string) {
	t.Helper()
	readsBlock(t, host, text)
	luac, err := exec.LookPath("luac")
	if err != nil {
		return // the shape is checked; the syntax where there is a Lua
	}
	cmd := exec.Command(luac, "-p", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("lua: %v\n%s\n%s", err, out, text)
	}
}

// readsTmux lets the real program read the file where there is one.
func readsTmux(t *testing.T, host, text string) {
	t.Helper()
	readsBlock(t, host, text)
	program, err := exec.LookPath("tmux")
	if err != nil {
		return
	}
	dir, err := os.MkdirTemp("", "tm")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	conf := filepath.Join(dir, "c")
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command(program, append([]string{"-S", filepath.Join(dir, "s"), "-f", "/dev/null"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "TMUX=")
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] != "kill-server" {
			t.Errorf("tmux %v: %v\n%s\n%s", args, err, out, text)
		}
		return string(out)
	}
	run("new-session", "-d", "cat")
	defer run("kill-server")
	for range 2 { // a reload puts it in once
		run("source-file", conf)
	}
	if got := run("show-options", "-gv", "status-right"); strings.Count(got, "@offstage_pill") != 1 {
		t.Errorf("status-right: %s", got)
	}
	if got := run("list-keys", "-T", "prefix"); strings.Count(got, "--tmux-pane") != 1 {
		t.Errorf("keys: %s", got)
	}
}
