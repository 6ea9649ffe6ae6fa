package task

// Status is where a run of a task stands (spec 2 L3). Agents' own words are
// translated at the border, in the source of that agent, and nowhere else.
type Status string

// The seven statuses. Queued and Running are open, the others are ends of one
// run; Lost alone yields to later proof.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
	TimedOut  Status = "timed_out"
	Cancelled Status = "cancelled"
	Lost      Status = "lost"
)

// Ended says whether s is one of the five ends of a run.
func (s Status) Ended() bool {
	switch s {
	case Succeeded, Failed, TimedOut, Cancelled, Lost:
		return true
	}
	return false
}

// Kind is what sort of work a task is (spec 2 L1). It is data: behaviour
// hangs on Task.Can and Task.Decoder, never on a kind.
type Kind string

// The kinds of spec 2 L1.
const (
	Shell    Kind = "shell"
	Monitor  Kind = "monitor"
	Agent    Kind = "agent"
	Remote   Kind = "remote"
	MCP      Kind = "mcp"
	Teammate Kind = "teammate"
	Workflow Kind = "workflow"
	Dream    Kind = "dream"
)

// Label is the kind as a person reads it: "Shell", "Sub-agent".
func (k Kind) Label() string {
	switch k {
	case Shell:
		return "Shell"
	case Monitor:
		return "Monitor"
	case Agent:
		return "Sub-agent"
	case Remote:
		return "Remote"
	case MCP:
		return "MCP call"
	case Teammate:
		return "Teammate"
	case Workflow:
		return "Workflow"
	case Dream:
		return "Dream"
	}
	return "Task"
}

// Bad says whether s is an end that counts as a failure to a watcher: a stopped
// task does too, one whose result nobody knows does not (spec 1 I3).
func (s Status) Bad() bool { return s == Failed || s == TimedOut || s == Cancelled }
