package registry

import (
	"slices"

	"offstage/internal/ledger"
	"offstage/task"
)

// stoppedHere is the source of a status that a stop from here decided (K7).
const stoppedHere = ledger.StoppedHere

// readsAsFailure are the agents that are told of the end of a command that was
// stopped from outside as of a failure, by the names of their sources (seen with
// the real clients).
var readsAsFailure = map[string]string{"claude": "Claude Code", "qwen": "Qwen Code", "kimi": "Kimi", "copilot": "Copilot"}

// againNote warns where the agent cannot be told that a stop was meant (A6): it
// lives, has no hook of ours, and what it reads of the end is a failure.
func againNote(t task.Task, sessions []task.Session, hooked bool) string {
	agent := readsAsFailure[t.Source]
	if agent == "" || hooked {
		return ""
	}
	for _, s := range sessions {
		if s.ID == t.Session && (s.AgentGone || s.State == task.EndedSession) {
			return "" // nobody is left to start it again
		}
	}
	return agent + " reads this as a failure and may start it again."
}

// foldAgain keeps that warning on the row of a task that was stopped from here.
func foldAgain(t task.Task, sessions []task.Session, hooked bool) task.Task {
	if t.Status == task.Cancelled && t.StatusSource == stoppedHere && t.Warning == "" {
		t.Warning = againNote(t, sessions, hooked)
	}
	return t
}

// hookRoute is the Route of a record whose agent told of the task by a hook of
// ours: that hook tells the agent of a stop, too (spec 6 H2).
const hookRoute = "hook"

// hooked says whether a task's agent has a hook of ours, as the ledger knows it
// now.
func (r *Registry) hooked(id string) bool {
	if r.ledger.store == nil {
		return false
	}
	rec, found, err := r.ledger.store.Record(id)
	return err == nil && found && rec.Delivery.Route == hookRoute
}

// unfailed takes the mark of a failure from what agents said after a task that was
// stopped from here: they read the stop as one, and it is none (K7).
func unfailed(sessions []task.Session, tasks []task.Task) []task.Session {
	stopped := map[string]bool{}
	for _, t := range tasks {
		if t.Status == task.Cancelled && t.StatusSource == stoppedHere {
			stopped[t.ID] = true
		}
	}
	if len(stopped) == 0 {
		return sessions
	}
	out := slices.Clone(sessions)
	for i, s := range out {
		for j, c := range s.Cards {
			if c.Failed && stopped[c.Task] {
				out[i].Cards = slices.Clone(out[i].Cards)
				out[i].Cards[j].Failed = false
			}
		}
	}
	return out
}
