package claude

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// A5, K7: the order of trust, one case a kind of evidence.
func TestWhoIsBelieved(t *testing.T) {
	writing := func(s *stage) { s.process(50, 40, "node", []string{"node"}, devOut, "CLAUDE_PID=40") }
	cases := []struct {
		name   string
		output string
		more   []string
		with   func(s *stage)
		want   string
	}{
		{"a process writes", "x\n", nil, writing, "running by processes, claude:s"},
		{"a mark while a process writes", "x\n\n[exited with code 0]\n", nil, writing, "running by processes, claude:s"},
		{"a notification while a process writes", "x\n", []string{enqueued(5, notice("b1", "failed", "x failed with exit code 144"))}, writing, "failed by notification, claude:s, code 144"},
		{"a guess of a later client while a process writes", "x\n", []string{enqueued(5, notice("b1", "stopped", "x before the previous session ended"))}, writing, "running by processes, claude:s"},
		{"a guess of a later client", "x\n", []string{enqueued(5, notice("b1", "stopped", "x before the previous session ended"))}, nil, "lost by notification, claude:s"},
		{"a guess of a later client and a mark", "x\n\n[exited with code 3]\n", []string{enqueued(5, notice("b1", "stopped", "x before the previous session ended"))}, nil, "failed by end mark, claude:s, code 3"},
		{"the mark alone", "x\n\n[exited with code 0]\n", nil, nil, "succeeded by end mark, claude:s, code 0"},
		{"killed by the mark", "x\n\n[killed]\n", nil, nil, "cancelled by end mark, claude:s"},
		{"mark without a code", "x\n[process exited while detached; exit code unknown]\n", nil, nil, "lost by end mark, claude:s"},
		{"the code of the mark", "x\n\n[exited with code 0]\n", []string{enqueued(5, notice("b1", "completed", "x completed"))}, nil, "succeeded by notification, claude:s, code 0"},
		{"a mark that says otherwise", "x\n\n[exited with code 1]\n", []string{enqueued(5, notice("b1", "completed", "x completed"))}, nil, "succeeded by notification, claude:s"},
		{"nobody knows", "x\n", nil, nil, "lost by processes, claude:s"},
		{"a stop of the agent", "x\n", []string{answer(5, "t9", "x", `{"message":"Successfully stopped task: b1 (x)","task_id":"b1"}`), enqueued(6, notice("b1", "failed", "x failed with exit code 137"))}, nil, "cancelled by stop record, claude:s"},
	}
	for _, c := range cases {
		s := newStage(t)
		s.client(40, "s", "idle", "")
		s.process(40, 1, "claude", []string{"claude"}, "")
		s.output(devOut, c.output)
		s.transcript("s", append(devLines(), c.more...)...)
		if c.with != nil {
			c.with(s)
		}
		expect(t, c.name, said(s.scan(), "b1"), c.want)
	}
}

// A5: within the grace nothing is lost: the end may be written any moment.
func TestGrace(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	s.transcript("s", devLines()...)
	must(t, os.Chtimes(s.at(devOut), s.now.Add(-2*time.Second), s.now.Add(-2*time.Second)))
	expect(t, "just now", said(s.scan(), "b1"), "running by transcript, claude:s")
}

// A7: an agent that is gone while its task lives; K7: without processes,
// running is what the traces say.
func TestAgentGone(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(50, 1, "node", []string{"node"}, devOut, "CLAUDE_PID=40")
	s.output(devOut, "x\n")
	s.transcript("s", devLines()...)
	snap := s.scan()
	expect(t, "task", said(snap, "b1"), "running by processes, claude:s")
	expect(t, "session", sessionOf(snap, "s"), "ended gone")
	if snap.Sessions[0].PID != 0 {
		t.Error("a dead agent has no pid")
	}

	// The pid came back as another program: still gone.
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.client(40, "s", "shell", `,"procStart":"77"`)
	expect(t, "pid used again", sessionOf(s.scan(), "s"), "ended gone")

	clean := newStage(t) // it left in order: no file of it remains
	clean.process(50, 1, "node", []string{"node"}, devOut, "CLAUDE_PID=40")
	clean.output(devOut, "x\n")
	clean.transcript("s", devLines()...)
	expect(t, "no file of the client", sessionOf(clean.scan(), "s"), "ended gone")

	s.noPS = true
	snap = s.scan()
	expect(t, "no process table: task", said(snap, "b1"), "running by transcript, claude:s")
	expect(t, "no process table: session", sessionOf(snap, "s"), "background_only")
	if c := snap.Tasks[0].Can; c.Stop || c.WhyNot == "" {
		t.Errorf("%+v", c)
	}
}

// G5: a session that says it has background work of which nothing is found.
func TestUnreported(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	expect(t, "no transcript", sessionOf(s.scan(), "s"), "background_only unreported")
	s.client(40, "s", "shell", fmt.Sprintf(`,"statusUpdatedAt":%d`, s.now.Add(-time.Second).UnixMilli()))
	expect(t, "just said", sessionOf(s.scan(), "s"), "background_only")
}

// D4: the client's own notice that a task waits for input, until it goes on.
func TestWaiting(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "shell", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.process(50, 40, "node", []string{"node"}, devOut)
	s.output(devOut, "Continue? (y/n) ")
	s.transcript("s", append(devLines(), enqueued(45, "<task-notification>\n<task-id>b1</task-id>\n<summary>Background command \"D\" appears to be waiting for interactive input</summary>\n</task-notification>\nLast output:\nhello\nContinue? (y/n)\n\nThe command is likely blocked."))...)
	x := s.scan().Tasks[0]
	if x.Status != task.Running || x.Waiting != "waiting for input" || x.WaitingLine != "Continue? (y/n)" {
		t.Errorf("%s %q %q", x.Status, x.Waiting, x.WaitingLine)
	}
	must(t, os.Chtimes(s.at(devOut), s.now, s.now))
	if x := s.scan().Tasks[0]; x.Waiting != "" {
		t.Errorf("it went on: %q", x.Waiting)
	}
}

// G6: another pid namespace is not a dead process.
func TestOtherNamespace(t *testing.T) {
	if !otherNamespace("linux:00:pid:[4026531836]", "pid:[4026532000]") {
		t.Error("two namespaces")
	}
	for _, c := range [][2]string{{"linux:00:pid:[1]", "pid:[1]"}, {"linux:00:pid:[1]", ""}, {"", "pid:[1]"}, {"darwin:x", "pid:[1]"}} {
		if otherNamespace(c[0], c[1]) {
			t.Errorf("%v: nothing can be concluded", c)
		}
	}
	s := newStage(t)
	s.client(40, "s", "shell", `,"pidDomain":"linux:00:pid:[4026531836]"`)
	s.output(devOut, "x\n")
	s.transcript("s", devLines()...)
	src := s.source()
	src.namespace = "pid:[4026532000]"
	snap := scanned(t, src)
	expect(t, "task", said(snap, "b1"), "running by transcript, claude:s")
	expect(t, "session", sessionOf(snap, "s"), "background_only")
	if !strings.Contains(snap.Sessions[0].Trouble, "annot see its processes") || snap.Tasks[0].Can.Stop {
		t.Errorf("%+v %+v", snap.Sessions[0].Trouble, snap.Tasks[0].Can)
	}
}

// G6: what such a task says on a machine of one's own, in its words.
func TestUnseenProcesses(t *testing.T) {
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	must(t, err)
	v := view{s: &Source{w: w}, table: &proc.Table{}}
	shell := task.Task{Kind: task.Shell, Status: task.Running}
	if c := v.can(shell, sight{unseen: true}); c.Stop || !strings.HasPrefix(c.WhyNot, "Cannot see its processes") || !strings.Contains(c.WhyNot, "open offstage there") {
		t.Errorf("unseen: %+v", c)
	}
	if c := v.can(shell, sight{}); !c.Stop {
		t.Errorf("seen: %+v", c)
	}
}

// A12: finished sub-agents newest first, then what the session went on from;
// what runs and what is no agent is no card.
func TestCards(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	agent := func(id string, ago time.Duration) task.Task {
		return task.Task{ID: id, Title: id, Kind: task.Agent, Status: task.Failed, Ended: at.Add(-ago), Result: "result of " + id}
	}
	running, shell := agent("running", 0), agent("shell", 0)
	running.Status, shell.Kind = task.Running, task.Shell
	got := cards(task.Session{Continues: "claude:before"}, []task.Task{agent("old", time.Hour), running, agent("new", time.Minute), shell})
	if len(got) != 3 || got[0].Title != "new" || got[1].Title != "old" || !got[0].Failed || got[0].Text != "result of new" {
		t.Fatalf("%+v", got)
	}
	if got[2].Kind != "session" || got[2].Text != "claude:before" {
		t.Errorf("%+v", got[2])
	}
}

// After /clear a task belongs to the session that its client runs now, by the
// environment of its process, or by the only session that fits.
func TestClear(t *testing.T) {
	clear := rec(40, "user", `"message":{"content":"<command-name>/clear</command-name>"}`)
	for _, byProcess := range []bool{true, false} {
		s := newStage(t)
		s.client(40, "new", "shell", "")
		s.process(40, 1, "claude", []string{"claude"}, "")
		s.output(devOut, "x\n")
		s.transcript("s", append(devLines(), useTool(3, "t5", "Monitor", `{"command":"tail -f x","description":"Watch"}`),
			answer(4, "t5", "Monitor started", `{"taskId":"b5","timeoutMs":700000}`))...)
		s.process(51, 40, "bash", []string{"/bin/bash", "-c", "source x && eval 'tail -f x' < /dev/null && pwd"}, "")
		if byProcess {
			s.transcript("new", rec(41, "user", `"message":{"content":"hi"}`))
			s.process(50, 40, "node", []string{"node"}, devOut, "CLAUDE_PID=40")
		} else {
			s.transcript("new", clear)
			s.process(50, 40, "node", []string{"node"}, devOut)
		}
		snap := s.scan()
		expect(t, "shell", said(snap, "b1"), "running by processes, claude:new")
		expect(t, "monitor", said(snap, "b5"), "running by processes, claude:new")
		expect(t, "new session", sessionOf(snap, "new"), "background_only after claude:s")
		expect(t, "old session", sessionOf(snap, "s"), "ended")
	}
}

// A hand-over to a background session copies the transcript under a new id:
// one task, with the session that goes on.
func TestHandOver(t *testing.T) {
	s := newStage(t)
	s.client(41, "bg", "shell", `,"kind":"bg"`)
	s.process(41, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	s.transcript("s", append(devLines(), `{"type":"continued-in","sessionId":"s","continuedInSessionId":"bg"}`)...)
	s.transcript("bg", devLines()...)
	s.process(50, 1, "node", []string{"node"}, devOut)
	snap := s.scan()
	expect(t, "task", said(snap, "b1"), "running by processes, claude:bg")
	expect(t, "session", sessionOf(snap, "bg"), "background_only after claude:s")
	if len(snap.Tasks) != 1 {
		t.Errorf("%d tasks", len(snap.Tasks))
	}
}

// Clients without a session file: the newest transcript of their folder; a
// nested run and the client's helpers are none.
func TestUnregistered(t *testing.T) {
	s := newStage(t)
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.process(41, 1, "claude", []string{"claude", "daemon", "run"}, "")
	s.process(42, 40, "claude", []string{"claude", "-p", "x"}, "", "CLAUDECODE=1")
	old := s.transcript("old", rec(1, "user", `"message":{"content":"hi"}`))
	must(t, os.Chtimes(old, s.now.Add(-time.Hour), s.now.Add(-time.Hour)))
	s.transcript("s", rec(1, "user", `"message":{"content":"hi"}`))
	snap := s.scan()
	expect(t, "newest", sessionOf(snap, "s"), "running_turn")
	expect(t, "older", sessionOf(snap, "old"), "ended")
}

// A sub-agent's own shell is listed under it; its notification stands in the
// main transcript.
func TestShellOfASubAgent(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "busy", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	s.output(devOut, "x\n")
	main := s.transcript("s", useTool(1, "t2", "Agent", `{"description":"Look"}`),
		answer(2, "t2", "x", `{"isAsync":true,"status":"async_launched","agentId":"a1","description":"Look"}`),
		enqueued(9, notice("b1", "completed", "x completed (exit code 0)")),
		rec(9, "system", `"subtype":"turn_duration","pendingBackgroundAgentCount":1`))
	sub := strings.TrimSuffix(main, ".jsonl") + "/subagents/agent-a1"
	write(t, sub+".jsonl", []byte(strings.Join(devLines(), "\n")+"\n"))
	write(t, sub+".meta.json", []byte(`{"agentType":"x","description":"Look","toolUseId":"t2"}`))
	snap := s.scan()
	expect(t, "agent", said(snap, "a1"), "running by agent alive, claude:s")
	expect(t, "its shell", said(snap, "b1"), "succeeded by notification, claude:s, code 0, of claude:a1")
	expect(t, "session", sessionOf(snap, "s"), "background_only")
	for _, x := range snap.Tasks {
		if x.Native == "a1" && (x.Decoder == nil || x.ToolCalls != 1 || !strings.HasPrefix(x.Activity, "Bash npm run dev")) {
			t.Errorf("%+v", x)
		}
	}

	// The client died: the agent lived inside it.
	must(t, os.RemoveAll(s.at("proc/40")))
	expect(t, "agent without its client", said(s.scan(), "a1"), "lost by agent gone, claude:s")
	write(t, sub+".meta.json", []byte(`{"description":"Look","stoppedByUser":true}`))
	expect(t, "agent stopped by the person", said(s.scan(), "a1"), "cancelled by sub-agent record, claude:s")
	write(t, sub+".jsonl", []byte(`{"type":"assistant","timestamp":"2026-11-30T20:00:09Z","message":{"content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn"}}`+"\n"))
	write(t, sub+".meta.json", []byte(`{"description":"Look","finished":true}`))
	snap = s.scan()
	expect(t, "agent finished", said(snap, "a1"), "succeeded by sub-agent record, claude:s")
	if c := snap.Sessions[0].Cards; len(c) != 1 || c[0].Text != "Done." || c[0].Kind != "agent" {
		t.Errorf("the card of a finished agent (A12): %+v", c)
	}
}

// A workflow ends by its run record, or by its notification.
func TestWorkflow(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "busy", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	dir := "/home/dev/.claude/projects/-srv-app/s/subagents/workflows/wf_1"
	s.transcript("s", answer(2, "t", "x", `{"status":"async_launched","taskId":"w1","taskType":"local_workflow","workflowName":"lab","runId":"wf_1","summary":"Lab flow","transcriptDir":"`+dir+`"}`))
	write(t, s.at(dir+"/journal.jsonl"), []byte(`{"type":"launched"}`+"\n"+`{"type":"started","key":"v2:1","agentId":"a1","label":"one","phase":"Scan"}`+"\n"+`{"type":"result","key":"v2:1","agentId":"a1"}`+"\nhalf"))
	snap := s.scan()
	expect(t, "running", said(snap, "w1"), "running by agent alive, claude:s")
	expect(t, "activity", snap.Tasks[0].Activity, "Scan: one · 1 of 1 agents done")
	write(t, s.at("/home/dev/.claude/projects/-srv-app/s/workflows/wf_1.json"), []byte(`{"status":"completed","summary":"all good"}`))
	expect(t, "ended", said(s.scan(), "w1"), "succeeded by run record, claude:s")
}

// A monitor that outlived its limit without a word is not running.
func TestMonitorPastItsLimit(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "idle", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	lines := []string{useTool(1, "t", "Monitor", `{"description":"Socket","ws":{"url":"ws://x"}}`), answer(2, "t", "Monitor started", `{"taskId":"b5","timeoutMs":60000}`)}
	s.transcript("s", lines...)
	expect(t, "within", said(s.scan(), "b5"), "running by agent alive, claude:s")
	s.now = s.now.Add(time.Hour)
	expect(t, "past", said(s.scan(), "b5"), "lost by processes, claude:s")
	s.output("/tmp/claude-1000/-srv-app/s/tasks/b5.output", "x\n\n[killed]\n")
	expect(t, "with its mark", said(s.scan(), "b5"), "timed_out by end mark, claude:s")
}

// A resumed session does not take over what lived inside its old client, and a
// sub-agent that waits for its own work has not finished.
func TestAgentsAcrossClients(t *testing.T) {
	s := newStage(t)
	s.client(40, "s", "idle", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	lines := []string{answer(2, "t2", "x", `{"isAsync":true,"status":"async_launched","agentId":"a1","description":"Look"}`)}
	main := s.transcript("s", lines...)
	expect(t, "in its client", said(s.scan(), "a1"), "running by agent alive, claude:s")
	s.client(40, "s", "idle", fmt.Sprintf(`,"startedAt":%d`, s.now.Add(-20*time.Second).UnixMilli()))
	expect(t, "after a resume", said(s.scan(), "a1"), "lost by agent gone, claude:s")

	s.client(40, "s", "busy", "")
	sub := strings.TrimSuffix(main, ".jsonl") + "/subagents/agent-a1"
	write(t, sub+".jsonl", []byte(`{"type":"assistant","timestamp":"2026-11-30T20:00:09Z","message":{"content":[{"type":"text","text":"Waiting."}],"stop_reason":"end_turn"}}`+"\n"))
	write(t, sub+".meta.json", []byte(`{"description":"Look","finished":true}`))
	s.transcript("s", append(lines, enqueued(9, notice("a1", "completed", `Agent "Look" is waiting on its own background work`)))...)
	expect(t, "waiting for its own work", said(s.scan(), "a1"), "running by agent alive, claude:s")
	s.transcript("s", append(lines, enqueued(9, notice("a1", "completed", "finished")), answer(50, "t3", "{}", `{"resumedAgentId":"a1"}`))...)
	old := s.now.Add(-30 * time.Second)
	must(t, os.Chtimes(sub+".meta.json", old, old))
	expect(t, "runs again, old meta", said(s.scan(), "a1"), "running by agent alive, claude:s")
}
