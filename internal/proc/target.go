package proc

import (
	"context"
	"time"
)

// Target says of which task the processes are wanted. A zero field is unknown.
type Target struct {
	// Output is the task's output file as it is named on this machine.
	Output string
	// AgentPID and AgentStart are the agent's own process; it is never signalled.
	AgentPID   int
	AgentStart uint64
	// Markers ("NAME=value", or "NAME" for any value) stand in the environment of
	// the task's processes, all of them. Wrapped is the command as the agent gave
	// it to its shell. They find a task whose output file nobody holds (a monitor).
	Markers []string
	Wrapped string
	// Started, where known, tells two tasks with the same Wrapped apart.
	Started time.Time
	// Roots are processes known to be the task's, such as children of our own.
	Roots []ID
	// Keep are processes that stay with all below them: supervisors of tasks of
	// our own that the task itself started.
	Keep []ID
}

// Member is one process that has to do with a task.
type Member struct {
	Proc
	// Command is raw: the program's base name and its words, up to 4,000 characters.
	Command string
	// Depth in the tree that is shown, 0 for a root.
	Depth int
	// Why it belongs to the task, or why it is spared.
	Why string
	// Wrapper: the agent's own shell around the command. It is left to end by
	// itself, so that the agent reads the true end.
	Wrapper bool
}

// Plan is what a stop would end, in tree order, and what it would leave.
type Plan struct {
	Processes []Member
	Spared    []Member
	// Ports on which Processes listen.
	Ports []int
	// Refused is one sentence when nothing may be stopped; Processes is empty then.
	Refused string
	// Unseen: it is refused because no process of the task can be seen; who else has
	// to do with it may be among Spared.
	Unseen bool
	// Note is one sentence that a person should know before.
	Note string
}

// StopOptions tune the ladder; zero values are the defaults named here.
type StopOptions struct {
	// Grace is how long the leaves have after TERM: 3 s (1 s with Now).
	Grace time.Duration
	// Step is how long each further round has: 1 s.
	Step time.Duration
	// Wrapper is how long the agent's shell has to end by itself: 1 s.
	Wrapper time.Duration
	// Limit bounds the whole stop: 15 s.
	Limit time.Duration
	// Now asks all at once and forces after Grace, instead of one level after
	// another.
	Now bool
	// Force, where set, has the agent end the task by force. It is called once, before
	// the first KILL: agents kill with no word before, and know then that it was they.
	Force func(ctx context.Context) error
	// Progress, where set, is told each step in plain words and what is left. It
	// is called from Stop's own goroutine and should not block.
	Progress func(step string, left []Member)
	// NewTable, where set, replaces Scan of the world.
	NewTable func() (*Table, error)
}

// Report is the proof after a stop.
type Report struct {
	// Ended are gone, Left live on. Both have the identities that were signalled.
	Ended, Left []Member
	// PortsFreed were held by the task and have no listener; PortsHeld have one.
	PortsFreed, PortsHeld []int
	Took                  time.Duration
}
