package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"offstage/task"
)

// flowTask is a running workflow of n agents in two phases, every third done.
func flowTask(n int) task.Task {
	t := shell("claude:w1", 5*time.Minute)
	t.Kind, t.Title = task.Workflow, "Review modules"
	w := &task.WorkflowTree{Name: "review", Phases: []string{"Find", "Check"}, Total: n}
	for i := range n {
		a := task.WorkflowAgent{ID: fmt.Sprint("a", i), Label: fmt.Sprint("agent no ", i), Phase: i * 2 / max(n, 1), Status: task.Running, Model: "claude-opus-4-1",
			Tokens: 1500, ToolCalls: 2, Started: now.Add(-time.Minute), Tool: fmt.Sprint("Read file", i), Transcript: "/x"}
		if i%3 == 0 {
			a.Status, a.Ran = task.Succeeded, time.Second
		}
		w.Agents = append(w.Agents, a)
	}
	t.Workflow = w
	return t
}

func settled(t task.Task) task.Task {
	w := *t.Workflow
	w.Settled, w.Log = true, []string{"l1", "l2", "l3", "l4", "l5", "l6"}
	w.Agents = append([]task.WorkflowAgent(nil), w.Agents...)
	for i := range w.Agents {
		w.Agents[i].Status = task.Succeeded
	}
	t = over(t, time.Minute)
	t.Workflow = &w
	return t
}

func show(m *Model, tasks ...task.Task) string {
	m.SetSnapshot(task.Snapshot{Tasks: tasks}, now)
	return m.View()
}

// TestWorkflowOpensAndFolds is A9: open while it runs, folded once settled, and a
// person's own choice is kept as long as the row is there.
func TestWorkflowOpensAndFolds(t *testing.T) {
	w := flowTask(4)
	m := list(100, 30, task.Snapshot{})
	open := func(v string) bool { return strings.Contains(v, "agent no 1") }
	if v := show(m, w); !open(v) || !strings.Contains(v, "▾ Review modules") {
		t.Fatalf("a running workflow is folded:\n%s", v)
	}
	if v := show(m, settled(w)); open(v) || !strings.Contains(v, "▸ Review modules") {
		t.Fatalf("a settled workflow is open:\n%s", v)
	}
	m.Key("right")
	if v := show(m, settled(w)); !open(v) {
		t.Fatalf("opened by a person, it folded again:\n%s", v)
	}
	show(m)
	if v := show(m, settled(w)); open(v) {
		t.Fatalf("the choice outlived the row:\n%s", v)
	}
	m = list(100, 30, task.Snapshot{Tasks: []task.Task{w}})
	m.Select(w.ID)
	if a, _ := m.Key("enter"); a != (Moved{}) || open(show(m, w)) {
		t.Fatalf("enter does not fold a running one: %#v\n%s", a, m.View())
	}
	x := strings.Index(ansi.Strip(rows(m)[1]), "▸")
	if a, ok := m.Mouse(ansi.StringWidth(ansi.Strip(rows(m)[1])[:x]), 1); !ok || a != (Moved{}) || !open(m.View()) {
		t.Fatalf("a click on the chevron: %#v\n%s", a, m.View())
	}
}

// TestWorkflowTreeRows is A9: the last five log lines, phases as headings, agents
// with their marks and their line; none of it is a task that is counted.
func TestWorkflowTreeRows(t *testing.T) {
	w := flowTask(4)
	w.Workflow.Agents[1].Attempt = 2
	w.Workflow.Agents[2] = task.WorkflowAgent{Label: "later", Phase: 1, Status: task.Queued}
	w.Workflow.Agents[3].Status, w.Workflow.Agents[3].Error, w.Workflow.Agents[3].Ran = task.Cancelled, "stopped", 3*time.Second
	w.Workflow.Log = []string{"l1", "l2", "l3", "l4", "l5", "l6"}
	m := list(120, 30, task.Snapshot{Tasks: []task.Task{w}})
	want := []string{"│ l2", "│ l3", "│ l4", "│ l5", "│ l6", "Find",
		"✓ agent no 0  opus-4-1 · 1.5k tok · 2 tool calls · 1s", "◐ agent no 1  opus-4-1 · 1.5k tok · 2 tool calls · 1m · attempt 2 · Read file1",
		"Check", "○ later", "✗ agent no 3  opus-4-1 · 1.5k tok · 2 tool calls · 3s · stopped"}
	got := rows(m)[2:]
	for i, s := range want {
		if strings.TrimSpace(got[i]) != s {
			t.Errorf("row %d is %q, want %q", i, got[i], s)
		}
	}
	if m.Rows() != 1 || !strings.Contains(rows(m)[0], "1 background task running") {
		t.Errorf("agents are counted as tasks: %d rows, %q", m.Rows(), rows(m)[0])
	}
	m.o.ASCII = true
	m.touch()
	if v := m.View(); strings.ContainsFunc(v, func(r rune) bool { return r > 126 }) {
		t.Errorf("not ASCII:\n%s", v)
	}
}

// TestWorkflowOfManyAgents is A9: past 100 agents the tree ends in "+N more agents";
// those that run are among the hundred wherever they stand.
func TestWorkflowOfManyAgents(t *testing.T) {
	w := settled(flowTask(150))
	w.Workflow.Total = 11_000
	w.Workflow.Agents[149].Status = task.Running
	m := list(100, 200, task.Snapshot{Tasks: []task.Task{w}})
	m.Key("right")
	v := m.View()
	if n := strings.Count(v, "agent no "); n != 100 {
		t.Errorf("%d agents are shown", n)
	}
	last := ""
	for _, row := range rows(m) {
		if strings.TrimSpace(row) != "" {
			last = row
		}
	}
	if strings.TrimSpace(last) != "+10900 more agents" || !strings.Contains(v, "◐ agent no 149") || strings.Contains(v, "agent no 120") {
		t.Errorf("the tree ends in %q:\n%s", last, v)
	}
}

// TestWorkflowKeys: the cursor stands on agents and never on titles; Enter opens an
// agent's steps, left leads back to the workflow; what is not done to a single agent
// is said.
func TestWorkflowKeys(t *testing.T) {
	w := flowTask(4)
	w.Workflow.Agents[1].Transcript = ""
	m := list(100, 30, task.Snapshot{Tasks: []task.Task{w, shell("z", 0)}})
	sel := func() string { s, _ := m.Selected(); return s.ID }
	var seen []string
	for range 6 {
		seen = append(seen, sel())
		m.Key("down")
	}
	if got := strings.Join(seen, " "); got != "claude:w1 claude:w1/a0 claude:w1/a1 claude:w1/a2 claude:w1/a3 z" {
		t.Fatalf("down went over %s", got)
	}
	m.Select("claude:w1/a0")
	if a, _ := m.Key("enter"); a != (Open{"claude:w1/a0"}) {
		t.Errorf("enter on an agent gave %#v", a)
	}
	for _, k := range []string{"d", "R", "x"} {
		if a, _ := m.Key(k); fmt.Sprintf("%T", a) != "panel.Say" {
			t.Errorf("%s on an agent gave %#v", k, a)
		}
	}
	m.Select("claude:w1/a1")
	if a, _ := m.Key("enter"); a != (Say{"There is no record of this agent's steps."}) {
		t.Errorf("without a transcript enter gave %#v", a)
	}
	if got := strings.Join(m.Steps(), " "); got != "claude:w1/a0 claude:w1/a2 claude:w1/a3 z" {
		t.Errorf("the keys for the next task go over %s", got)
	}
	m.Key("left")
	if sel() != "claude:w1" {
		t.Errorf("left goes to %s", sel())
	}
	m.Select("claude:w1/a2")
	if show(m, settled(w), shell("z", 0)); sel() != "claude:w1" {
		t.Errorf("when its tree folds, the cursor goes from an agent to %s", sel())
	}
}

// TestWorkflowStaysOpenUnderItsAgent: the tree of an agent whose steps are being
// read does not fold when the workflow settles.
func TestWorkflowStaysOpenUnderItsAgent(t *testing.T) {
	w := flowTask(4)
	m := list(100, 30, task.Snapshot{Tasks: []task.Task{w}})
	m.SetOpen("claude:w1/a2")
	if v := show(m, settled(w)); !strings.Contains(v, "agent no 2") {
		t.Fatalf("the open agent is gone:\n%s", v)
	}
	m.SetMode(OpenRow)
	if v := m.View(); !strings.Contains(v, "agent no 2") || strings.Contains(v, "agent no 1") {
		t.Fatalf("not the row of the open agent:\n%s", v)
	}
	m.SetOpen("")
	m.SetMode(List)
	if v := m.View(); strings.Contains(v, "agent no 2") {
		t.Fatalf("it does not fold afterwards:\n%s", v)
	}
}

// TestWorkflowFilter: a filter finds a workflow by an agent and shows that alone.
func TestWorkflowFilter(t *testing.T) {
	m := list(100, 30, task.Snapshot{Tasks: []task.Task{settled(flowTask(12)), shell("z", 0)}})
	m.SetFilter("no 7")
	if v := m.View(); !strings.Contains(v, "agent no 7") || strings.Contains(v, "agent no 8") || strings.Contains(v, "task z") || !strings.Contains(v, "Check") || strings.Contains(v, "Find") {
		t.Fatal(v)
	}
	m.SetFilter("review")
	if v := m.View(); strings.Contains(v, "agent no") {
		t.Fatalf("found by its own title it opened:\n%s", v)
	}
}

// TestWorkflowFitsAnyWindow is A10: whatever labels, phases and tools are, no row is
// wider than the window and the cursor is in sight.
func TestWorkflowFitsAnyWindow(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", "日本語のとても長い見出し", "x\x1b[31m\ny", strings.Repeat("long ", 40), "e\u0301\u202e🧩"})
		w := flowTask(rapid.IntRange(0, 30).Draw(r, "agents"))
		for i := range w.Workflow.Agents {
			a := &w.Workflow.Agents[i]
			a.Label, a.Tool, a.ID, a.Phase = text.Draw(r, "label"), text.Draw(r, "tool"), text.Draw(r, "id"), rapid.IntRange(-3, 5).Draw(r, "phase")
		}
		w.Workflow.Log, w.Workflow.Phases = []string{text.Draw(r, "log")}, []string{text.Draw(r, "phase"), "p"}
		width, height := rapid.IntRange(20, 160).Draw(r, "w"), rapid.IntRange(2, 30).Draw(r, "h")
		m := list(width, height, task.Snapshot{Tasks: []task.Task{w, shell("z", 0)}})
		for range rapid.IntRange(0, 40).Draw(r, "down") {
			m.Key("down")
		}
		for _, row := range rows(m) {
			if n := ansi.StringWidth(row); n > width {
				r.Fatalf("%d cells in %d: %q", n, width, row)
			}
		}
		if height > 2 && !strings.Contains(m.View(), "▌") {
			r.Fatalf("the cursor is out of sight:\n%s", m.View())
		}
	})
}
