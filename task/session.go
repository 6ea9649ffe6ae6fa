package task

import "time"

// SessionState is what an agent session does now (spec 1 A7).
type SessionState string

// The five states of a session.
const (
	RunningTurn    SessionState = "running_turn"
	WaitingPerson  SessionState = "waiting"
	BackgroundOnly SessionState = "background_only"
	Idle           SessionState = "idle"
	EndedSession   SessionState = "ended"
)

// Words is the state as a person reads it.
func (s SessionState) Words() string {
	switch s {
	case RunningTurn:
		return "running a turn"
	case WaitingPerson:
		return "waiting for you"
	case BackgroundOnly:
		return "background work only"
	case Idle:
		return "idle"
	case EndedSession:
		return "ended"
	}
	return "state unknown"
}

// Session is one conversation of one agent.
type Session struct {
	// ID is "agent:native"; Native is the agent's own id.
	ID, Agent, Native string
	Version           string
	Title, Cwd        string
	Branch            string
	State             SessionState
	StateSince        time.Time
	// WaitingFor: "permission prompt", "input needed" …, with State waiting.
	WaitingFor string
	// PID of the agent, 0 if none lives or it cannot be known.
	PID       int
	PIDStart  uint64
	StartedAt time.Time
	UpdatedAt time.Time
	// AgentGone: the agent's process has died while the record stayed.
	AgentGone bool
	// Pane is where the agent is shown ("tmux:0:@0.%0"); "" if unknown.
	Pane string
	// Unreported: the session says it has background work of which nothing can be
	// found (spec 1 G5).
	Unreported bool
	// Interactive is false for a headless run (-p).
	Interactive bool
	// Transcript is the path of its record on this machine.
	Transcript string
	// Continues is the ID of the session this one took over from (/clear, fork).
	Continues string
	Plan      Plan
	// Cards are finished sub-agents and workflows, newest first (A12).
	Cards []Card
	// Trouble is one sentence when the record could not be read whole.
	Trouble string
}

// Card is the result of a finished sub-agent or workflow, or a continuation.
type Card struct {
	Task  string
	Title string
	Text  string
	At    time.Time
	// Kind: "agent", "workflow", "continuation" (the agent's reply to the end of
	// Task), "session" (what the session went on from).
	Kind   string
	Failed bool
}

// Plan is the agent's own task list (spec 4).
type Plan struct {
	Entries []Entry
	// Skipped counts calls in a form that no longer fits (T7).
	Skipped int
	// Native: the agent keeps the list itself; it is read-only here (T13).
	Native bool
}

// EntryStatus of a plan's entry: pending, inprogress, completed, deleted.
type EntryStatus string

// The four statuses of an entry (spec 4 T1).
const (
	Pending    EntryStatus = "pending"
	InProgress EntryStatus = "inprogress"
	Completed  EntryStatus = "completed"
	Deleted    EntryStatus = "deleted"
)

// Entry is one line of a plan.
type Entry struct {
	ID                   string
	Subject, Description string
	ActiveForm, Owner    string
	Status               EntryStatus
	Blocks, BlockedBy    []string
}

// Snapshot is the whole truth as one source, or the registry, sees it now.
type Snapshot struct {
	// Rev rises with every change that a face could show; 0 from a source.
	Rev      uint64
	At       time.Time
	Sessions []Session
	Tasks    []Task
	Troubles []Trouble
	// Previews are the addresses that tasks of the list serve, or served (A8).
	Previews []Preview
	// Elsewhere is how many tasks run in other projects than the one asked for.
	Elsewhere int
	// Looked are the places that were looked at, for the empty page (A2).
	Looked []Place
}

// Trouble is something that a source could not read. It is news, never an end.
type Trouble struct {
	Source string
	// Text is one sentence: what is wrong and what to do.
	Text string
}

// Place is where a source looks for tasks and what it found there.
type Place struct {
	Source, Path string
	Found        bool
	Sessions     int
}
