package task

import (
	"strings"
	"time"
)

// WorkflowTree is what a task of many agents is made of (spec 1 A9). It is never
// changed in place: a source that learned more hands out another one.
type WorkflowTree struct {
	// Name is that of the workflow's script ("review-shared-modules").
	Name string
	// Phases are the titles of the phases in their order; while it runs only those
	// that an agent was started in are known.
	Phases []string
	// Agents in the order in which they were queued, at most MaxWorkflowAgents of
	// them. Those that wait for their turn are known only when it has ended.
	Agents []WorkflowAgent
	// Total is how many agents there are, those beyond the bound too.
	Total int
	// Log are the last lines that its script wrote, at most WorkflowLogLines.
	Log []string
	// Tokens and ToolCalls of all agents; 0 where they are not known.
	Tokens    int64
	ToolCalls int
	// Settled: this is the record of the end, with all titles, not what could be
	// seen on the way.
	Settled bool
	// Steps reads the transcripts of its agents.
	Steps Decoder `json:"-"`
}

// Bounds of a WorkflowTree, and how many agents a tree shows (A9).
const (
	MaxWorkflowAgents   = 1000
	WorkflowLogLines    = 5
	WorkflowAgentsShown = 100
)

// WorkflowAgent is one agent of a workflow.
type WorkflowAgent struct {
	// ID is the agent's own id; "" while it was never started.
	ID string
	// Label is what the script calls it; "" where nobody said.
	Label string
	// Phase is an index into WorkflowTree.Phases, −1 for none.
	Phase  int
	Status Status
	Model  string
	// Tokens are those of its latest call, context and answer, as its client counts.
	Tokens    int64
	ToolCalls int
	Started   time.Time
	// Ran is how long it took, 0 while it runs or where that is not known.
	Ran time.Duration
	// Attempt is 2 after one retry; 0 and 1 say nothing of one.
	Attempt int
	// Tool is the last tool call of one that runs, or ran.
	Tool string
	// Error is its client's word on a failure.
	Error string
	// Transcript is the path of its record on this machine, "" where it has none.
	Transcript string
}

// agentMark stands between the ids of a workflow and of its agent.
const agentMark = "/"

// AgentID names an agent of a workflow where a task's id is asked for.
func AgentID(workflow, agent string) string { return workflow + agentMark + agent }

// Find is the task with an id, or an agent of a workflow as a task.
func Find(tasks []Task, id string) (Task, bool) {
	for _, t := range tasks {
		if t.ID == id {
			return t, true
		}
	}
	for _, t := range tasks {
		if t.Workflow == nil || !strings.HasPrefix(id, t.ID+agentMark) {
			continue
		}
		for _, a := range t.Workflow.Agents {
			if a.ID != "" && AgentID(t.ID, a.ID) == id {
				return AgentTask(t, a), true
			}
		}
	}
	return Task{}, false
}

// AgentTask is an agent of the workflow t as a task of its own: its console is
// the steps of its transcript. It is in no list and no count.
func AgentTask(t Task, a WorkflowAgent) Task {
	out := Task{
		ID: AgentID(t.ID, a.ID), Source: t.Source, Native: a.ID, Kind: Agent, Title: AgentLabel(a), Cwd: t.Cwd,
		Session: t.Session, Run: max(t.Run, 1), Status: a.Status, Started: a.Started, Parent: t.ID,
		Activity: a.Tool, ToolCalls: a.ToolCalls, Summary: a.Error, StatusSource: t.StatusSource, StatusAt: t.StatusAt,
		Output: OutputRef{Path: a.Transcript, Recorded: a.Transcript}, Can: Can{Read: a.Transcript != ""}, Seen: true,
	}
	if t.Workflow != nil {
		out.Decoder = t.Workflow.Steps
	}
	if a.Status.Ended() && !a.Started.IsZero() && a.Ran > 0 {
		out.Ended = a.Started.Add(a.Ran)
	}
	if !a.Status.Ended() {
		out.Can.WhyNot = "It is a part of its workflow: stop that in its agent (/workflows, then x)."
	}
	return out
}
