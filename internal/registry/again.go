package registry

import (
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
// lives, and what it reads of the end is a failure.
func againNote(t task.Task, sessions []task.Session) string {
	agent := readsAsFailure[t.Source]
	if agent == "" {
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
func foldAgain(t task.Task, sessions []task.Session) task.Task {
	if t.Status == task.Cancelled && t.StatusSource == stoppedHere && t.Warning == "" {
		t.Warning = againNote(t, sessions)
	}
	return t
}
