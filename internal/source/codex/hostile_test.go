package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

const (
	day    = ".codex/sessions/2026/11/30/"
	thread = "00000000-0000-4000-8000-000000000001"
	file   = day + "rollout-2026-11-30T20-24-06-" + thread + ".jsonl"
)

func line(kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":%q,"type":%q,"payload":%s}`+"\n", time.Now().UTC().Format(time.RFC3339Nano), kind, payload)
}

func meta(id string) string {
	return line("session_meta", fmt.Sprintf(`{"id":%q,"cwd":"/srv/app","cli_version":"0.171.0","originator":"codex-tui","source":"vscode"}`, id))
}

func start(call, cmd string, number int) string {
	return line("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":%q,"call_id":%q}`, fmt.Sprintf(`{"cmd":%q}`, cmd), call)) +
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":"Chunk ID: a\nProcess running with session ID %d\nOutput:\nfirst words\n"}`, call, number))
}

func end(call string, code int, output string) string {
	return line("event_msg", fmt.Sprintf(`{"type":"item_completed","item":{"type":"CommandExecution","id":%q,"process_id":"1","command":["/bin/bash","-lc","npm test"],"cwd":"file:///srv/app","status":"failed","aggregated_output":%q,"exit_code":%d},"started_at_ms":%d,"completed_at_ms":%d}`,
		call, output, code, time.Now().Add(-time.Second).UnixMilli(), time.Now().UnixMilli()))
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, file, meta(thread)+start("call_good", "npm test", 1)+end("call_good", 3, "all of it\n"))
	return h
}

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	const secret = "what-stands-outside"
	other := day + "rollout-2026-11-30T20-25-06-00000000-0000-4000-8000-000000000002.jsonl"
	cases := map[string]func(t *testing.T, h tracetest.Home){
		"half written": func(t *testing.T, h tracetest.Home) { h.Put(t, other, meta("x")[:40]) },
		"broken lines": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, "{\n\x00\xff\"session_meta\"\n[]\n7\n"+meta("x")+`{"type":"event_msg","payload":{"type":"item_completed","item":7}}`+"\n")
		},
		"a pipe":     func(t *testing.T, h tracetest.Home) { h.Pipe(t, other) },
		"a link out": func(t *testing.T, h tracetest.Home) { h.Link(t, other, filepath.Join(h.Dir, "outside")) },
		"a day out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "away/"+filepath.Base(other), meta(secret))
			h.Link(t, ".codex/sessions/2026/11/29", filepath.Join(h.Dir, "away"))
		},
		"names out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, ".codex/session_index.jsonl", filepath.Join(h.Dir, "outside"))
		},
		"newer items": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, meta("x")+line("event_msg", `{"type":"item_completed","item":{"type":"CommandExecution","id":"","exit_code":"zero"}}`)+line("new_kind", `{"type":"function_call_v2"}`))
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			h := stage(t)
			h.Put(t, "outside", `{"id":"`+thread+`","thread_name":"`+secret+`"}`+"\n"+meta(secret))
			spoil(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			tracetest.NoLeak(t, snap, secret)
			g := tracetest.Find(t, snap, "call_good")
			if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || !g.Can.Read || len(snap.Tasks) != 1 {
				t.Errorf("the good row: %s %v, of %d", g.Status, g.ExitCode, len(snap.Tasks))
			}
		})
	}
}

// read is what a console shows of a task.
func read(t *testing.T, x task.Task) string {
	t.Helper()
	b, err := os.ReadFile(x.Output.Path)
	tracetest.Must(t, err)
	var out []string
	for l := range strings.Lines(string(b)) {
		for _, row := range x.Decoder.Decode([]byte(strings.TrimRight(l, "\n")), 0) {
			out = append(out, row.Text)
		}
	}
	return strings.Join(out, "\n")
}

// TestOutput: of a command that ended all that it printed, once; of one that runs
// what the model was given.
func TestOutput(t *testing.T) {
	h := stage(t)
	h.Put(t, file, meta(thread)+start("call_good", "npm test", 1)+end("call_good", 3, "all of it\n")+start("call_open", "npm run dev", 2)+
		line("response_item", `{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":2,\"chars\":\"\"}","call_id":"call_poll"}`)+
		line("response_item", `{"type":"function_call_output","call_id":"call_poll","output":"Chunk ID: b\nProcess running with session ID 2\nOutput:\nlater words\n"}`))
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	if got := read(t, tracetest.Find(t, snap, "call_good")); got != "all of it" {
		t.Errorf("ended: %q", got)
	}
	if got := read(t, tracetest.Find(t, snap, "call_open")); got != "first words\nlater words" {
		t.Errorf("open: %q", got)
	}
}

// TestOldEnds: versions without a record of the end tell it when they are polled.
func TestOldEnds(t *testing.T) {
	h := stage(t)
	poll := line("response_item", `{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":9,\"chars\":\"\"}","call_id":"call_poll"}`)
	h.Put(t, file, meta(thread)+start("call_old", "make", 9)+poll+
		line("response_item", `{"type":"function_call_output","call_id":"call_poll","output":"Chunk ID: b\nProcess exited with code 2\nOutput:\nProcess exited with code 7\n"}`))
	if x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "call_old"); x.ExitCode == nil || *x.ExitCode != 2 {
		t.Errorf("polled: %s %v", x.Status, x.ExitCode)
	}
	h.Put(t, file, meta(thread)+start("call_old", "make", 9)+line("event_msg", `{"type":"exec_command_end","call_id":"call_old","process_id":"9","exit_code":4}`))
	if x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "call_old"); x.ExitCode == nil || *x.ExitCode != 4 {
		t.Errorf("with an event: %s %v", x.Status, x.ExitCode)
	}
}

// TestPrintedTrailers: what a command prints is never taken for a word of Codex.
func TestPrintedTrailers(t *testing.T) {
	h := stage(t)
	h.Put(t, file, meta(thread)+line("response_item", `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"cat notes\"}","call_id":"call_fg"}`)+
		line("response_item", `{"type":"function_call_output","call_id":"call_fg","output":"Chunk ID: a\nProcess exited with code 0\nOutput:\nProcess running with session ID 5\n"}`))
	for _, x := range tracetest.All(t, New(h.World, tracetest.NoProcs)).Tasks {
		t.Errorf("%s is listed: it was waited for", x.Native)
	}
}

// TestCodeMode: short commands of code mode are no tasks; one whose number the
// model was given is, however short.
func TestCodeMode(t *testing.T) {
	h := stage(t)
	item := func(id, number string, ms int64) string {
		now := time.Now().UnixMilli()
		return line("event_msg", fmt.Sprintf(`{"type":"item_completed","item":{"type":"CommandExecution","id":%q,"process_id":%q,"command":["/bin/bash","-lc","ls"],"status":"completed","exit_code":0},"started_at_ms":%d,"completed_at_ms":%d}`, id, number, now-ms, now))
	}
	h.Put(t, file, meta(thread)+item("exec-short", "10", 200)+item("exec-long", "11", 8000)+
		line("response_item", `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"{\"session_id\":12,\"output\":\"\"}"}]}`)+item("exec-handed", "12", 300))
	var got []string
	for _, x := range tracetest.All(t, New(h.World, tracetest.NoProcs)).Tasks {
		got = append(got, x.Native)
	}
	if strings.Join(got, " ") != "exec-long exec-handed" {
		t.Errorf("%q", got)
	}
}

// TestSteps: a sub-agent's rollout reads as steps (O4), and belongs to its parent.
func TestSteps(t *testing.T) {
	r := tracetest.Open(t, "testdata/subagent.txtar")
	snap := tracetest.All(t, New(r.World, r.Procs))
	x := tracetest.Find(t, snap, "01a22e34-4202-7e72-956a-762ad0bc6329")
	got := read(t, x)
	for _, w := range []string{"» Please run it (sub).", "▸ exec_command for i in", "Sub-agent: linted, no problems."} {
		if !strings.Contains(got, w) {
			t.Errorf("no step %q in\n%s", w, got)
		}
	}
	if x.Session != "codex:"+r.Session || x.Result != "Sub-agent: linted, no problems." || x.Title != "Planck" {
		t.Errorf("session %s, result %q, title %q", x.Session, x.Result, x.Title)
	}
}

// TestPlan: the plan that the agent wrote last (spec 4 T13).
func TestPlan(t *testing.T) {
	h := stage(t)
	h.Put(t, file, meta(thread)+line("response_item", `{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"one\",\"status\":\"completed\"},{\"step\":\"two\",\"status\":\"in_progress\"}]}","call_id":"c"}`))
	p := tracetest.All(t, New(h.World, tracetest.NoProcs)).Sessions[0].Plan
	if len(p.Entries) != 2 || p.Entries[0].Status != task.Completed || p.Entries[1].Subject != "two" {
		t.Errorf("%+v", p)
	}
}
