package claude

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// rec is one record of session "s" at second sec of a minute.
func rec(sec int, typ, rest string) string {
	return fmt.Sprintf(`{"type":%q,"sessionId":"s","timestamp":"2026-11-30T20:00:%02dZ","version":"2.1.332","cwd":"/srv/app",%s}`, typ, sec, rest)
}

func useTool(sec int, id, name, input string) string {
	return rec(sec, "assistant", fmt.Sprintf(`"message":{"content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}],"stop_reason":"tool_use"}`, id, name, input))
}

func answer(sec int, id, text, result string) string {
	if result != "" {
		result = `,"toolUseResult":` + result
	}
	return rec(sec, "user", fmt.Sprintf(`"message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}%s`, id, text, result))
}

func enqueued(sec int, xml string) string {
	return rec(sec, "queue-operation", fmt.Sprintf(`"operation":"enqueue","content":%q`, xml))
}

func notice(id, status, summary string) string {
	return "<task-notification>\n<task-id>" + id + "</task-id>\n<status>" + status + "</status>\n<summary>" + summary + "</summary>\n</task-notification>"
}

var devServer = []string{
	useTool(1, "t1", "Bash", `{"command":"npm run dev","description":"Dev server","run_in_background":true}`),
	answer(2, "t1", "Command running in background with ID: b1. Output is being written to: /tmp/x/tasks/b1.output.", `{"backgroundTaskId":"b1"}`),
}

// merged folds lines as one transcript.
func merged(lines ...string) []*work {
	x := newExtract("s", false)
	off := int64(0)
	for _, l := range lines {
		x.line([]byte(l), off, x.open)
		off += int64(len(l)) + 1
	}
	var events []seen
	for _, e := range x.events {
		events = append(events, seen{event: e, from: origin{session: "s"}})
	}
	return merge(events)
}

// summaryOf is a work in a few words: kind, title, run and what its best
// report says.
func summaryOf(works []*work) string {
	var out []string
	for _, w := range works {
		s := fmt.Sprintf("%s %s %q", w.id, w.launch.kind, title(w.launch))
		if w.run > 1 {
			s += fmt.Sprintf(" run %d", w.run)
		}
		if e, ok := w.best(); ok {
			s += " " + string(e.status)
			if e.code != nil {
				s += fmt.Sprintf(" %d", *e.code)
			}
			s += " by " + e.source
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

type eventCase struct {
	name  string
	lines []string
	want  string
}

// eventCases are the forms that clients of all versions have written.
func eventCases() []eventCase {
	dev := func(more ...string) []string { return append(append([]string{}, devServer...), more...) }
	agent := []string{
		useTool(1, "t2", "Agent", `{"description":"Look","prompt":"p"}`),
		answer(2, "t2", "Async agent launched successfully.", `{"isAsync":true,"status":"async_launched","agentId":"a1","description":"Look","outputFile":"/tmp/x/tasks/a1.output"}`),
	}
	withAgent := func(more ...string) []string { return append(append([]string{}, agent...), more...) }
	return []eventCase{
		{"launch", dev(), `b1 shell "Dev server"`},
		{"first version, text only", []string{useTool(1, "t", "Bash", `{"command":"x"}`), answer(2, "t", "Command running in background with ID: bash_1", "")}, `bash_1 shell "x"`},
		{"ctrl+b", []string{useTool(1, "t", "Bash", `{"command":"x"}`), answer(2, "t", "Command was manually backgrounded by user with ID: b2.", `{"backgroundTaskId":"b2","backgroundedByUser":true}`)}, `b2 shell "x"`},
		{"timeout, text only", []string{useTool(1, "t", "Bash", `{"command":"x"}`), answer(9, "t", "out\nCommand did not complete within its 4s timeout and was moved to the background (ID: b3). Output is being written to: /t/b3.output.", "")}, `b3 shell "x"`},
		{"typed by the person", []string{rec(1, "user", `"message":{"content":"<bash-stdout>Command running in background with ID: b4. Output is being written to: /t/b4.output</bash-stdout>"}`)}, `b4 shell "Shell"`},
		{"monitor", []string{useTool(1, "t", "Monitor", `{"command":"tail -f x","description":"Watch"}`), answer(2, "t", "Monitor started", `{"taskId":"b5","timeoutMs":7000}`)}, `b5 monitor "Watch"`},
		{"same members from another tool", []string{useTool(1, "t", "TaskOutput", `{"task_id":"b9"}`), answer(2, "t", "x", `{"taskId":"b9","timeoutMs":7000}`)}, ``},
		{"workflow", []string{useTool(1, "t", "Workflow", `{"script":"x"}`), answer(2, "t", "x", `{"status":"async_launched","taskId":"w1","taskType":"local_workflow","workflowName":"lab","summary":"Lab flow"}`)}, `w1 workflow "Lab flow"`},
		{"workflow that never started", []string{answer(2, "t", "x", `{"status":"async_launched","taskId":"w1","taskType":"local_workflow","error":"syntax"}`)}, ``},
		{"tool of a server", []string{useTool(1, "t", "mcp__ci__wait", `{}`), answer(2, "t", `MCP tool "ci/wait" is still running after 120s. It was moved to the background as task k1 and keeps running;`, `[{"type":"text","text":"x"}]`)}, `k1 mcp "mcp__ci__wait"`},
		{"remote", []string{useTool(1, "t", "Agent", `{"description":"Far"}`), answer(2, "t", "x", `{"status":"remote_launched","taskId":"r1","sessionUrl":"https://x"}`)}, `r1 remote "Far"`},
		{"after a compaction", []string{rec(3, "attachment", `"attachment":{"type":"task_status","taskId":"b6","taskType":"local_bash","description":"Dev","status":"running","outputFilePath":"/t/b6.output","shell":{"command":"x","toolUseId":"t"}}`)}, `b6 shell "Dev"`},
		{"compaction of a known one", dev(rec(3, "attachment", `"attachment":{"type":"task_status","taskId":"b1","taskType":"local_bash","description":"Other","status":"running"}`)), `b1 shell "Dev server"`},
		{"failed call", []string{useTool(1, "t", "Bash", `{"command":"x"}`), rec(2, "user", `"message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Command running in background with ID: b7"}]},"toolUseResult":"Error"`)}, ``},

		{"completed", dev(enqueued(3, notice("b1", "completed", "Background command &quot;D&quot; completed (exit code 0)"))), `b1 shell "Dev server" succeeded 0 by notification`},
		{"failed", dev(enqueued(3, notice("b1", "failed", `Background command "exit code 7" failed with exit code 3`))), `b1 shell "Dev server" failed 3 by notification`},
		{"completed with a bad code", dev(enqueued(3, notice("b1", "completed", "x completed (exit code 2)"))), `b1 shell "Dev server" failed 2 by notification`},
		{"detached", dev(enqueued(3, notice("b1", "completed", "x completed (exit code -1)"))), `b1 shell "Dev server" lost by notification`},
		{"killed", dev(enqueued(3, notice("b1", "killed", "was stopped"))), `b1 shell "Dev server" cancelled by notification`},
		{"no status is no end", dev(enqueued(3, "<task-notification><task-id>b1</task-id><summary>appears to be waiting for interactive input</summary></task-notification>\nLast output:\n(y/n)")), `b1 shell "Dev server"`},
		{"unknown status word", dev(enqueued(3, notice("b1", "paused", "x"))), `b1 shell "Dev server"`},
		{"end before launch", []string{enqueued(1, notice("b1", "completed", "x completed (exit code 0)")), devServer[0], devServer[1]}, `b1 shell "Dev server" succeeded 0 by notification`},
		{"delivered in a turn of its own", dev(rec(3, "user", `"origin":{"kind":"task-notification"},"message":{"content":"`+strings.ReplaceAll(notice("b1", "failed", "x failed with exit code 1"), "\n", `\n`)+`"}`)), `b1 shell "Dev server" failed 1 by notification`},
		{"delivered in a turn, 2.0", dev(rec(3, "user", `"message":{"content":"<bash-notification>\n<shell-id>b1</shell-id>\n<status>failed</status>\n<summary>x failed with exit code 143.</summary>\n</bash-notification>"}`)), `b1 shell "Dev server" failed 143 by notification`},
		{"delivered amid a turn", dev(rec(3, "attachment", `"attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"`+strings.ReplaceAll(notice("b1", "completed", "x completed (exit code 0)"), "\n", `\n`)+`"}`)), `b1 shell "Dev server" succeeded 0 by notification`},
		{"wrapped in a reminder", dev(rec(3, "user", `"origin":{"kind":"task-notification"},"message":{"content":[{"type":"text","text":"<system-reminder>\nnote\n`+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`\n</system-reminder>"}]}`)), `b1 shell "Dev server" cancelled by notification`},
		{"removal counts for nothing", dev(rec(3, "queue-operation", `"operation":"remove","content":"`+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`"`)), `b1 shell "Dev server"`},
		{"quoted by a tool result", dev(answer(3, "t9", notice("b1", "killed", "x"), `{"stdout":"x"}`)), `b1 shell "Dev server"`},
		{"quoted by the agent", dev(rec(3, "assistant", `"message":{"content":[{"type":"text","text":"`+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`"}]}`)), `b1 shell "Dev server"`},
		{"quoted by the person", dev(rec(3, "user", `"origin":{"kind":"human"},"message":{"content":"`+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`"}`)), `b1 shell "Dev server"`},
		{"asked by the person", dev(enqueued(3, "what is "+notice("b1", "killed", "x")+"?")), `b1 shell "Dev server"`},
		{"swallowed by a hook", dev(rec(3, "system", `"subtype":"informational","content":"blocked by hook: no\nOriginal prompt: `+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`"`)), `b1 shell "Dev server"`},
		{"summary of a compaction", dev(rec(3, "user", `"isCompactSummary":true,"message":{"content":"`+strings.ReplaceAll(notice("b1", "killed", "x"), "\n", `\n`)+`"}`)), `b1 shell "Dev server"`},
		{"copied from another session", dev(strings.Replace(enqueued(3, notice("b1", "killed", "x")), `"sessionId":"s"`, `"sessionId":"old"`, 1)), `b1 shell "Dev server"`},
		{"two in one record", append(dev(withAgent()...), enqueued(4, notice("b1", "completed", "x (exit code 0)")+"\n"+notice("a1", "completed", "Agent finished"))), `b1 shell "Dev server" succeeded 0 by notification; a1 agent "Look" succeeded by notification`},

		{"stopped by the agent", dev(useTool(3, "t3", "TaskStop", `{"task_id":"b1"}`), answer(4, "t3", "{}", `{"message":"Successfully stopped task: b1 (npm run dev)","task_id":"b1","task_type":"local_bash"}`)), `b1 shell "Dev server" cancelled by stop record`},
		{"stopped, then reported as failed (2.0)", dev(enqueued(3, notice("b1", "failed", "failed with exit code 137")), useTool(3, "t3", "KillShell", `{"shell_id":"b1"}`), answer(4, "t3", "{}", `{"message":"Successfully killed shell: b1 (x)","shell_id":"b1"}`)), `b1 shell "Dev server" cancelled by stop record`},
		{"found no end after a resume", dev(enqueued(9, notice("b1", "stopped", "Background shell command didn't finish before the previous session ended"))), `b1 shell "Dev server" lost by notification`},
		{"stopped, then not found after a resume", dev(enqueued(3, notice("b1", "killed", "was stopped")), enqueued(9, notice("b1", "stopped", "Background shell command didn't finish before the previous session ended"))), `b1 shell "Dev server" cancelled by notification`},
		{"collapsed report", dev(enqueued(9, "<task-notification><task-id>__orphan_summary__:shell</task-id><task-id>b1</task-id><status>stopped</status><summary>2 commands didn't finish before the previous session ended</summary></task-notification>")), `b1 shell "Dev server" lost by notification`},
		{"collapsed report of one that lives", dev(enqueued(9, "<task-notification><task-id>b1</task-id><task-id>__orphan_summary_live__:b1</task-id><status>stopped</status><summary>x before the previous session ended</summary></task-notification>")), `b1 shell "Dev server"`},
		{"read by the agent", dev(useTool(3, "t3", "TaskOutput", `{"task_id":"b1"}`), answer(4, "t3", "<retrieval_status>success</retrieval_status>\n<task_id>b1</task_id>\n<status>completed</status>\n<exit_code>4</exit_code>", "")), `b1 shell "Dev server" failed 4 by task output tool`},
		{"read while it runs", dev(useTool(3, "t3", "TaskOutput", `{"task_id":"b1"}`), answer(4, "t3", "<retrieval_status>timeout</retrieval_status>\n<task_id>b1</task_id>\n<status>running</status>", "")), `b1 shell "Dev server"`},

		{"monitor expired", []string{useTool(1, "t", "Monitor", `{"command":"x","description":"Watch"}`), answer(2, "t", "Monitor started", `{"taskId":"b5","timeoutMs":7000}`), enqueued(9, `<task-notification><task-id>b5</task-id><summary>Monitor event: "Watch"</summary><event>[Monitor expired after 7s with no events delivered.]</event></task-notification>`)}, `b5 monitor "Watch" timed_out by notification`},
		{"monitor's script failed", []string{useTool(1, "t", "Monitor", `{"command":"x","description":"Watch"}`), answer(2, "t", "Monitor started", `{"taskId":"b5","timeoutMs":7000}`), enqueued(3, notice("b5", "failed", `Monitor "Watch" script failed (exit 144)`))}, `b5 monitor "Watch" failed 144 by notification`},

		{"agent waits for its own work", withAgent(enqueued(3, notice("a1", "completed", `Agent "Look" is waiting on its own background work`))), `a1 agent "Look"`},
		{"agent runs again", withAgent(enqueued(3, notice("a1", "completed", "finished")), useTool(4, "t4", "SendMessage", `{"to":"a1"}`), answer(5, "t4", "{}", `{"success":true,"resumedAgentId":"a1","revivedAgentId":"a1"}`)), `a1 agent "Look" run 2`},
		{"agent ends again", withAgent(enqueued(3, notice("a1", "completed", "finished")), answer(5, "t4", "{}", `{"success":true,"resumedAgentId":"a1"}`), enqueued(7, notice("a1", "failed", "failed: x"))), `a1 agent "Look" run 2 failed by notification`},
		{"late delivery of the first end", withAgent(enqueued(3, notice("a1", "completed", "finished")), answer(5, "t4", "{}", `{"success":true,"resumedAgentId":"a1"}`), rec(6, "user", `"origin":{"kind":"task-notification"},"message":{"content":"`+strings.ReplaceAll(notice("a1", "completed", "finished"), "\n", `\n`)+`"}`)), `a1 agent "Look" run 2`},
		{"all agents killed", withAgent(rec(4, "system", `"subtype":"agents_killed"`)), `a1 agent "Look" cancelled by transcript`},
		{"agents killed after its end", withAgent(enqueued(3, notice("a1", "completed", "finished")), rec(4, "system", `"subtype":"agents_killed"`)), `a1 agent "Look" succeeded by notification`},
		{"agent killed by name", withAgent(enqueued(4, `Background agent "Look" was stopped by the user.`)), `a1 agent "Look" cancelled by transcript`},
		{"other agent killed by name", withAgent(enqueued(4, `Background agent "Other" was stopped by the user.`)), `a1 agent "Look"`},

		{"unknown records", dev(`{"type":"hologram","x":1}`, `{"type":"system","subtype":"new"}`, `{"type":"user"}`, `{"type":"user","message":null}`, `{"type":"assistant","message":{"content":7}}`, `null`, `[]`, ``, `{"type":7}`), `b1 shell "Dev server"`},
		{"half a line", dev(`{"type":"queue-operation","operation":"enqueue","content":"<task-notification><task-id>b1</task-id><status>kil`), `b1 shell "Dev server"`},
	}
}

// L1–L3, K7: what records say, one case a form that clients have written.
func TestEvents(t *testing.T) {
	cases := eventCases()
	for _, c := range cases {
		if got := summaryOf(merged(c.lines...)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// L4: a launch that is seen twice, in a copy, changes nothing.
func TestLaunchedTwice(t *testing.T) {
	w := merged(append(append([]string{}, devServer...), devServer...)...)
	if len(w) != 1 || w[0].run != 1 || !w[0].launched.Equal(time.Date(2026, 11, 30, 20, 0, 2, 0, time.UTC)) {
		t.Errorf("%s %+v", summaryOf(w), w[0])
	}
}

// A5: the end mark counts as the last line of the file only.
func TestEndMark(t *testing.T) {
	for text, want := range map[string]endMark{
		"x\n\n[exited with code 0]\n":      {set: true},
		"x\n[exited with code 3]\n":        {set: true, code: 3},
		"x\r\n[exited with code 3]\r\n":    {set: true, code: 3},
		"[exited with code -1]\n":          {set: true, code: -1, unknown: true},
		"x\n\n[killed]\n":                  {set: true, killed: true},
		"[killed]\nmore\n":                 {},
		"say [killed]\n":                   {},
		"[exited with code 0]":             {},
		"[exited with code 99999999999]\n": {},
		"":                                 {},
		"\n\n":                             {},
		"[process exited while detached; exit code unknown]\n": {set: true, unknown: true},
	} {
		if got := readMark([]byte(text)); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	if got := readMark(append(bytes.Repeat([]byte("x"), markTail-9), "[killed]\n"...)); got.set {
		t.Error("the end of a long line is no mark")
	}
}

// Reading from the end backwards gives what reading forwards gives, wherever
// the pieces are cut.
func TestReadingBackwards(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	launch := strings.Join(devServer, "\n") + "\n" + enqueued(3, notice("b1", "failed", "x failed with exit code 3")) + "\n" +
		useTool(4, "p1", "TaskCreate", `{"subject":"a"}`) + "\n" + answer(5, "p1", "x", `{"task":{"id":"1"}}`) + "\n"
	text := longTranscript("s", 3<<20, launch)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	want := newReader(file, filepath.Dir(file), "s", false)
	whole, _, err := want.open()
	must(t, err)
	want.lines(whole, 0, int64(len(text)), want.x.open)
	must(t, whole.Close())
	for _, step := range []int64{1, 3000, 100_000, 1 << 20} {
		r := newReader(file, filepath.Dir(file), "s", false)
		r.read(0)
		if r.low == 0 {
			t.Fatal("the first look should be at the end only")
		}
		f, err := os.Open(file)
		must(t, err)
		for r.low > 0 {
			r.backward(f, step)
		}
		must(t, f.Close())
		if got := summaryOf(mergeReader(r)); got != `b1 shell "Dev server" failed 3 by notification` || got != summaryOf(mergeReader(want)) {
			t.Errorf("step %d: %s, forwards %s", step, got, summaryOf(mergeReader(want)))
		}
		plans := r.x.ordered(planned)
		if len(plans) != 1 || plans[0].plan.name != "TaskCreate" {
			t.Errorf("step %d: %d plan calls", step, len(plans))
		}
		if r.x.lines != want.x.lines {
			t.Errorf("step %d: %d lines, forwards %d", step, r.x.lines, want.x.lines)
		}
	}
}

func mergeReader(r *reader) []*work {
	var events []seen
	for _, e := range r.x.events {
		events = append(events, seen{event: e, from: origin{session: "s"}})
	}
	return merge(events)
}

// Whatever the lines are, folding them ends and keeps its bounds.
func FuzzRecords(f *testing.F) {
	for _, l := range devServer {
		f.Add([]byte(l + "\n" + enqueued(3, notice("b1", "failed", "x failed with exit code 3"))))
	}
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]},"toolUseResult":{"taskId":"b","timeoutMs":-1}}`))
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"","name":"TodoWrite","input":null}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		x := newExtract("s", false)
		for i, l := range bytes.Split(text, []byte("\n")) {
			x.line(l, int64(i), x.open)
		}
		for _, e := range x.events {
			if e.kind == launched && e.launch != nil && len(e.ids) == 0 {
				t.Fatal("a launch without an id")
			}
		}
		var events []seen
		for _, e := range x.events {
			events = append(events, seen{event: e, from: origin{session: "s"}})
		}
		for _, w := range merge(events) {
			if e, ok := w.best(); ok && !e.status.Ended() && e.status != task.Status("") {
				t.Fatalf("an end that is none: %s", e.status)
			}
		}
	})
}
