package uitest

import (
	"time"

	"offstage/task"
)

// Flow is the id of the workflow of Flowing and Flown.
const Flow = "claude:wrev8x2k1"

// Flowing is a session with a workflow that runs beside a shell (A9): no log line
// and not every title is known yet.
func Flowing(now time.Time) task.Snapshot {
	s := Sample(now)
	s.Sessions, s.Tasks, s.Elsewhere = s.Sessions[:1], s.Tasks[:1], 0
	s.Sessions[0].Cards, s.Sessions[0].Plan = nil, task.Plan{}
	agents := flowAgents(now)
	w := &task.WorkflowTree{Name: "review-shared-modules", Phases: []string{"Find", "Review"}, Agents: agents[:5], Total: 5, Tokens: 402_300, ToolCalls: 41}
	t := running(now, "wrev8x2k1", "Review the shared modules", "", 4*time.Minute, func(t *task.Task) {
		t.ID, t.Kind, t.Workflow, t.ToolCalls = Flow, task.Workflow, w, w.ToolCalls
		t.Activity = "Review: review auth · 2 of 5 agents done"
		t.Can = task.Can{Read: true, WhyNot: "It runs inside Claude Code: stop it there (/workflows, then x)."}
	})
	s.Tasks = append([]task.Task{t}, s.Tasks...)
	return s
}

// Flown is the same workflow after its end, with all titles, its log and its card.
func Flown(now time.Time) task.Snapshot {
	s := Flowing(now)
	t := &s.Tasks[0]
	w := *t.Workflow
	w.Settled, w.Phases = true, []string{"Find", "Review", "Sum up"}
	w.Log = []string{"12 modules found", "auth: token is compared in plain time", "db: no finding", "queue: given up after two tries", "report written"}
	w.Agents = flowAgents(now)
	for i := range w.Agents {
		if a := &w.Agents[i]; a.Status == task.Running {
			a.Status, a.Ran, a.Tool = task.Succeeded, 2*time.Minute, ""
		}
	}
	w.Total, w.Tokens = 130, 1_240_000
	t.Workflow, t.Status, t.Activity = &w, task.Succeeded, ""
	t.Ended, t.Started = now.Add(-time.Minute), now.Add(-29*time.Minute)
	s.Sessions[0].Cards = []task.Card{{Task: t.ID, Title: task.WorkflowTitle(*t), Text: "One finding in auth, none in the other eleven modules.", At: t.Ended, Kind: string(task.Workflow)}}
	return s
}

func flowAgents(now time.Time) []task.WorkflowAgent {
	agent := func(label string, phase int, s task.Status, tokens int64, calls int, ran time.Duration) task.WorkflowAgent {
		return task.WorkflowAgent{ID: "a" + label, Label: label, Phase: phase, Status: s, Model: "claude-sonnet-4-5", Tokens: tokens, ToolCalls: calls,
			Started: now.Add(-3 * time.Minute), Ran: ran, Transcript: "/home/ada/.claude/agent-" + label + ".jsonl"}
	}
	auth := agent("review auth", 1, task.Running, 76_000, 11, 0)
	auth.Tool, auth.Started = "Read src/auth/session.ts", now.Add(-79*time.Second)
	db := agent("review db", 1, task.Running, 31_200, 4, 0)
	db.Tool, db.Attempt, db.Started = "Grep SELECT", 2, now.Add(-21*time.Second)
	queue := agent("review queue", 1, task.Failed, 0, 0, time.Second)
	queue.Error = "API Error: 529 overloaded"
	return []task.WorkflowAgent{
		agent("list modules", 0, task.Succeeded, 12_100, 3, 41*time.Second), agent("read the guide", 0, task.Succeeded, 9_400, 1, 12*time.Second),
		auth, db, queue, {Label: "write the report", Phase: 2, Status: task.Queued, Model: "claude-opus-4-1"},
	}
}

// Served is the sample with preview cards in their three states (A8).
func Served(now time.Time) task.Snapshot {
	s := Sample(now)
	s.Previews = []task.Preview{
		{Task: s.Tasks[0].ID, Owner: s.Tasks[0].Title, Session: Shop, Label: "shop-api", URL: "http://localhost:5173/", Port: 5173, State: task.PreviewUp},
		{Task: s.Tasks[1].ID, Owner: "Notebook for the figures", Session: Shop, Label: "figures", URL: "http://127.0.0.1:8888/lab?token=[redacted]", Port: 8888, State: task.PreviewTaken},
		{Task: s.Tasks[2].ID, Owner: "Storybook", Session: Shop, Label: "shop-api", URL: "http://localhost:6006/", Port: 6006, State: task.PreviewDown},
	}
	return s
}
