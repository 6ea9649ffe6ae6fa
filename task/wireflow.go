package task

import "time"

// WireWorkflow is a workflow as `session ID --json` gives it: the task, and its tree
// where it can be read.
type WireWorkflow struct {
	Wire
	Tree *WireTree `json:"tree,omitempty"`
}

// WireTree is what a workflow is made of (A9).
type WireTree struct {
	Name string `json:"name,omitempty"`
	// Settled: this is the record of its end; before that not every title is known.
	Settled bool `json:"settled"`
	// Phases are titles, in order.
	Phases      []string    `json:"phases"`
	Agents      []WireAgent `json:"agents"`
	AgentsTotal int         `json:"agents_total"`
	Log         []string    `json:"log"`
	Tokens      int64       `json:"tokens,omitempty"`
	ToolCalls   int         `json:"tool_calls,omitempty"`
}

// WireAgent is an agent of a workflow.
type WireAgent struct {
	// ID is given to any verb that reads; "" while the agent was never started.
	ID        string     `json:"id,omitempty"`
	Label     string     `json:"label,omitempty"`
	Phase     string     `json:"phase,omitempty"`
	Status    Status     `json:"status"`
	Model     string     `json:"model,omitempty"`
	Tokens    int64      `json:"tokens,omitempty"`
	ToolCalls int        `json:"tool_calls,omitempty"`
	StartedAt *time.Time `json:"started_at,omitempty"`
	RanMS     int64      `json:"ran_ms,omitempty"`
	Attempt   int        `json:"attempt,omitempty"`
	Tool      string     `json:"tool,omitempty"`
	Error     string     `json:"error,omitempty"`
}

// ToWireWorkflow is a workflow as other programs read it at the time now.
func ToWireWorkflow(t Task, now time.Time) WireWorkflow {
	out := WireWorkflow{Wire: ToWire(t, now)}
	w := t.Workflow
	if w == nil {
		return out
	}
	out.Tree = &WireTree{Name: w.Name, Settled: w.Settled, Phases: append([]string{}, w.Phases...), Agents: make([]WireAgent, 0, len(w.Agents)),
		AgentsTotal: max(w.Total, len(w.Agents)), Log: append([]string{}, w.Log...), Tokens: w.Tokens, ToolCalls: w.ToolCalls}
	for _, a := range w.Agents {
		x := WireAgent{Label: a.Label, Status: a.Status, Model: a.Model, Tokens: a.Tokens, ToolCalls: a.ToolCalls, StartedAt: Stamp(a.Started),
			RanMS: a.Ran.Milliseconds(), Attempt: a.Attempt, Tool: a.Tool, Error: a.Error}
		if a.ID != "" {
			x.ID = AgentID(t.ID, a.ID)
		}
		if a.Phase >= 0 && a.Phase < len(w.Phases) {
			x.Phase = w.Phases[a.Phase]
		}
		out.Tree.Agents = append(out.Tree.Agents, x)
	}
	return out
}
