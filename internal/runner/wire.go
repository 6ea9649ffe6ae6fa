package runner

import (
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/task"
)

// The talk over the control socket: one JSON line asks, one or more answer; the
// last has Done. Both say their version: a supervisor may be older than who asks
// and the other way round. Unknown fields are ignored.
const wireVersion = 1

// What can be asked for.
const (
	doStatus = "status"
	doStop   = "stop"
	doAnswer = "answer"
	doTurn   = "turn"
	doFreeze = "freeze"
	doThaw   = "thaw"
	doTrim   = "trim"
)

// ask is a request.
type ask struct {
	Version int    `json:"v"`
	Do      string `json:"do"`
	// Now and Inner belong to stop, Text to answer.
	Now   bool   `json:"now,omitempty"`
	Inner bool   `json:"inner,omitempty"`
	Text  string `json:"text,omitempty"`
}

// reply is one line of an answer.
type reply struct {
	Version int  `json:"v"`
	Done    bool `json:"done,omitempty"`
	// Refused is one sentence; nothing was done.
	Refused string `json:"refused,omitempty"`
	// Step and Left tell how a stop stands, and Stop how it came out.
	Step  string       `json:"step,omitempty"`
	Left  []wireMember `json:"left,omitempty"`
	Stop  *wireStop    `json:"stop,omitempty"`
	State *State       `json:"state,omitempty"`
}

// State is how a supervised task stands.
type State struct {
	Status task.Status `json:"status"`
	PID    int         `json:"pid"`
	// Stopping: a stop is under way.
	Stopping bool `json:"stopping,omitempty"`
	Frozen   bool `json:"frozen,omitempty"`
	TTY      bool `json:"tty,omitempty"`
	// Bytes of the output, and of it on the disk.
	Bytes  int64 `json:"bytes"`
	OnDisk int64 `json:"on_disk"`
	// EndsAt is when its time is over, zero for never.
	EndsAt time.Time     `json:"ends_at,omitzero"`
	Guard  taskdir.Guard `json:"guard,omitzero"`
	Scope  string        `json:"scope,omitempty"`
}

// wireStop is a proc.Report with the status of the task after it.
type wireStop struct {
	Status     task.Status  `json:"status"`
	Ended      []wireMember `json:"ended,omitempty"`
	Left       []wireMember `json:"left,omitempty"`
	PortsFreed []int        `json:"ports_freed,omitempty"`
	PortsHeld  []int        `json:"ports_held,omitempty"`
	TookMS     int64        `json:"took_ms"`
	Error      string       `json:"error,omitempty"`
}

// wireMember is a process; its command is raw.
type wireMember struct {
	PID     int    `json:"pid"`
	PPID    int    `json:"ppid"`
	Start   uint64 `json:"start"`
	Command string `json:"command,omitempty"`
	Depth   int    `json:"depth,omitempty"`
	Why     string `json:"why,omitempty"`
}

// maxWireMembers bounds a list in one line; a fork bomb has more.
const maxWireMembers = 2000

func toWire(list []proc.Member) []wireMember {
	list = list[:min(len(list), maxWireMembers)]
	out := make([]wireMember, 0, len(list))
	for _, m := range list {
		out = append(out, wireMember{m.PID, m.PPID, m.Start, m.Command, m.Depth, m.Why})
	}
	return out
}

func fromWire(list []wireMember) []proc.Member {
	out := make([]proc.Member, 0, len(list))
	for _, m := range list {
		out = append(out, proc.Member{
			Proc:    proc.Proc{ID: proc.ID{PID: m.PID, Start: m.Start}, PPID: m.PPID, UID: -1},
			Command: m.Command, Depth: m.Depth, Why: m.Why,
		})
	}
	return out
}

// OwnOf is how the processes of the task of d are told from all others. s may be
// nil: then the mark alone finds them.
func OwnOf(d taskdir.Dir, s *taskdir.Started) proc.Own {
	o := proc.Own{Mark: taskdir.MarkVar + "=" + d.ID(), Inner: taskdir.SupervisorVar}
	if s != nil {
		o.Supervisor = proc.ID{PID: s.Supervisor.PID, Start: s.Supervisor.Start}
		o.Leader = proc.ID{PID: s.Child.PID, Start: s.Child.Start}
	}
	return o
}
