package taskdir

import (
	"time"

	"offstage/task"
)

// Version of the records that this program writes. A reader takes a newer one
// for what it understands of it and says so.
const Version = 1

// Names in the environment. MarkVar is in that of every process of a task; the
// nearest task wins. SupervisorVar is in that of a supervisor and of nobody else.
const (
	MarkVar       = "OFFSTAGE_TASK"
	SupervisorVar = "OFFSTAGE_SUPERVISOR"
)

// Record is task.json: what was asked for. It is written once.
type Record struct {
	Version int       `json:"version"`
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Kind    task.Kind `json:"kind"`
	// Argv is the command, program first; Shell is one command line for sh instead.
	// One of the two is set.
	Argv  []string `json:"argv,omitempty"`
	Shell string   `json:"shell,omitempty"`
	Cwd   string   `json:"cwd"`
	Asker Asker    `json:"asker,omitzero"`
	// Job is the name of the scheduled run that this is, "" for none.
	Job string `json:"job,omitempty"`
	// Undo is a command line that sh runs after a stop (K5).
	Undo string `json:"undo,omitempty"`
	// TimeoutMS ends the task after so much time without a turn of its agent (H1);
	// 0 is never.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
	Size      Size  `json:"size"`
	TTY       bool  `json:"tty,omitempty"`
	KeepAwake bool  `json:"keep_awake,omitempty"`
	// Run counts from 1. A restart is a task of its own; Restarts names the first.
	Run      int       `json:"run"`
	Restarts string    `json:"restarts,omitempty"`
	Created  time.Time `json:"created_at"`
}

// Asker is who asked for a task; all empty: a person in a terminal.
type Asker struct {
	// Agent and Session are the agent's name and its own id of the session.
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	// Call is the agent's id of the tool call, where it tells it.
	Call string `json:"call,omitempty"`
	// Task is the native id of the task of ours in which it was started.
	Task string `json:"task,omitempty"`
}

// Size is the guard over the output (O6).
type Size struct {
	// Limit in bytes on disk at which Do is done; 0 is no guard.
	Limit int64 `json:"limit,omitempty"`
	// Do is one of warn, trim, freeze, stop.
	Do string `json:"do,omitempty"`
}

// What a size guard does.
const (
	Warn   = "warn"
	Trim   = "trim"
	Freeze = "freeze"
	Stop   = "stop"
)

// Process is a process for as long as the machine is up: its pid and its start
// in the system's own unit. Command, where set, is short and raw.
type Process struct {
	PID     int    `json:"pid"`
	Start   uint64 `json:"start"`
	Command string `json:"command,omitempty"`
}

// Started is started.json. It is written before the command starts (Child is
// zero then) and again when it runs.
type Started struct {
	Version int `json:"version"`
	// Boot and Namespace say in which life of which machine, and in which pid
	// namespace, the pids mean anything; "" and 0 where the system does not tell.
	Boot       string  `json:"boot,omitempty"`
	Namespace  uint64  `json:"namespace,omitempty"`
	Supervisor Process `json:"supervisor"`
	// Child leads the session in which the command runs.
	Child Process   `json:"child,omitzero"`
	At    time.Time `json:"at"`
	// Scope is the systemd user scope that keeps it from ending with a login, ""
	// where there is none. Login is the login's own scope, in which it runs instead:
	// then the end of the login may end it.
	Scope string `json:"scope,omitempty"`
	Login string `json:"login,omitempty"`
	// Control is the path of the control socket.
	Control string `json:"control,omitempty"`
	// EndsAt is when its time is over (H1), as of the last turn of its agent; zero
	// where it has none.
	EndsAt time.Time `json:"ends_at,omitzero"`
	// Awake: a sleep inhibitor is held (H2).
	Awake bool `json:"awake,omitempty"`
}

// StopMark is stop.json: a stop was asked for, and nothing was signalled yet.
type StopMark struct {
	Version int       `json:"version"`
	Reason  Reason    `json:"reason"`
	At      time.Time `json:"at"`
}

// Guard is guard.json: what became of a large output.
type Guard struct {
	Version int `json:"version"`
	// WarnedAt, TrimmedAt and FrozenAt are zero for what was not done; FrozenAt is
	// zero again after a thaw.
	WarnedAt  time.Time `json:"warned_at,omitzero"`
	TrimmedAt time.Time `json:"trimmed_at,omitzero"`
	FrozenAt  time.Time `json:"frozen_at,omitzero"`
	// TookMS is how long a freeze took from the look that saw the limit passed.
	TookMS int64 `json:"took_ms,omitempty"`
	// GapFrom and GapTo bound what was cut out, in bytes of the file.
	GapFrom int64 `json:"gap_from,omitempty"`
	GapTo   int64 `json:"gap_to,omitempty"`
	// DiskLow: the disk was nearly full, not the limit reached.
	DiskLow bool `json:"disk_low,omitempty"`
	// Trouble is one sentence about what could not be done.
	Trouble string `json:"trouble,omitempty"`
}

// Reason is why a task ended.
type Reason string

// The reasons of an end.
const (
	// Exited: by itself, with a code or by somebody's signal.
	Exited        Reason = "exited"
	TimedOut      Reason = "timed_out"
	Cancelled     Reason = "cancelled"
	SizeLimit     Reason = "size_limit"
	Shutdown      Reason = "shutdown"
	FailedToStart Reason = "failed_to_start"
)

// Exit is exit.json: how it ended. Code and Signal are what the kernel told the
// supervisor; both are missing where nobody was there to be told.
type Exit struct {
	Version int    `json:"version"`
	Code    *int   `json:"code,omitempty"`
	Signal  string `json:"signal,omitempty"`
	Reason  Reason `json:"reason"`
	// Error is the sentence of a command that could not be started.
	Error string    `json:"error,omitempty"`
	Ended time.Time `json:"ended_at"`
	// Survivors are processes that it left behind.
	Survivors []Process `json:"survivors,omitempty"`
	Undo      *Undo     `json:"undo,omitempty"`
}

// Undo is how the undo command came out; it is added to exit.json when it ended.
type Undo struct {
	Code  *int   `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// Status of a run that this stop ended.
func (m StopMark) Status() task.Status {
	if m.Reason == TimedOut {
		return task.TimedOut
	}
	return task.Cancelled
}

// Status of the run that ended so.
func (e Exit) Status() task.Status {
	switch e.Reason {
	case TimedOut:
		return task.TimedOut
	case Cancelled, SizeLimit, Shutdown:
		return task.Cancelled
	case FailedToStart:
		return task.Failed
	case Exited:
		switch {
		case e.Signal != "" || e.Code != nil && *e.Code != 0:
			return task.Failed
		case e.Code != nil:
			return task.Succeeded
		}
	}
	return task.Lost
}
