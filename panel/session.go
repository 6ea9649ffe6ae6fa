package panel

import (
	"path"
	"strings"
	"time"

	"offstage/task"
)

// SessionTitle is how a session is called in one line: its agent and its title,
// or its folder where it has none.
func SessionTitle(s task.Session) string {
	if s.ID == "" || (s.Agent == "" && s.Title == "" && s.Cwd == "") {
		return "other tasks"
	}
	name := Clean(s.Title)
	if name == "" && s.Cwd != "" {
		name = Clean(path.Base(strings.ReplaceAll(s.Cwd, `\`, "/")))
	}
	switch {
	case name == "":
		return Clean(s.Agent)
	case s.Agent == "":
		return name
	}
	return Clean(s.Agent) + " · " + name
}

// SessionWords is a session's state with its age: "waiting for you: permission
// prompt · 3 min". A session whose agent is gone while tasks of it live says
// so (A7).
func SessionWords(s task.Session, now time.Time, running int) string {
	if s.Agent == "" && s.State == "" {
		return ""
	}
	words := SessionState(s)
	if !s.AgentGone && s.State == task.WaitingPerson && s.WaitingFor != "" {
		words += ": " + Clean(s.WaitingFor)
	}
	if !s.StateSince.IsZero() && now.Sub(s.StateSince) >= time.Minute {
		words += " · " + task.Rough(now.Sub(s.StateSince))
	}
	return words
}

// SessionState is a session's state in two or three words.
func SessionState(s task.Session) string {
	if s.AgentGone {
		return "agent gone"
	}
	return s.State.Words()
}

// SessionPaint colours the state: what wants a person is amber, what runs green.
func SessionPaint(s task.Session, st Styles) Paint {
	switch {
	case s.AgentGone, s.State == task.WaitingPerson:
		return st.Amber
	case s.State == task.RunningTurn:
		return st.Good
	}
	return st.Dim
}
