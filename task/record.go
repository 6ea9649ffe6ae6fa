package task

import "time"

// Record is a task as the ledger keeps it (spec 3 R2): one row per task id,
// whatever ran it. Texts in it are masked and cut before they come here. A zero
// field means "not known".
type Record struct {
	// ID is that of the Task; Run counts from 1.
	ID  string
	Run int
	// Runtime that carries it out (R1): shell, agent, acp, mcp, cron, or the name
	// of an observed agent.
	Runtime string
	Kind    Kind
	// RunID is the runtime's own name of the run; it is not unique alone.
	RunID string
	// Owner is who is told of the end and may cancel: the id of a session, or
	// "person". Session is who asked for it.
	Owner, Session string
	// Flow is the id of the flow that it belongs to, Parent the id of a task.
	Flow, Parent string
	Scope        Scope
	Title        string
	// Command is masked and at most 2,000 characters.
	Command, Cwd string
	ToolCall     string
	Status       Status
	// StatusSource says who says so, as in Task.
	StatusSource string
	ExitCode     *int
	Signal       string
	// Error is why it ended badly, Progress its last word while open, Summary its
	// last word about the end, Result what it brought; one bounded text each.
	Error, Progress, Summary, Result string
	// Created ≤ Started ≤ LastEvent, Ended. Started is the first run's and stays
	// when the id is started again; RunStarted is the present run's.
	Created, Started, RunStarted, LastEvent, Ended time.Time
	// CleanupAfter is when the record may be forgotten (R6); set with the end.
	CleanupAfter time.Time
	Process      Identity
	Output       OutputFile
	// Folder is that of a task of our own, which is removed in time; "" otherwise.
	Folder string
	// StopRequested is when a person asked for its end, StopBy the pid of the
	// program of ours that asked. It is no proof of an end.
	StopRequested time.Time
	StopBy        int
	// GoneSince is since when nothing of it can be found; zero while it is there.
	GoneSince time.Time
	// Keep spares record and folder from the retention; Hidden takes the row away.
	Keep, Hidden bool
	// Late counts reports that came after the end or twice, and were ignored.
	Late     int
	Delivery Delivery
	// Rev rises with each change that is worth telling.
	Rev int64
}

// Open says whether the present run has not ended.
func (r Record) Open() bool { return !r.Status.Ended() }

// Scope says whom a task belongs to: a session, or the machine.
type Scope string

// The two scopes of R2.
const (
	SessionScope Scope = "session"
	SystemScope  Scope = "system"
)

// Identity of a process for all time: a pid comes back, and so does a pid with
// a start time after a reboot or in another container. A zero PID is none.
type Identity struct {
	BootID string
	// PIDNS is the pid namespace, "" where the system has none.
	PIDNS string
	PID   int
	Start uint64
}

// OutputFile is where the output is, with the identity that it had when it was
// written down: another file of the same name is not it.
type OutputFile struct {
	Path     string
	Dev, Ino uint64
	// Birth is the file's creation time in nanoseconds since 1970, 0 if unknown.
	Birth int64
	Bytes int64
}

// DeliveryState is where the news of an end stands (R3), apart from the end.
type DeliveryState string

// The six states of R3.
const (
	DeliveryPending  DeliveryState = "pending"
	Delivered        DeliveryState = "delivered"
	SessionQueued    DeliveryState = "session_queued"
	DeliveryFailed   DeliveryState = "failed"
	ParentMissing    DeliveryState = "parent_missing"
	NothingToDeliver DeliveryState = "not_applicable"
)

// NotifyPolicy is what an owner is told of.
type NotifyPolicy string

// The three policies of R2.
const (
	NotifyDone    NotifyPolicy = "done_only"
	NotifyChanges NotifyPolicy = "state_changes"
	NotifySilent  NotifyPolicy = "silent"
)

// Delivery is how the news of the present run's end gets to its owner.
type Delivery struct {
	State  DeliveryState
	Policy NotifyPolicy
	// Notified is the latch (N1): somebody has taken it upon itself to tell.
	Notified bool
	Claimant Claimant
	// Route says how to reach the owner, in the words of who delivers.
	Route string
	// At is when State came to be; Error says why it failed.
	At    time.Time
	Error string
	// ToldOf is the time of the last change of state that was told.
	ToldOf time.Time
}

// Claimant is the program that took the latch.
type Claimant struct {
	Identity
	At time.Time
}

// PastRun is an earlier run of a task.
type PastRun struct {
	Task           string
	Run            int
	Status         Status
	StatusSource   string
	ExitCode       *int
	Signal         string
	Summary        string
	Started, Ended time.Time
}

// NewsKind is what a watcher is woken by (I3).
type NewsKind string

// The four kinds of I3.
const (
	TaskStarted  NewsKind = "task_started"
	TaskFinished NewsKind = "task_finished"
	TaskFailed   NewsKind = "task_failed"
	AllIdle      NewsKind = "all_idle"
)

// News is one event for watchers. Seq rises for ever in one ledger and serves
// as their cursor; it is 0 for AllIdle, which every watcher finds for itself.
type News struct {
	Seq     int64
	At      time.Time
	Kind    NewsKind
	Task    string
	Run     int
	Session string
	// What the task is, and its status then.
	TaskKind               Kind
	Status                 Status
	Title, Summary, Result string
}

// FlowStatus is where a flow stands; beside its own three it uses the words of
// tasks.
type FlowStatus string

// The statuses of a flow.
const (
	FlowQueued    FlowStatus = "queued"
	FlowRunning   FlowStatus = "running"
	FlowWaiting   FlowStatus = "waiting"
	FlowBlocked   FlowStatus = "blocked"
	FlowSucceeded FlowStatus = "succeeded"
	FlowFailed    FlowStatus = "failed"
	FlowCancelled FlowStatus = "cancelled"
	FlowLost      FlowStatus = "lost"
)

// Ended says whether s is an end.
func (s FlowStatus) Ended() bool {
	return s == FlowSucceeded || s == FlowFailed || s == FlowCancelled || s == FlowLost
}

// Flow is the parent of tasks (R4).
type Flow struct {
	ID, Owner string
	// Controller drives a managed flow; "" for one that only follows its tasks.
	Controller string
	Goal       string
	Status     FlowStatus
	// Step, Wait, BlockedTask and BlockedBy say where a managed flow stands.
	Step, Wait, BlockedTask, BlockedBy string
	Policy                             NotifyPolicy
	// Revision is the optimistic lock: a writer names the one that it has read.
	Revision                                 int64
	CancelRequested, Created, Updated, Ended time.Time
}
