package task

import (
	"time"

	"offstage/testparse"
)

// Task is one unit of background work of one agent session (spec 2 L2), as it
// stands at one moment. Values are copied freely and never changed in place.
type Task struct {
	// ID is "source:native", or "source:session:native" where native ids repeat
	// (spec 5). Source and Native are its ends.
	ID, Source, Native string
	Kind               Kind
	// Title is the agent's description; where it gave none, the command's start.
	Title string
	// Command is the command line as the shell was given it. Sources give it raw;
	// what leaves the registry is masked and cut to 2,000 characters.
	Command string
	Cwd     string
	// Session is the ID of the Session that owns the task.
	Session string
	// ToolCall is the agent's id of the call that launched it; "" if unknown.
	ToolCall string
	// Run counts from 1; an id that its agent starts again is the next run.
	Run    int
	Status Status
	// Foreground marks a command that its agent still waits for: it is in no list
	// and no count until it moves to the background (L5).
	Foreground bool
	// ExitCode is nil where nobody knows it. Never invented.
	ExitCode *int
	// Signal that ended it ("TERM"), where known.
	Signal         string
	Started, Ended time.Time
	Output         OutputRef
	// Notified: the agent was told of the end.
	Notified bool
	// Parent is the ID of the task that this one belongs to (sub-agent, workflow).
	Parent string
	// Activity is the last thing that happened: last tool call of a sub-agent,
	// last line of a command's output.
	Activity   string
	ActivityAt time.Time
	// Summary is the agent's one line about the end; Result its full text.
	Summary, Result string
	// Continuation is what the agent said when it was told of the end (I4); its
	// first line stands on the row.
	Continuation string
	Tokens       *Tokens
	ToolCalls    int
	// Workflow is what a workflow is made of (A9); nil for every other task, and
	// where nothing of it can be read.
	Workflow *WorkflowTree
	// StatusSource says who says so: "output file", "notification", "end mark",
	// "stopped here", "processes" …; StatusAt is when that was so (K7, A5).
	StatusSource string
	StatusAt     time.Time
	Can          Can
	// Waiting is "" or what to say: "waiting for input", "may be waiting for input".
	Waiting string
	// WaitingLine is the question, masked, where Waiting is set.
	WaitingLine string
	// Tests are the counts of all runs in its output; nil: no test run in it (yet).
	Tests *Tests
	URLs  []string
	Ports []int
	// Progress is how far the program of an open task says it is; nil for no word.
	Progress *Progress
	// Pipe is set when the command's output stops in a sink: see PipeSink.
	Pipe       PipeSink
	LeftBehind bool
	// Trouble is one clear sentence when something of the task cannot be read.
	Trouble string
	// Warning is one clear sentence that a person should see on the row, such as
	// that the agent may start the task again.
	Warning string
	// Disk is what there is to say of an output that takes much of the disk (O6).
	Disk *DiskNote
	// Timeout is when its agent or we will end it; zero: never.
	Timeout time.Time
	// Decoder, where set, turns records of the output file into rows; output runs
	// it in the place of the terminal reader. Nil for plain output.
	Decoder Decoder `json:"-"`
	// Channel, where set, is how its agent can be asked about it while it runs.
	Channel Channel `json:"-"`
	// Seen: a person opened its console since it ended.
	Seen bool
	// Hidden: a person hid the row.
	Hidden bool
	// Awake: the machine is kept from sleeping while the task runs (H2).
	Awake bool
	// Kept: a person spares record and output from the retention (R6).
	Kept bool
	// Evidence is what its source needs to find the processes of the task.
	Evidence Evidence `json:"-"`
}

// SeenProcesses is the StatusSource of a state that live processes prove, or
// the lack of them.
const SeenProcesses = "processes"

// OutputRef is where a task's output is.
type OutputRef struct {
	// Path on this machine (already resolved under a root); "" if there is none.
	Path string
	// Recorded is the path as the agent wrote it, for showing.
	Recorded string
	Bytes    int64
	// LastWrite is the file's own modification time, zero if unknown.
	LastWrite time.Time
	// Unheard: the agent keeps what the task prints to itself now, so that a file that
	// stands still says nothing of it.
	Unheard bool
}

// Tokens of an agent run: the latest input count and the sum of outputs (P1).
type Tokens struct{ Input, Output int64 }

// Tests are the counts of a log and whether all of it was counted.
type Tests struct {
	testparse.Totals
	// Complete is false until the whole log was counted.
	Complete bool
	Runs     []testparse.Run
}

// Can says what can be done with a task from here, and why not.
type Can struct {
	Read, Stop, Answer bool
	// WhyNot is one sentence, set where Stop is false on an open task.
	WhyNot string
}

// PipeSink says that a command line ends in a program that holds its input.
type PipeSink struct {
	// Name of the sink as it is called in the text: "tail", "sort"; "" for none.
	Name string
	// Soft is true for a filter that only buffers in blocks (grep, sed, awk).
	Soft bool
}

// Evidence is what a source knows about the processes of a task. A zero value
// means that the output file is all there is.
type Evidence struct {
	// AgentPID and AgentStart identify the agent's own process; never signalled.
	AgentPID   int
	AgentStart uint64
	// Markers are environment entries ("CLAUDE_CODE_SESSION_ID=…") that its
	// processes carry, all of which must match.
	Markers []string
	// Wrapped is the command as it stands in the wrapper's arguments.
	Wrapped string
	// WritersAreProof: a process that writes the output file as fd 1 or 2 exists
	// exactly while the task runs.
	WritersAreProof bool
	// Roots are processes that are the task's own by a record with their start
	// identity, or by a mark that names this very task. Where the agent holds the
	// log, they are how the task is found.
	Roots []ProcessID
	// Keep are supervisors of other tasks of ours below this one: they and what is
	// under them stay when it is stopped.
	Keep []ProcessID
}

// ProcessID names a process for as long as the machine is up: a pid comes back,
// a pid with its start time does not.
type ProcessID struct {
	PID int
	// Start is in the system's own unit (clock ticks since boot on Linux); 0 where
	// it is not known: such a process is shown and never signalled.
	Start uint64
}
