package task

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func flow(status Status) Task {
	start := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	t := Task{ID: "claude:w1", Source: "claude", Native: "w1", Kind: Workflow, Title: "Review", Status: status, Started: start, Session: "s"}
	t.Workflow = &WorkflowTree{Name: "review-shared-modules", Phases: []string{"Find"}, Total: 20, Tokens: 1_200_000, ToolCalls: 7, Settled: status.Ended(), Log: []string{"a line"},
		Agents: []WorkflowAgent{
			{ID: "a1", Label: "list", Phase: 0, Status: Succeeded, Model: "claude-opus-4-1", Tokens: 812, ToolCalls: 1, Started: start, Ran: 79 * time.Second, Attempt: 2, Transcript: "/x"},
			{Label: "later", Phase: -1, Status: Queued},
		}}
	return t
}

// TestWorkflowTitle is A9's card word for word; what is not known is left out.
func TestWorkflowTitle(t *testing.T) {
	ended := func(s Status, change func(*Task)) Task {
		x := flow(s)
		x.Ended = x.Started.Add(28 * time.Minute)
		if change != nil {
			change(&x)
		}
		return x
	}
	for _, c := range []struct {
		name string
		t    Task
		want string
	}{
		{"completed", ended(Succeeded, nil), "Finished background task — review-shared-modules · 20 agents · 1.2M tok · 28m"},
		{"failed", ended(Failed, nil), "Finished background task — review-shared-modules (failed) · 20 agents · 1.2M tok · 28m"},
		{"killed", ended(Cancelled, nil), "Finished background task — review-shared-modules (killed) · 20 agents · 1.2M tok · 28m"},
		{"unconfirmed", ended(Lost, nil), "Finished background task — review-shared-modules (unconfirmed) · 20 agents · 1.2M tok · 28m"},
		{"nothing known", ended(Succeeded, func(x *Task) { x.Workflow, x.Ended = nil, time.Time{} }), "Finished background task — Review"},
		{"one agent", ended(Succeeded, func(x *Task) { x.Workflow.Total, x.Workflow.Tokens = 1, 0 }), "Finished background task — review-shared-modules · 1 agent · 28m"},
	} {
		if got := WorkflowTitle(c.t); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestWireWorkflow: what `session ID --json` gives of a workflow (spec 5).
func TestWireWorkflow(t *testing.T) {
	x := flow(Running)
	b, err := json.Marshal(ToWireWorkflow(x, x.Started.Add(time.Minute)).Tree)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"review-shared-modules","settled":false,"phases":["Find"],"agents":[` +
		`{"id":"claude:w1/a1","label":"list","phase":"Find","status":"succeeded","model":"claude-opus-4-1","tokens":812,"tool_calls":1,"started_at":"2026-03-14T15:09:26Z","ran_ms":79000,"attempt":2},` +
		`{"label":"later","status":"queued"}],"agents_total":20,"log":["a line"],"tokens":1200000,"tool_calls":7}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	x.Workflow = nil
	if b, err := json.Marshal(ToWireWorkflow(x, x.Started)); err != nil || strings.Contains(string(b), "tree") || !strings.Contains(string(b), `"id":"claude:w1"`) {
		t.Errorf("without a tree: %s %v", b, err)
	}
}

// TestFindAgent: an agent of a workflow is a task where one is asked for by id, and is
// read, not stopped.
func TestFindAgent(t *testing.T) {
	tasks := []Task{{ID: "claude:w"}, flow(Running)}
	a, ok := Find(tasks, "claude:w1/a1")
	if !ok || a.Title != "list" || a.Parent != "claude:w1" || !a.Can.Read || a.Can.Stop || a.Output.Path != "/x" || !a.Ended.Equal(a.Started.Add(79*time.Second)) {
		t.Errorf("found %+v", a)
	}
	for _, id := range []string{"claude:w1/", "claude:w1/none", "claude:w/a1", "", "claude:w2"} {
		if x, ok := Find(tasks, id); ok {
			t.Errorf("%q is %+v", id, x)
		}
	}
}

// TestWorkflowWords: tokens, durations and counts as a person reads them.
func TestWorkflowWords(t *testing.T) {
	for n, want := range map[int64]string{1: "1 tok", 999: "999 tok", 76_000: "76.0k tok", 999_949: "999.9k tok", 999_950: "1.0M tok", 1_240_000: "1.2M tok"} {
		if got := TokenCount(n); got != want {
			t.Errorf("%d tokens: %q", n, got)
		}
	}
	for d, want := range map[time.Duration]string{0: "0s", 41 * time.Second: "41s", 79 * time.Second: "1m19s", time.Minute: "1m", 28*time.Minute + 3*time.Second: "28m",
		72 * time.Minute: "1h12m", 50 * time.Hour: "2d2h", 48 * time.Hour: "2d", -time.Second: "0s"} {
		if got := Brief(d); got != want {
			t.Errorf("%v: %q", d, got)
		}
	}
	if got, want := WorkflowCounts(flow(Running).Workflow), "20 · 1 queued · 1 done, 1.2M tok, 7 tool calls"; got != want {
		t.Errorf("counts %q, want %q", got, want)
	}
	for cpu, want := range map[float64]string{-1: "2.0 MB", 0: "0.0 % CPU · 2.0 MB", 12.6: "13 % CPU · 2.0 MB"} {
		if got := UseWords(cpu, 2_000_000); got != want {
			t.Errorf("%v: %q", cpu, got)
		}
	}
}
