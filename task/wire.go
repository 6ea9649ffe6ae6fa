package task

import (
	"time"

	"offstage/testparse"
)

// Wire is a task as other programs read it: the shape of `ls --json` in spec 5,
// the same on the command line and over MCP. What is unknown is absent, never
// null; times are RFC 3339 in UTC; durations are whole milliseconds.
type Wire struct {
	ID             string      `json:"id"`
	Source         string      `json:"source"`
	Kind           Kind        `json:"kind"`
	Title          string      `json:"title,omitempty"`
	Command        string      `json:"command,omitempty"`
	Cwd            string      `json:"cwd,omitempty"`
	Session        string      `json:"session,omitempty"`
	Status         Status      `json:"status"`
	ExitCode       *int        `json:"exit_code,omitempty"`
	Signal         string      `json:"signal,omitempty"`
	StartedAt      *time.Time  `json:"started_at,omitempty"`
	EndedAt        *time.Time  `json:"ended_at,omitempty"`
	LastOutputAt   *time.Time  `json:"last_output_at,omitempty"`
	QuietMS        int64       `json:"quiet_ms,omitempty"`
	Output         *WireOutput `json:"output,omitempty"`
	Can            WireCan     `json:"can"`
	Waiting        string      `json:"waiting_for_input,omitempty"`
	Tests          *WireTests  `json:"tests,omitempty"`
	URLs           []string    `json:"urls,omitempty"`
	Ports          []int       `json:"ports,omitempty"`
	Pipe           string      `json:"pipe,omitempty"`
	Progress       *Progress   `json:"progress,omitempty"`
	LeftBehind     bool        `json:"left_behind"`
	Parent         string      `json:"parent,omitempty"`
	Run            int         `json:"run"`
	Activity       string      `json:"activity,omitempty"`
	LastActivityAt *time.Time  `json:"last_activity_at,omitempty"`
	Summary        string      `json:"summary,omitempty"`
	Result         string      `json:"result,omitempty"`
	Continuation   string      `json:"continuation,omitempty"`
	Tokens         *WireTokens `json:"tokens,omitempty"`
	ToolCalls      int         `json:"tool_calls,omitempty"`
	StatusSource   string      `json:"status_source,omitempty"`
	StatusAgeMS    *int64      `json:"status_age_ms,omitempty"`
	Trouble        string      `json:"trouble,omitempty"`
	Warning        string      `json:"warning,omitempty"`
}

// WireOutput is where the output is and how large.
type WireOutput struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// WireCan is what can be done with a task.
type WireCan struct {
	Read   bool   `json:"read"`
	Stop   bool   `json:"stop"`
	Answer bool   `json:"answer"`
	WhyNot string `json:"why_not,omitempty"`
}

// WireTests are the runs of a log; Complete is present, and false, only while
// not all of the log was counted.
type WireTests struct {
	Runs     []testparse.Run   `json:"runs"`
	Total    *testparse.Totals `json:"total,omitempty"`
	Complete *bool             `json:"complete,omitempty"`
}

// WireTokens are the tokens of an agent run.
type WireTokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// ToWire is t as other programs read it at the time now.
func ToWire(t Task, now time.Time) Wire {
	w := Wire{
		ID: t.ID, Source: t.Source, Kind: t.Kind, Title: t.Title, Command: t.Command, Cwd: t.Cwd,
		Session: t.Session, Status: t.Status, ExitCode: t.ExitCode, Signal: t.Signal,
		StartedAt: Stamp(t.Started), EndedAt: Stamp(t.Ended), LastOutputAt: Stamp(t.Output.LastWrite),
		QuietMS: QuietFor(t, now).Milliseconds(), Can: WireCan(t.Can), Waiting: t.Waiting,
		URLs: t.URLs, Ports: t.Ports, Pipe: t.Pipe.Name, Progress: t.Progress, LeftBehind: t.LeftBehind, Parent: t.Parent, Run: max(t.Run, 1),
		Activity: t.Activity, LastActivityAt: Stamp(t.ActivityAt), Summary: t.Summary, Result: t.Result, Continuation: t.Continuation,
		ToolCalls: t.ToolCalls, StatusSource: t.StatusSource, Trouble: t.Trouble, Warning: t.Warning,
	}
	if t.Output.Recorded != "" || t.Output.Path != "" {
		w.Output = &WireOutput{Path: first(t.Output.Recorded, t.Output.Path), Bytes: t.Output.Bytes}
	}
	if t.Tokens != nil {
		w.Tokens = &WireTokens{Input: t.Tokens.Input, Output: t.Tokens.Output}
	}
	if !t.StatusAt.IsZero() {
		age := max(now.Sub(t.StatusAt).Milliseconds(), 0)
		w.StatusAgeMS = &age
	}
	w.Tests = WireOfTests(t.Tests)
	return w
}

// WireOfTests is the tests object of a task; nil without a test run.
func WireOfTests(t *Tests) *WireTests {
	if t == nil || len(t.Runs) == 0 {
		return nil
	}
	total := t.Totals
	w := &WireTests{Runs: t.Runs, Total: &total}
	if !t.Complete {
		no := false
		w.Complete = &no
	}
	return w
}

// Stamp is a time for a program: in UTC, nil where it is unknown.
func Stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	u := t.UTC().Truncate(time.Millisecond)
	return &u
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// WireSession is a session as `sessions --json` gives it.
type WireSession struct {
	ID         string       `json:"id"`
	Agent      string       `json:"agent"`
	Version    string       `json:"version,omitempty"`
	Cwd        string       `json:"cwd,omitempty"`
	Branch     string       `json:"branch,omitempty"`
	Title      string       `json:"title,omitempty"`
	State      SessionState `json:"state"`
	WaitingFor string       `json:"waiting_for,omitempty"`
	AgentGone  bool         `json:"agent_gone,omitempty"`
	PID        int          `json:"pid,omitempty"`
	StartedAt  *time.Time   `json:"started_at,omitempty"`
	UpdatedAt  *time.Time   `json:"updated_at,omitempty"`
	Continues  string       `json:"continues,omitempty"`
	Tasks      WireCounts   `json:"tasks"`
	Trouble    string       `json:"trouble,omitempty"`
}

// WireCounts are the tasks of a session.
type WireCounts struct {
	Running  int `json:"running"`
	Finished int `json:"finished"`
	Failed   int `json:"failed"`
}

// SessionToWire is s with the counts of its own tasks among tasks.
func SessionToWire(s Session, tasks []Task) WireSession {
	var own []Task
	for _, t := range tasks {
		if t.Session == s.ID {
			own = append(own, t)
		}
	}
	c := Count(own)
	return WireSession{
		ID: s.ID, Agent: s.Agent, Version: s.Version, Cwd: s.Cwd, Branch: s.Branch, Title: s.Title, State: s.State, WaitingFor: s.WaitingFor,
		AgentGone: s.AgentGone && c.Running > 0, PID: s.PID, StartedAt: Stamp(s.StartedAt), UpdatedAt: Stamp(s.UpdatedAt), Continues: s.Continues,
		Tasks: WireCounts{Running: c.Running, Finished: c.Finished, Failed: c.Failed}, Trouble: s.Trouble,
	}
}

// WireEntry is an entry of a plan as `todo --json` gives it.
type WireEntry struct {
	ID          string      `json:"id"`
	Subject     string      `json:"subject"`
	Description string      `json:"description,omitempty"`
	Status      EntryStatus `json:"status"`
	ActiveForm  string      `json:"active_form,omitempty"`
	Owner       string      `json:"owner,omitempty"`
	Blocks      []string    `json:"blocks,omitempty"`
	BlockedBy   []string    `json:"blocked_by,omitempty"`
}

// EntriesToWire are the entries of a plan; an empty plan is an empty list.
func EntriesToWire(p Plan) []WireEntry {
	out := make([]WireEntry, 0, len(p.Entries))
	for _, e := range p.Entries {
		out = append(out, WireEntry{ID: e.ID, Subject: e.Subject, Description: e.Description, Status: e.Status,
			ActiveForm: e.ActiveForm, Owner: e.Owner, Blocks: e.Blocks, BlockedBy: e.BlockedBy})
	}
	return out
}
