package kimi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace"
	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

const (
	sessions = ".kimi-code/sessions/wd_app_000000000001/"
	one      = sessions + "session_00000000-0000-4000-8000-000000000001/"
	tasks    = one + "agents/main/tasks/"
)

// record is a good record of a task that ended.
func good(id string) string {
	now := float64(time.Now().UnixMilli())
	return fmt.Sprintf(`{"taskId":%q,"kind":"process","description":"d","status":"completed","detached":true,"startedAt":%f,"endedAt":%f,"command":"true","pid":1,"exitCode":0}`, id, now-2000, now-1000)
}

// stage is a session with one good task.
func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, one+"state.json", `{"cwd":"/srv/app","title":"work","createdAt":1796071050293}`)
	h.Put(t, tasks+"bash-good0000.json", good("bash-good0000"))
	h.Put(t, tasks+"bash-good0000/output.log", "fine\n")
	return h
}

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	const secret = "what-stands-outside"
	cases := map[string]func(t *testing.T, h tracetest.Home){
		"half written": func(t *testing.T, h tracetest.Home) { h.Put(t, tasks+"bash-bad00000.json", good("bash-bad00000")[:60]) },
		"empty":        func(t *testing.T, h tracetest.Home) { h.Put(t, tasks+"bash-bad00000.json", "") },
		"no object":    func(t *testing.T, h tracetest.Home) { h.Put(t, tasks+"bash-bad00000.json", `[1,2]`) },
		"huge": func(t *testing.T, h tracetest.Home) {
			h.Put(t, tasks+"bash-bad00000.json", strings.Repeat(" ", maxRecord+1))
		},
		"a pipe":   func(t *testing.T, h tracetest.Home) { h.Pipe(t, tasks+"bash-bad00000.json") },
		"a folder": func(t *testing.T, h tracetest.Home) { h.Put(t, tasks+"bash-bad00000.json/x", "") },
		"a link out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, tasks+"bash-bad00000.json", filepath.Join(h.Dir, "outside"))
		},
		"log is a pipe": func(t *testing.T, h tracetest.Home) {
			h.Put(t, tasks+"bash-bad00000.json", good("bash-bad00000"))
			h.Pipe(t, tasks+"bash-bad00000/output.log")
		},
		"log leads out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, tasks+"bash-bad00000.json", good("bash-bad00000"))
			h.Link(t, tasks+"bash-bad00000/output.log", filepath.Join(h.Dir, "outside"))
		},
		"wire leads out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, one+"agents/main/wire.jsonl", filepath.Join(h.Dir, "outside"))
		},
		"state is broken": func(t *testing.T, h tracetest.Home) { h.Put(t, one+"state.json", `{"cwd":`) },
		"other types": func(t *testing.T, h tracetest.Home) {
			h.Put(t, tasks+"bash-bad00000.json", `{"taskId":"bash-bad00000","status":7,"startedAt":"soon","pid":"x","exitCode":[],"command":{},"detached":"yes"}`)
		},
		"a session folder that leads out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "away/agents/main/tasks/bash-away0000.json", good("bash-away0000"))
			h.Link(t, sessions+"session_11111111-0000-4000-8000-000000000001", filepath.Join(h.Dir, "away"))
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			h := stage(t)
			h.Put(t, "outside", `{"taskId":"`+secret+`","status":"completed","title":"`+secret+`"}`)
			spoil(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			tracetest.NoLeak(t, snap, secret)
			if g := tracetest.Find(t, snap, "bash-good0000"); g.Status != task.Succeeded || !g.Can.Read || g.Trouble != "" {
				t.Errorf("the good row: %s, trouble %q", g.Status, g.Trouble)
			}
			for _, x := range snap.Tasks {
				if x.Native == "bash-bad00000" && !strings.HasPrefix(name, "other") && x.Trouble == "" {
					t.Errorf("nothing is said of the bad one: %+v", x)
				}
				if x.Native == "bash-bad00000" && x.Can.Read {
					t.Error("what is no log can be read")
				}
				if x.Native == "bash-away0000" {
					t.Error("a session outside was read")
				}
			}
		})
	}
}

// TestNewerWords: a word of a newer version is no end unless the record has one.
func TestNewerWords(t *testing.T) {
	h := stage(t)
	h.Put(t, tasks+"bash-new00001.json", `{"taskId":"bash-new00001","status":"exploded","endedAt":1796071050495,"startedAt":1796071050000,"kind":"process"}`)
	h.Put(t, tasks+"bash-new00002.json", `{"taskId":"bash-new00002","status":"thinking","startedAt":1796071050000,"kind":"process"}`)
	h.Put(t, tasks+"quest-00000001.json", `{"taskId":"quest-00000001","status":"running","kind":"question"}`)
	s := New(h.World, tracetest.NoProcs)
	s.SetDeep(true)
	snap := tracetest.All(t, s)
	if x := tracetest.Find(t, snap, "bash-new00001"); x.Status != task.Lost || x.Trouble == "" || x.ExitCode != nil {
		t.Errorf("an unknown end: %s %q", x.Status, x.Trouble)
	}
	if x := tracetest.Find(t, snap, "bash-new00002"); x.Status != task.Running {
		t.Errorf("an unknown state: %s", x.Status)
	}
	for _, x := range snap.Tasks {
		if x.Native == "quest-00000001" {
			t.Error("a question is no task")
		}
	}
}

// TestReplaced: a record that is replaced is read again, one that broke keeps the
// last truth (the agent replaces them by renaming).
func TestReplaced(t *testing.T) {
	h := stage(t)
	path := h.Put(t, tasks+"bash-runs0000.json", strings.Replace(good("bash-runs0000"), "completed", "running", 1))
	path2 := h.Put(t, "new.json", strings.Replace(good("bash-runs0000"), `"completed"`, `"failed"`, 1))
	s := New(h.World, tracetest.NoProcs)
	tracetest.All(t, s)
	tracetest.Must(t, os.Rename(path2, path))
	if x := tracetest.Find(t, tracetest.All(t, s), "bash-runs0000"); x.Status != task.Failed {
		t.Errorf("after the replacement: %s", x.Status)
	}
	tracetest.Must(t, os.WriteFile(path, []byte(`{"taskId":`), 0o600))
	if x := tracetest.Find(t, tracetest.All(t, s), "bash-runs0000"); x.Status != task.Failed || x.Trouble == "" {
		t.Errorf("after it broke: %s %q", x.Status, x.Trouble)
	}
}

// TestOldLayout: the first versions wrote one folder of tasks for a session, with
// underscores.
func TestOldLayout(t *testing.T) {
	h := tracetest.NewHome(t)
	now := float64(time.Now().UnixMilli())
	h.Put(t, one+"tasks/bash-old00000.json", fmt.Sprintf(`{"task_id":"bash-old00000","kind":"process","status":"failed","started_at":%f,"ended_at":%f,"exit_code":3,"command":"false"}`, now-2000, now))
	x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "bash-old00000")
	if x.Status != task.Failed || x.ExitCode == nil || *x.ExitCode != 3 || x.Command != "false" {
		t.Errorf("%+v", x)
	}
}

// TestSteps: what a sub-agent did reads as steps (O4); a broken record is a row.
func TestSteps(t *testing.T) {
	r := tracetest.Open(t, "testdata/subagent.txtar")
	snap := tracetest.All(t, New(r.World, r.Procs))
	x := tracetest.Find(t, snap, "agent-eoxi4h5u")
	b, err := os.ReadFile(x.Output.Path)
	tracetest.Must(t, err)
	var text []string
	for line := range strings.Lines(string(b)) {
		for _, row := range x.Decoder.Decode([]byte(strings.TrimRight(line, "\n")), 0) {
			text = append(text, row.Text)
		}
	}
	want := []string{"» Please run it (sub).", "▸ Bash for i in", "  lint pass 1", "Sub-agent: linted, no problems."}
	got := strings.Join(text, "\n")
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("no step %q in\n%s", w, got)
		}
	}
	if x.ToolCalls != 1 || x.Tokens == nil || x.Tokens.Output != 120 || x.Result != "Sub-agent: linted, no problems." {
		t.Errorf("calls %d, tokens %v, result %q", x.ToolCalls, x.Tokens, x.Result)
	}
	if rows := (Steps{}).Decode([]byte(`{"type":`), 7); len(rows) != 1 || rows[0].Offset != 7 {
		t.Errorf("a broken record: %+v", rows)
	}
}

// TestPlan: the list that the agent keeps is its last one (spec 4 T13).
func TestPlan(t *testing.T) {
	h := stage(t)
	args, _ := json.Marshal(map[string]any{"todos": []map[string]string{{"title": "first", "status": "done"}, {"title": "second", "status": "in_progress"}, {"status": "x"}}})
	h.Put(t, one+"agents/main/wire.jsonl", `{"type":"context.append_loop_event","time":1796071050404,"event":{"type":"tool.call","name":"TodoList","args":`+string(args)+"}}\n")
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	p := snap.Sessions[0].Plan
	if len(p.Entries) != 2 || p.Entries[0].Status != task.Completed || p.Entries[1].Status != task.InProgress || !p.Native || p.Skipped != 1 {
		t.Errorf("%+v", p)
	}
	_ = trace.Grace
}

// TestCLI: Kimi CLI 1.x with its four files and its control file.
func TestCLI(t *testing.T) {
	h := tracetest.NewHome(t)
	const folder = ".kimi/sessions/0123456789abcdef0123456789abcdef/11111111-2222-4333-8444-555555555555/tasks/"
	now := float64(time.Now().UnixMilli()) / 1000
	put := func(id, runtime, control string) {
		h.Put(t, folder+id+"/spec.json", fmt.Sprintf(`{"version":1,"id":%q,"kind":"bash","description":"Serve","command":"npm run dev","cwd":"/srv/app","created_at":%f,"timeout_s":60}`, id, now-10))
		h.Put(t, folder+id+"/runtime.json", runtime)
		h.Put(t, folder+id+"/control.json", control)
		h.Put(t, folder+id+"/output.log", "up\n")
	}
	put("bash-run00000", fmt.Sprintf(`{"status":"running","child_pid":999999,"started_at":%f,"heartbeat_at":%f}`, now-9, now-1), fmt.Sprintf(`{"kill_requested_at":%f}`, now))
	put("bash-done0000", fmt.Sprintf(`{"status":"completed","exit_code":0,"started_at":%f,"finished_at":%f}`, now-9, now-5), `{}`)
	put("bash-kill0000", fmt.Sprintf(`{"status":"killed","interrupted":true,"finished_at":%f}`, now-5), `{"kill_reason":"not needed"}`)
	put("bash-time0000", fmt.Sprintf(`{"status":"failed","timed_out":true,"finished_at":%f}`, now-5), `{}`)
	h.Put(t, folder+"bash-bad00000/spec.json", `{`)
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	for id, want := range map[string]task.Status{"bash-run00000": task.Running, "bash-done0000": task.Succeeded, "bash-kill0000": task.Cancelled, "bash-time0000": task.TimedOut} {
		x := tracetest.Find(t, snap, id)
		if x.Status != want || x.Command != "npm run dev" || x.Cwd != "/srv/app" || !x.Can.Read {
			t.Errorf("%s: %s %q %q", id, x.Status, x.Command, x.Cwd)
		}
	}
	if x := tracetest.Find(t, snap, "bash-run00000"); !strings.Contains(x.Activity, "control file") || x.Timeout.IsZero() {
		t.Errorf("a stop that was asked for: %q", x.Activity)
	}
	if x := tracetest.Find(t, snap, "bash-bad00000"); x.Trouble == "" {
		t.Error("nothing is said of the broken one")
	}
}
