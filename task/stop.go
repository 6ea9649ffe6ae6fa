package task

import (
	"strconv"
	"time"
)

// Process is one process as it is shown and stopped: its identity is pid and
// start time together, never the pid alone.
type Process struct {
	PID, PPID int
	Start     uint64
	// Command is short: the program and its first words, masked.
	Command string
	// Depth in the tree that is shown, 0 for a root.
	Depth int
	// Why it belongs to the task, or why it is spared.
	Why string
	// Wrapper: the agent's own shell around the command; it is left to end by
	// itself and signalled last (K3).
	Wrapper bool
}

// Name is the command and the pid: "node 48217".
func (p Process) Name() string { return p.Command + " " + strconv.Itoa(p.PID) }

// StopPlan is what a stop would end, shown before it is done (K3). It keeps
// the identities it was drawn with.
type StopPlan struct {
	Task string
	// Run of the task that the plan was drawn for.
	Run int
	// Processes to end, in tree order.
	Processes []Process
	// Spared are processes that have to do with the task and stay, with why.
	Spared []Process
	Ports  []int
	// Refused is one sentence when nothing may be stopped; Processes is empty.
	Refused string
	// Note is one sentence the person should know ("the agent may start it again").
	Note string
	// Inner: the tasks of ours that this one started are ended too; else they are
	// among Spared.
	Inner bool
}

// StopProgress is how a stop stands while it is under way.
type StopProgress struct {
	Task    string
	Step    string
	Elapsed time.Duration
	Left    []Process
}

// StopReport is the proof after a stop (K4).
type StopReport struct {
	Task   string
	Status Status
	Ended  []Process
	Left   []Process
	// PortsFreed were held by the task and are free; PortsHeld are not.
	PortsFreed, PortsHeld []int
	Took                  time.Duration
	// Note is one sentence, such as that the agent was not told.
	Note string
}
