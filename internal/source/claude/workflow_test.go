package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// tree is a workflow as a test reads it: a phase in brackets, then its agents.
func tree(w *task.WorkflowTree, most int) string {
	if w == nil {
		return "none"
	}
	var b strings.Builder
	for i := -1; i < len(w.Phases); i++ {
		if i >= 0 {
			fmt.Fprintf(&b, "[%s] ", w.Phases[i])
		}
		n := 0
		for _, a := range w.Agents {
			if a.Phase == i {
				if n++; n <= most {
					fmt.Fprintf(&b, "%s%s ", task.AgentGlyph(a.Status), task.AgentLabel(a))
				}
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func workflowIn(t *testing.T, snap task.Snapshot, id string) task.Task {
	t.Helper()
	for _, x := range snap.Tasks {
		if x.Native == id {
			return x
		}
	}
	t.Fatalf("no task %s", id)
	return task.Task{}
}

// A9: the tree of every recorded workflow of the real client, on the way and at
// its end.
func TestWorkflowTrees(t *testing.T) {
	for _, c := range []struct {
		recording, id, tree, log string
		total                    int
		tokens                   int64
		calls                    int
		settled                  bool
	}{
		{"workflow-running", "wyyucn5ll", "[Scan] ✓scan:one ✓scan:two [Check] ◐check", "", 3, 7860, 4, false},
		{"workflow-120-running", "wfi1clvva", "[Scan] ✓scan:module-1 ✓scan:module-2 ✓scan:module-3 [Check] ✓check:module-1 ✓check:module-2 ✓check:module-3",
			"", 112, 275960, 84, false},
		{"workflow-120-ended", "wfi1clvva", "[Scan] ✓scan:module-1 ✓scan:module-2 ✓scan:module-3 [Check] ✓check:module-1 ✓check:module-2 ✓check:module-3 [Sum up] ✓sum",
			"finding 3|finding 4|finding 5|finding 6|one sum", 120, 296036, 103, true},
		{"workflow-killed", "wihrhoqxf", "[Scan] ✓scan:a", "about to break", 1, 2481, 0, true},
		{"workflow-killed", "w2sib8yjw", "[Scan] ✓slow:1 ✗slow:2 ✗slow:3 [Check]", "slow", 5, 7443, 2, true},
		{"workflow-resumed", "wd4pe2dpz", "[Scan] ✓slow:1 ◐slow:2 ◐slow:3", "", 3, 7620, 2, false},
	} {
		t.Run(c.recording+" "+c.id, func(t *testing.T) {
			root, want := lay(t, c.recording)
			x := workflowIn(t, scanned(t, recorded(t, root, want.Now, Options{Deep: true})), c.id)
			w := x.Workflow
			if got := tree(w, 3); got != c.tree {
				t.Errorf("tree\n got %s\nwant %s", got, c.tree)
			}
			if w == nil {
				return
			}
			if w.Total != c.total || w.Tokens != c.tokens || w.Settled != c.settled || strings.Join(w.Log, "|") != c.log || c.calls > 0 && w.ToolCalls != c.calls {
				t.Errorf("total %d, tokens %d, calls %d, settled %v, log %q", w.Total, w.Tokens, w.ToolCalls, w.Settled, w.Log)
			}
			for _, a := range w.Agents {
				if a.ID != "" && (a.Model != "claude-opus-5-5" || a.Started.IsZero() || a.Transcript == "") {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// A workflow that was resumed goes on in the journal of the first run: agents
// that the first left unfinished are not its own, and the first has no tree of it.
func TestResumedWorkflow(t *testing.T) {
	root, want := lay(t, "workflow-resumed")
	snap := scanned(t, recorded(t, root, want.Now, Options{Deep: true}))
	for _, a := range workflowIn(t, snap, "wd4pe2dpz").Workflow.Agents {
		if a.Attempt > 1 {
			t.Errorf("%s: what a resumed run does again is no retry", a.Label)
		}
	}
	first := workflowIn(t, snap, "w2sib8yjw")
	expect(t, "the first run", tree(first.Workflow, 9), "[Scan] ✓slow:1 ✗slow:2 ✗slow:3 ○slow:4 ○slow:5 [Check]")
	// The record is written anew at the end of the second run.
	record, err := filepath.Glob(root + "/home/dev/.claude/projects/-srv-app/*/workflows/wf_00b57040-1c6.json")
	if err != nil || len(record) != 1 {
		t.Fatal(record, err)
	}
	b, err := os.ReadFile(record[0])
	must(t, err)
	must(t, os.WriteFile(record[0], []byte(strings.ReplaceAll(string(b), "w2sib8yjw", "wd4pe2dpz")), 0o600))
	snap = scanned(t, recorded(t, root, want.Now, Options{Deep: true}))
	expect(t, "the first run, its record gone", tree(workflowIn(t, snap, "w2sib8yjw").Workflow, 9), "none")
}

// flow is a stage with a client that runs workflow w1 in the folder that it gives.
func flow(t *testing.T) (*stage, string) {
	t.Helper()
	s := newStage(t)
	s.client(40, "s", "busy", "")
	s.process(40, 1, "claude", []string{"claude"}, "")
	dir := "/home/dev/.claude/projects/-srv-app/s/subagents/workflows/wf_1"
	s.transcript("s", answer(2, "t", "x", `{"status":"async_launched","taskId":"w1","taskType":"local_workflow","workflowName":"lab","runId":"wf_1","summary":"Lab flow","transcriptDir":"`+dir+`"}`))
	must(t, os.MkdirAll(s.at(dir), 0o755))
	return s, dir
}

func started(i int, id string) string {
	return fmt.Sprintf(`{"type":"started","key":"v2:%d","agentId":%q,"label":"look:%d","phase":"Scan"}`+"\n", i, id, i)
}

// A retry within one run is told as such: the same call was started twice, both
// times after the launch.
func TestWorkflowAttempt(t *testing.T) {
	s, dir := flow(t)
	write(t, s.at(dir+"/journal.jsonl"), []byte(started(1, "a1")+started(1, "a2")+started(2, "a3")+started(3, "a4")))
	for i, id := range []string{"a1", "a2", "a3"} {
		write(t, s.at(dir+"/agent-"+id+".jsonl"), []byte(fmt.Sprintf(
			`{"type":"assistant","timestamp":"2026-11-30T20:00:1%dZ","message":{"model":"m","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":100,"output_tokens":5}}}`, i)+"\n"))
	}
	// One that an earlier run of the same folder left unfinished is not of this one.
	write(t, s.at(dir+"/agent-a4.jsonl"), []byte(`{"type":"assistant","timestamp":"2026-11-30T19:58:00Z","message":{"model":"m","content":[]}}`+"\n"))
	w := workflowIn(t, s.scan(), "w1").Workflow
	if len(w.Agents) != 2 || w.Agents[0].Attempt != 2 || w.Agents[0].ID != "a2" || w.Agents[1].Attempt != 0 {
		t.Fatalf("%+v", w.Agents)
	}
	expect(t, "its line", task.AgentWords(w.Agents[0], s.now)+" · "+task.AgentNow(w.Agents[0]), "m · 105 tok · 1 tool call · 49s · attempt 2 · Bash ls")
}

// What dies with its client did not end well and is not said to run.
func TestWorkflowOfDeadClient(t *testing.T) {
	s, dir := flow(t)
	write(t, s.at(dir+"/journal.jsonl"), []byte(started(1, "a1")+`{"type":"failed","key":"v2:1","agentId":"a1"}`+"\n"+started(2, "a2")))
	expect(t, "alive", tree(workflowIn(t, s.scan(), "w1").Workflow, 9), "[Scan] ✗look:1 ◐look:2")
	must(t, os.RemoveAll(s.at("proc/40")))
	expect(t, "dead", tree(workflowIn(t, s.scan(), "w1").Workflow, 9), "[Scan] ✗look:1 ?look:2")
}

// Broken, hostile and huge journals and records cost detail, nothing else.
func TestHostileWorkflows(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for name, c := range map[string]struct{ journal, record, tree string }{
		"half-written line":     {started(1, "a1") + `{"type":"started","key":"v2:2","ag`, "", "[Scan] ◐look:1"},
		"long results":          {started(1, "a1") + `{"type":"result","key":"v2:1","agentId":"a1","result":"` + long + `"}` + "\n" + started(2, "a2"), "", "[Scan] ✓look:1 ◐look:2"},
		"no JSON":               {"\x00\xff{}[]\n\n" + started(1, "a1") + "[1,2]\n{\"type\":7}\n", "", "[Scan] ◐look:1"},
		"ids as paths":          {started(1, "../../../../etc/passwd") + started(2, "a2"), "", "[Scan] ◐look:2"},
		"half a record":         {started(1, "a1"), `{"taskId":"w1","status":"completed","workflowProgress":[{"type":"workflow_ag`, "[Scan] ◐look:1"},
		"a record of odd types": {started(1, "a1"), `{"taskId":"w1","status":"completed","agentCount":"many","logs":[1,"x"],"phases":7,"workflowProgress":[{"type":"workflow_phase","index":"1","title":"Scan"},{"type":"workflow_agent","index":1,"label":["y"],"state":"done","durationMs":1e300,"tokens":-5,"startedAt":-1}]}`, "[Scan] ✓agent"},
		"phases without end":    {"", `{"taskId":"w1","status":"failed","workflowProgress":[` + strings.Repeat(`{"type":"workflow_phase","index":1,"title":"P"},`, 5000) + `{"type":"workflow_agent","index":1,"phaseIndex":99,"state":"error"}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := flow(t)
			write(t, s.at(dir+"/journal.jsonl"), []byte(c.journal))
			if c.record != "" {
				write(t, s.at("/home/dev/.claude/projects/-srv-app/s/workflows/wf_1.json"), []byte(c.record))
			}
			w := workflowIn(t, s.scan(), "w1").Workflow
			if c.tree != "" && tree(w, 9) != c.tree {
				t.Errorf("got %s, want %s", tree(w, 9), c.tree)
			}
			if w != nil && len(w.Phases) > maxPhases {
				t.Errorf("%d phases", len(w.Phases))
			}
			for _, a := range w.Agents {
				if a.Tokens < 0 || a.Ran < 0 || strings.Contains(a.Transcript, "passwd") || len(a.Label) > flowText+3 {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// Ten thousand agents and a journal of 200 MB: bounded in what is kept, read once,
// and the rest of the program goes on meanwhile.
func TestWorkflowOfManyAgents(t *testing.T) {
	s, dir := flow(t)
	f, err := os.Create(s.at(dir + "/journal.jsonl"))
	must(t, err)
	result := strings.Repeat("r", 20_000)
	for i := range 11_000 {
		id := "a" + strconv.Itoa(i)
		_, err = f.WriteString(started(i, id))
		must(t, err)
		if i%100 != 0 {
			_, err = f.WriteString(`{"type":"result","key":"v2:` + strconv.Itoa(i) + `","agentId":"` + id + `","result":"` + result + "\"}\n")
			must(t, err)
		}
	}
	must(t, f.Close())
	src := s.source()
	rounds, longest := 0, time.Duration(0)
	snap := scanned(t, src)
	for src.Pending() && rounds < 100 {
		began := time.Now()
		snap = scanned(t, src)
		rounds, longest = rounds+1, max(longest, time.Since(began))
	}
	w := workflowIn(t, snap, "w1").Workflow
	if w.Total != 11_000 || len(w.Agents) != task.MaxWorkflowAgents {
		t.Errorf("%d agents, %d kept", w.Total, len(w.Agents))
	}
	if rounds < 10 || longest > 3*time.Second {
		t.Errorf("read in %d rounds, the longest %v", rounds, longest)
	}
	again := scanned(t, src)
	if workflowIn(t, again, "w1").Workflow != w {
		t.Error("the same truth is another value")
	}
}
