package claude

import (
	"encoding/json"
	"time"

	"offstage/task"
)

// event is one thing that a transcript says about background work. Events are
// small and kept; the lines they came from are not.
type event struct {
	// off is the offset of its line, part its place among those of one line.
	off  int64
	part int
	at   time.Time
	kind eventKind
	// ids are the tasks it is about.
	ids []string
	// call is the tool call that it answers, "" if none.
	call   string
	launch *launch
	note   *note
	plan   *planCall
}

type eventKind int

const (
	// launched: the result of a call names a task that runs in the background.
	launched eventKind = iota
	// stopped: a stop tool of the agent says that it stopped the task.
	stopped
	// notified: a notification reached the agent (its note says what).
	notified
	// resumed: an ended agent was sent a message and runs again.
	resumed
	// killedAgents: the person stopped every running agent of the session.
	killedAgents
	// killedNamed: the person stopped the agent with the note's summary as name.
	killedNamed
	// read: a reading tool printed the task's status.
	read
	// planned: a call of the agent's own task list.
	planned
	// replied: what the agent said first after a notification that began its turn
	// (I4); the note's result has the text.
	replied
)

// launch is how a task came to be, as its records tell.
type launch struct {
	kind    task.Kind
	title   string
	command string
	path    string
	// moved: it ran in the foreground first; called is when the call was made.
	moved  bool
	called time.Time
	// timeout of a monitor, 0 for none.
	timeout    time.Duration
	persistent bool
	// runID, folder and name of a workflow.
	runID, folder, name string
	// again: a second record of a launch (after a compaction).
	again   bool
	cwd     string
	version string
	byUser  bool
	// needs is the tool that the call must have been, "" when proven already.
	needs string
}

// note is a notification or another report about the state of a task.
type note struct {
	status, summary, event string
	result, usage          string
	path                   string
	code                   *int
	// orphan: written by a later client that found no end of it (resume).
	orphan bool
	// delivered: the record is a delivery of one that was queued before.
	delivered bool
	// question is the line at which the client found the task waiting.
	question string
}

// planCall is one call of the task list with its result.
type planCall struct {
	name          string
	input, result json.RawMessage
}

// latest keeps the value with the highest offset: transcripts are read from
// the end backwards, and what stands last in the file counts.
type latest[T any] struct {
	off   int64
	set   bool
	value T
}

func (l *latest[T]) put(off int64, v T) {
	if !l.set || off >= l.off {
		l.off, l.set, l.value = off, true, v
	}
}

// turn is the last thing of the conversation itself.
type turn struct {
	at time.Time
	// over: the turn has ended (turn_duration); answered: the assistant's last
	// word ended it, without a record of its own.
	over, answered   bool
	agents, workflow int
}
