package hook

import (
	"fmt"
	"strings"
	"time"

	"offstage/task"
)

// Desk is what a hook asks and tells; the registry is one.
type Desk interface {
	// TakeNews are the ends that the owners are to be told of; whoever takes one has
	// to tell it. Told notes what came of it.
	TakeNews(owners ...string) []task.Record
	Told(rec task.Record, to task.DeliveryState, why string)
	// TakeStalls are notices of tasks that wait for input, each given once a stall.
	TakeStalls(owners ...string) []string
	// StoppedByPerson says whether a person stopped a task from here, and when.
	StoppedByPerson(id string) (at time.Time, ok bool)
	// Launched and Running note what the agent itself says of a task.
	Launched(t task.Task)
	// Gone ends what waits for a session that has ended; Turned says that an agent
	// had a turn; Follows that a session goes on from another one.
	Gone(session string)
	Turned(session string)
	Follows(session string)
	// List is the task list of a session in the form that its agent reads, "" where
	// it has none.
	List(session string) string
	// Mask hides what is secret in words of ours.
	Mask(text string) string
}

// Options are a person's wishes.
type Options struct {
	// Silent: an end that a person brought about starts no turn at all (H2); else
	// the agent is told that it was on purpose.
	Silent bool
}

// agent is the one client whose hooks these are.
const agent = "claude"

// Run carries one event out and gives what is to be printed, nil for nothing. An
// error is one sentence for stderr; the agent goes on as if nothing had been.
func Run(d Desk, raw []byte, o Options) ([]byte, error) {
	e, err := parse(raw)
	if err != nil {
		return nil, err
	}
	session := agent + ":" + e.Session
	switch e.Name {
	case "SessionStart":
		return start(d, e, session), nil
	case "SessionEnd":
		// After clear and resume the window goes on with another session.
		if e.Reason != "clear" && e.Reason != "resume" {
			d.Gone(session)
		}
	case "UserPromptSubmit":
		d.Turned(session)
		return prompt(d, e, session, o), nil
	case "PostToolUse":
		launched(d, e, session)
		if e.Agent == "" { // a sub-agent does not speak with the person
			return context(e.Name, d.Mask(news(d, session))), nil
		}
	case "Stop", "SubagentStop":
		for _, b := range e.Background {
			running(d, b, e, session)
		}
	}
	return nil, nil
}

// start follows a window from session to session, and puts the list before an
// agent whose conversation was compacted (T8).
func start(d Desk, e event, session string) []byte {
	switch e.Source {
	case "clear", "fork", "resume":
		d.Follows(session)
	case "compact":
		return context(e.Name, d.Mask(d.List(session)))
	}
	return nil
}

// prompt answers the start of a turn: that a stop was on purpose, and what ended
// that the agent is not told of by itself.
func prompt(d Desk, e event, session string, o Options) []byte {
	ends := notices(e.Prompt)
	var meant []string
	for _, n := range ends {
		if at, ok := d.StoppedByPerson(agent + ":" + n.id); ok {
			meant = append(meant, fmt.Sprintf("The user stopped background task %s (%s) on purpose at %s, from outside this conversation. It did not fail: do not start it again unless asked to.",
				n.id, n.what(), at.Local().Format("15:04")))
		}
	}
	told := news(d, session)
	if o.Silent && len(meant) > 0 && len(meant) == len(ends) && told == "" {
		return block("Offstage: the task was stopped on purpose.")
	}
	if told != "" {
		meant = append(meant, told)
	}
	return context(e.Name, d.Mask(strings.Join(meant, "\n")))
}

// news are the ends of our own tasks that this session is to be told of, and those
// of them that wait for input (S1).
func news(d Desk, session string) string {
	var out []string
	for _, r := range d.TakeNews(session) {
		native := r.ID[strings.LastIndexByte(r.ID, ':')+1:]
		t := task.Task{ID: r.ID, Native: native, Kind: r.Kind, Title: r.Title, Status: r.Status, ExitCode: r.ExitCode, Signal: r.Signal}
		out = append(out, fmt.Sprintf("Background task %s (%s) %s — offstage logs %s", native, r.Title, task.StateWords(t), native))
		d.Told(r, task.Delivered, "")
	}
	return strings.Join(append(out, d.TakeStalls(session)...), "\n")
}
