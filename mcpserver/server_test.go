package mcpserver

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

var update = flag.Bool("update", false, "write the golden files anew")

// M1: names, inputs and words of the tools are a contract.
func TestToolsGolden(t *testing.T) {
	s := newStage(t, func(o *Options) { o.Lists, o.Todo = noLists{}, "on" })
	res, err := s.client.ListTools(context.Background(), nil)
	must(t, err)
	got, err := json.MarshalIndent(res.Tools, "", "  ")
	must(t, err)
	path := filepath.Join("testdata", "tools.json")
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if string(got)+"\n" != string(want) {
		t.Errorf("the tools differ from %s: look at the difference, then run with -update\n%s", path, got)
	}
}

// noLists keeps nothing.
type noLists struct{}

func (noLists) Do(context.Context, string, string, string, map[string]json.RawMessage) (string, any, error) {
	return "", nil, nil
}

// Wrong input of every kind is one clear sentence, and nothing was done.
func TestWrongInput(t *testing.T) {
	s := newStage(t, nil)
	for _, c := range []struct{ tool, args, want string }{
		{"run_task", `{}`, `run_task needs the field "command": a command line for the shell`},
		{"run_task", `{"command": null}`, `needs the field "command"`},
		{"run_task", `{"command": "  "}`, "command is empty"},
		{"run_task", `{"command": 3}`, "command has to be a text"},
		{"run_task", `{"command": "true", "cmd": "x"}`, `run_task has no field "cmd": it takes command, name, kind, cwd, timeout_s, tty, if_running, ready`},
		{"run_task", `{"command": "true", "kind": "dream"}`, "kind has to be shell or monitor"},
		{"run_task", `{"command": "true", "if_running": "maybe"}`, "if_running has to be reuse or new"},
		{"run_task", `{"command": "true", "ready": "end"}`, "ready has to be port:N, text:S or url"},
		{"run_task", `{"command": "true", "ready": "port:x"}`, "ready has to be port:N"},
		{"run_task", `{"command": "true", "timeout_s": -1}`, "timeout_s has to be a whole number from 0"},
		{"run_task", `{"command": "true", "timeout_s": 1.5}`, "timeout_s has to be a whole number"},
		{"run_task", `{"command": "true", "tty": "yes"}`, "tty has to be true or false"},
		{"run_task", `{"command": "true", "cwd": "/nowhere/at/all"}`, "/nowhere/at/all is gone"},
		{"run_task", `[1]`, "run_task takes an object with the fields command"},
		{"list_tasks", `{"session": "nobody"}`, `no session "nobody" is known`},
		{"list_sessions", `{"x": 1}`, `list_sessions takes no input, and "x" was given`},
		{"read_session", `{"session": "nobody"}`, `no session "nobody" is known`},
		{"read_task_output", `{}`, `needs the field "task"`},
		{"read_task_output", `{"task": "nobody"}`, `no task "nobody" is known`},
		{"read_task_output", `{"task": "b1", "lines": 0}`, "lines has to be a whole number from 1 to 5000"},
		{"read_task_output", `{"task": "b1", "grep": "("}`, "grep is not a regular expression"},
		{"read_task_output", `{"task": "other"}`, "has no output to read"},
		{"wait_task", `{"tasks": []}`, "tasks is empty"},
		{"wait_task", `{"tasks": ["b1"], "for": "lunch"}`, "nothing to wait for"},
		{"wait_task", `{"tasks": [1]}`, "tasks has to be a list of texts"},
		{"stop_task", `{"task": "other"}`, "belongs to another session (codex:c)"},
		{"answer_task", `{"task": "b1", "text": "y"}`, "Only tasks that were started with offstage run --tty"},
		{"answer_task", `{"task": "b1", "text": "a\nb"}`, "text has to be one line"},
		{"watch", `{"events": ["lunch"]}`, `there is no event "lunch"`},
		{"watch", `{"sessions": ["nobody"]}`, `no session "nobody" is known`},
	} {
		text, _, bad := s.call(c.tool, c.args)
		if !bad || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %v %q, want %q", c.tool, c.args, bad, text, c.want)
		}
	}
	if list, err := os.ReadDir(filepath.Join(s.dir, "state", "tasks")); err == nil && len(list) > 0 {
		t.Errorf("a task was started: %v", list)
	}
}

func TestListAndRead(t *testing.T) {
	s := newStage(t, nil)
	text, data, bad := s.call("list_tasks", `{}`)
	tasks, _ := data["tasks"].([]any)
	if bad || len(tasks) != 2 || !strings.HasPrefix(text, "b1 · running · ") || !strings.Contains(text, "\nother · running · ") {
		t.Errorf("the own task stands first: %q %v", text, data)
	}
	if text, data, _ = s.call("list_tasks", `{"session": "codex:c"}`); strings.Contains(text, "b1") || len(data["tasks"].([]any)) != 1 {
		t.Errorf("one session: %q", text)
	}
	text, data, bad = s.call("read_task_output", `{"task": "b1", "lines": 2}`)
	if bad || text != "two\nthree" || data["cursor"] != float64(14) {
		t.Errorf("the end: %q %v", text, data)
	}
	if text, _, _ = s.call("read_task_output", `{"task": "b1", "from": 14}`); text != "Nothing new." {
		t.Errorf("behind the cursor: %q", text)
	}
	f, err := os.OpenFile(filepath.Join(s.dir, "out.log"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("four\nfive\n")
	must(t, err)
	must(t, f.Close())
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if text, data, _ = s.call("read_task_output", `{"task": "b1", "from": 14}`); text == "four\nfive" {
			break
		}
	}
	if text != "four\nfive" || data["cursor"] != float64(24) {
		t.Errorf("what came: %q %v", text, data)
	}
	if text, _, _ = s.call("read_task_output", `{"task": "b1", "grep": "^t"}`); text != "two\nthree" {
		t.Errorf("grep: %q", text)
	}
	text, data, bad = s.call("list_sessions", `{}`)
	if bad || !strings.Contains(text, session+" · background_only · the work · /srv/app") || len(data["sessions"].([]any)) != 2 {
		t.Errorf("sessions: %q", text)
	}
	if list := data["sessions"].([]any)[0].(map[string]any); !strings.Contains(text, "\n  b1 · running") || len(list["task_list"].([]any)) != 1 {
		t.Errorf("the tasks of a session: %q %v", text, list)
	}
	text, data, bad = s.call("read_session", `{}`)
	if bad || data["id"] != session || len(data["task_list"].([]any)) != 1 || !strings.Contains(text, "b1 · running") {
		t.Errorf("the own session: %q %v", text, data)
	}
}

// O5: a long output is cut to its last 32,000 characters, behind a line that
// names the file.
func TestLongOutputIsCut(t *testing.T) {
	s := newStage(t, nil)
	path := filepath.Join(s.dir, "out.log")
	var log strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&log, "äöü %06d of them\n", i*7919%999983)
	}
	must(t, os.WriteFile(path, []byte(log.String()+"the end\n"), 0o600))
	text, _, _ := s.call("read_task_output", `{"task": "b1", "lines": 5000}`)
	head, rest, _ := strings.Cut(text, "\n")
	if !strings.Contains(head, path) || !strings.Contains(head, "32000") || len([]rune(rest)) > maxText || len([]rune(rest)) < maxText-20 || !strings.HasSuffix(rest, "\nthe end") || !strings.HasPrefix(rest, "äöü ") {
		t.Errorf("head %q, then %d characters, %.20q", head, len([]rune(rest)), rest)
	}
	s.connect(Options{Registry: s.reg, Cwd: s.dir, MaxText: 160_000, Getenv: func(k string) string { return s.env[k] }}, "another")
	if text, _, _ = s.call("read_task_output", `{"task": "b1", "lines": 5000}`); len([]rune(text)) < 90_000 {
		t.Errorf("%d characters where more are set", len([]rune(text)))
	}
}

// What the settings say of tasks of our own holds for those that an agent starts
// (O6, H2).
func TestRunTakesTheSettings(t *testing.T) {
	s := New(Options{Registry: nil, Limit: 77 << 20, LimitDo: "warn", KeepAwake: true, Getenv: func(string) string { return "" }})
	spec, _, err := s.runSpec(&call{args: map[string]json.RawMessage{"command": json.RawMessage(`"true"`)}})
	if err != nil || spec.Limit != 77<<20 || spec.LimitDo != "warn" || !spec.KeepAwake {
		t.Errorf("%v %+v", err, spec)
	}
}

// C9: nothing of a secret reaches an agent, and none can be confirmed.
func TestNoSecretInResults(t *testing.T) {
	s := newStage(t, nil)
	secret := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	must(t, os.WriteFile(filepath.Join(s.dir, "out.log"), []byte("token "+secret+"\n\x1b[31mred\x1b[0m \x1b]0;title\x07x\n"), 0o600))
	s.src.set(func(x *task.Snapshot) {
		x.Tasks[1].Command = "deploy --token " + secret
		x.Tasks[1].Title = "with " + secret
	})
	for _, c := range []struct{ tool, args string }{
		{"list_tasks", `{}`}, {"read_task_output", `{"task": "b1"}`}, {"read_session", `{}`}, {"read_task_output", `{"task": "b1", "grep": "` + secret + `"}`},
		{"wait_task", `{"tasks": ["b1"], "for": "text:` + secret + `", "timeout_s": 1}`}, {"read_task_output", `{"task": "` + secret + `"}`},
	} {
		text, data, _ := s.call(c.tool, c.args)
		b, _ := json.Marshal(data)
		if strings.Contains(text+string(b), secret) || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s %s: %q %s", c.tool, c.args, text, b)
		}
	}
}

// M4: a longer wait is cut to 50 s, which is said; the answer tells what stands.
func TestWaitTask(t *testing.T) {
	s := newStage(t, nil)
	began := time.Now()
	text, data, bad := s.call("wait_task", `{"tasks": ["b1", "other"], "timeout_s": "1"}`)
	if bad || !strings.Contains(text, "b1 (dev server): still running") || time.Since(began) > 20*time.Second {
		t.Errorf("%q", text)
	}
	list := data["tasks"].([]any)
	if x := list[0].(map[string]any); x["met"] != "timeout" || x["id"] != "claude:b1" || x["cursor"] != float64(14) {
		t.Errorf("%v", list)
	}
	go func() {
		time.Sleep(200 * time.Millisecond)
		s.src.set(func(x *task.Snapshot) {
			code := 1
			x.Tasks[1].Status, x.Tasks[1].Ended, x.Tasks[1].ExitCode = task.Failed, time.Now(), &code
		})
		s.reg.Wake()
	}()
	text, data, _ = s.call("wait_task", `{"tasks": "b1", "timeout_s": 400}`)
	if x := data["tasks"].([]any)[0].(map[string]any); x["met"] != "end" || x["exit_code"] != float64(1) || !strings.Contains(text, "timeout_s is at most 50") || !strings.Contains(text, "failed, exit code 1") {
		t.Errorf("%q %v", text, data)
	}
}

// I3: a watcher is told of failures by itself, and misses nothing between calls.
func TestWatch(t *testing.T) {
	s := newStage(t, nil)
	if text, _, bad := s.call("watch", `{"timeout_s": 1}`); bad || !strings.Contains(text, "Nothing happened") {
		t.Fatalf("%q", text)
	}
	s.src.set(func(x *task.Snapshot) {
		x.Tasks[1].Status, x.Tasks[1].Ended = task.Failed, time.Now()
	})
	s.reg.Wake()
	text, data, bad := s.call("watch", `{"timeout_s": 20}`)
	events, _ := data["events"].([]any)
	if bad || len(events) != 1 || events[0].(map[string]any)["event"] != "task_failed" || !strings.Contains(text, "task_failed: b1 (dev server)") {
		t.Errorf("%q %v", text, data)
	}
	s.src.set(func(x *task.Snapshot) {
		x.Tasks[0].Status, x.Tasks[0].Ended, x.Sessions[0].State = task.Succeeded, time.Now(), task.Idle
	})
	s.reg.Wake()
	if text, _, _ := s.call("watch", `{"events": ["all_idle"], "timeout_s": 20}`); !strings.Contains(text, "all_idle") {
		t.Errorf("%q", text)
	}
}

// M3: the call's own word, then the process, then the environment, then the
// folder say whose call it is.
func TestCaller(t *testing.T) {
	s := newStage(t, nil)
	text, _, bad := s.call("stop_task", `{"task": "other"}`)
	if !bad || !strings.Contains(text, "another session") {
		t.Errorf("%q", text)
	}
	delete(s.env, "CLAUDE_CODE_SESSION_ID")
	s.src.set(func(x *task.Snapshot) { x.Sessions[1].PID = os.Getpid(); x.Sessions[1].PIDStart = 1 })
	s.connect(Options{Registry: s.reg, Cwd: "/srv/app", Client: os.Getpid(), Getenv: func(string) string { return "" }}, "some-client")
	if text, _, _ := s.call("list_tasks", `{}`); !strings.HasPrefix(text, "other") {
		t.Errorf("by its process the caller is the other session: %q", text)
	}
	s.connect(Options{Registry: s.reg, Cwd: "/srv/app", Getenv: func(string) string { return "" }}, "claude-code")
	if text, _, _ := s.call("list_tasks", `{}`); !strings.HasPrefix(text, "b1") {
		t.Errorf("by its folder the caller is the one Claude session there: %q", text)
	}
}

// T13: a client with a task list of its own is not given a second one, unless it
// is asked for.
func TestListTools(t *testing.T) {
	has := func(s *stage) bool {
		res, err := s.client.ListTools(context.Background(), nil)
		must(t, err)
		for _, x := range res.Tools {
			if x.Name == "TaskCreate" {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		todo, client string
		want         bool
	}{{"auto", "kimi-code", true}, {"auto", "claude-code", false}, {"on", "claude-code", true}, {"off", "kimi-code", false}} {
		s := newStage(t, nil)
		s.connect(Options{Registry: s.reg, Lists: noLists{}, Todo: c.todo, Cwd: s.dir, Getenv: func(string) string { return "" }}, c.client)
		for end := time.Now().Add(5 * time.Second); has(s) != c.want && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		}
		if has(s) != c.want {
			t.Errorf("--todo=%s for %s: %v", c.todo, c.client, !c.want)
		}
	}
}
