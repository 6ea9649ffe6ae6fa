package left

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// A real client's two servers, one started with & and one with setsid, are rows
// with their session, command, folder, age and Stop; the client is none (A11).
func TestLeakedServers(t *testing.T) {
	snap := stage(t, recorded(t, "leaked.jsonl"))
	if len(snap.Tasks) != 2 {
		t.Fatalf("got %d rows, want the two servers: %+v", len(snap.Tasks), snap.Tasks)
	}
	ended, logged := snap.Tasks[0], snap.Tasks[1]
	for _, x := range snap.Tasks {
		if x.Command != "node server.js" || x.Cwd != "/srv/app" || !x.LeftBehind || !x.Can.Stop || x.Status != task.Running {
			t.Errorf("row %+v", x)
		}
		if x.Session != "claude:9b31baf4-4306-4cf3-b67d-2baea0bdbc4c" {
			t.Errorf("session %q", x.Session)
		}
		if x.Started.IsZero() || len(x.Evidence.Roots) != 1 {
			t.Errorf("no start or no process: %+v", x)
		}
	}
	if ended.ID != "left:142-138505" || ended.Can.Read || !strings.Contains(ended.Trouble, "deleted") {
		t.Errorf("the server with a deleted log: %+v", ended)
	}
	if logged.ID != "left:195-138957" || logged.Output.Recorded != "/tmp/server.log" || !logged.Can.Read {
		t.Errorf("the server with a log: %+v", logged)
	}
	if len(snap.Sessions) != 1 || snap.Sessions[0].ID != logged.Session || snap.Sessions[0].State != task.EndedSession {
		t.Errorf("sessions %+v", snap.Sessions)
	}
}

// What is not left behind, each with the reason (A11).
func TestNotListed(t *testing.T) {
	server := func(change func(*row)) []row {
		r := row{PID: 200, PPID: 1, PGID: 200, SID: 200, Cmd: []string{"node", "server.js"}, Env: claudeEnv(), FDs: map[string]string{"0": "/dev/null", "1": "/tmp/x.log"}}
		change(&r)
		return []row{{PID: 1, Cmd: []string{"/sbin/init"}, Comm: "init"}, r}
	}
	agent := row{PID: 63, PPID: 1, Comm: "claude", Cmd: []string{"claude"}, TTY: 34822}
	cases := map[string][]row{
		"by CLAUDECODE alone": server(func(r *row) {
			r.Env = map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "11111111-2222-4333-8444-555555555555"}
		}),
		"without a session":           server(func(r *row) { delete(r.Env, "CLAUDE_CODE_SESSION_ID") }),
		"a hook's child":              server(func(r *row) { r.Env["CLAUDE_PROJECT_DIR"] = "/srv/app" }),
		"of a task of our own":        server(func(r *row) { r.Env["OFFSTAGE_TASK"] = "t-00000000" }),
		"with a controlling terminal": server(func(r *row) { r.TTY = 34816 }),
		"a zombie":                    server(func(r *row) { r.State = "Z" }),
		"an editor's server":          server(func(r *row) { r.Cmd, r.Comm = []string{"/usr/bin/nvim", "--headless"}, "nvim" }),
		"a multiplexer":               server(func(r *row) { r.Cmd, r.Comm = []string{"tmux", "new", "-d"}, "tmux: server" }),
		"our own panel":               server(func(r *row) { r.Cmd, r.Comm = []string{"/usr/local/bin/offstage"}, "offstage" }),
		"another agent":               server(func(r *row) { r.Cmd, r.Comm = []string{"node", "/usr/bin/codex"}, "node" }),
		"a piped Gemini server": server(func(r *row) {
			r.Env, r.FDs = map[string]string{"GEMINI_CLI": "1"}, map[string]string{"0": "pipe:[7]", "1": "pipe:[8]"}
		}),
	}
	below := func(top row) []row {
		return append(server(func(r *row) { r.PPID = 150 }), top)
	}
	cases["below a running agent"] = append(below(row{PID: 150, PPID: 63, Cmd: []string{"bash", "-c", "x"}, Env: claudeEnv()}), agent)
	cases["below an agent of another name"] = append(below(row{PID: 150, PPID: 63, Cmd: []string{"bash"}, Env: claudeEnv()}), row{PID: 63, PPID: 1, Comm: "node", Cmd: []string{"node", "cli.js"}})
	cases["in a multiplexer"] = below(row{PID: 150, PPID: 1, Comm: "tmux: server", Cmd: []string{"tmux"}, Env: claudeEnv()})
	cases["in our own task"] = below(row{PID: 150, PPID: 1, Comm: "offstage", Cmd: []string{"offstage"}, Env: claudeEnv()})
	cases["in an editor"] = below(row{PID: 150, PPID: 1, Comm: "code", Cmd: []string{"/usr/share/code/code"}})
	cases["under a person's shell"] = below(row{PID: 150, PPID: 1, Comm: "zsh", Cmd: []string{"-zsh"}, TTY: 34817})
	for name, rows := range cases {
		t.Run(name, func(t *testing.T) {
			if snap := stage(t, rows); len(snap.Tasks) != 0 {
				t.Errorf("listed: %+v", snap.Tasks)
			}
		})
	}
	if snap := stage(t, server(func(*row) {})); len(snap.Tasks) != 1 {
		t.Errorf("the same server without a reason is not listed: %+v", snap.Tasks)
	}
}

// A process younger than five seconds may be a command just being started (A11).
func TestYoungIsNotListed(t *testing.T) {
	rows := recorded(t, "leaked.jsonl")
	started := bootTime.Add(138505 * 10 * time.Millisecond)
	if snap := stageAt(t, rows, started.Add(4*time.Second)); len(snap.Tasks) != 0 {
		t.Errorf("listed at 4 s: %+v", snap.Tasks)
	}
	if snap := stageAt(t, rows, started.Add(6*time.Second)); len(snap.Tasks) != 1 {
		t.Errorf("at 6 s the first of them is left behind: %+v", snap.Tasks)
	}
}

// A tree is one row, by its topmost process (A11).
func TestTreeIsOneRow(t *testing.T) {
	snap := stage(t, []row{
		{PID: 300, PPID: 1, PGID: 300, SID: 300, Cmd: []string{"sh", "-c", "npm run dev"}, Env: claudeEnv()},
		{PID: 301, PPID: 300, PGID: 300, SID: 300, Cmd: []string{"npm", "run", "dev"}, Env: claudeEnv()},
		{PID: 302, PPID: 301, PGID: 300, SID: 300, Cmd: []string{"node", "vite"}, Env: claudeEnv()},
	})
	if len(snap.Tasks) != 1 || snap.Tasks[0].Command != "npm run dev" || snap.Tasks[0].Evidence.Roots[0].PID != 300 {
		t.Errorf("got %+v", snap.Tasks)
	}
}

// Shared helpers are one line without a Stop (A11).
func TestHelpersFold(t *testing.T) {
	gradle := []string{"/usr/lib/jvm/bin/java", "-Xmx512m", "-cp", "x.jar", "org.gradle.launcher.daemon.bootstrap.GradleDaemon", "8.5"}
	snap := stage(t, []row{
		{PID: 300, PPID: 1, Cmd: gradle, Env: claudeEnv()},
		{PID: 310, PPID: 1, Cmd: []string{"/usr/bin/ssh-agent", "-s"}, Env: claudeEnv()},
		{PID: 320, PPID: 1, Cmd: []string{"/opt/node_modules/esbuild/bin/esbuild", "--service=0.25.0", "--ping"}, Env: claudeEnv()},
		{PID: 330, PPID: 1, Cmd: []string{"node", "server.js"}, Env: claudeEnv()},
	})
	i := slices.IndexFunc(snap.Tasks, func(x task.Task) bool { return x.Title == "3 helpers left running" })
	if len(snap.Tasks) != 2 || i < 0 {
		t.Fatalf("got %+v", snap.Tasks)
	}
	if x := snap.Tasks[i]; x.Can.Stop || x.Can.WhyNot == "" || x.Activity != "esbuild, java, ssh-agent" {
		t.Errorf("helpers: %+v", x)
	}
}

// Each agent's marks name its session, the inner agent before the outer (A11).
func TestMarksOfEachAgent(t *testing.T) {
	cases := map[string]map[string]string{
		"codex:t-1":            {"CODEX_CI": "1", "CODEX_TOOL_CALL_ID": "call_1", "CODEX_THREAD_ID": "t-1"},
		"codex:t-2":            claudeEnv("CODEX_TOOL_CALL_ID=call_1", "CODEX_THREAD_ID=t-2"),
		"qwen:q-1":             {"QWEN_CODE": "1", "QWEN_CODE_SESSION_ID": "q-1", "QWEN_CODE_PROMPT_ID": "p"},
		"copilot:c-1":          {"COPILOT_CLI": "1", "COPILOT_AGENT_SESSION_ID": "c-1", "COPILOT_LOADER_PID": "9"},
		"opencode:left-behind": {"OPENCODE": "1", "OPENCODE_PID": "9", "AGENT": "1"},
		"crush:left-behind":    {"CRUSH": "1", "AGENT": "crush"},
		"gemini:left-behind":   {"GEMINI_CLI": "1"},
		// An id that is none of ours to show leaves the row, and names no session.
		"qwen:left-behind": {"QWEN_CODE": "1", "QWEN_CODE_SESSION_ID": "a/../b\x1b[31m", "QWEN_CODE_PROMPT_ID": "p"},
	}
	for want, env := range cases {
		snap := stage(t, []row{{PID: 200, PPID: 1, Cmd: []string{"node", "server.js"}, Env: env, FDs: map[string]string{"0": "/dev/null", "1": "/tmp/x"}}})
		if len(snap.Tasks) != 1 || snap.Tasks[0].Session != want {
			t.Errorf("%s: got %+v", want, snap.Tasks)
		}
	}
}

// The same table is looked at once, whoever asks how often (idle budget).
func TestOneLookPerTable(t *testing.T) {
	root := t.TempDir()
	for _, r := range recorded(t, "leaked.jsonl") {
		lay(t, root, r)
	}
	w, err := world.New(world.Options{Root: root, Now: bootTime.Add(24 * time.Hour), Getenv: func(string) string { return "/home/dev" }})
	must(t, err)
	table, err := proc.Scan(w)
	must(t, err)
	s := New(w, func() (*proc.Table, error) { return table, nil })
	first, err := s.Scan(context.Background())
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(root, "proc")))
	again, err := s.Scan(context.Background())
	must(t, err)
	if len(first.Tasks) != 2 || len(again.Tasks) != 2 {
		t.Errorf("first %d rows, again %d, want 2 and 2 without a second look", len(first.Tasks), len(again.Tasks))
	}
}
