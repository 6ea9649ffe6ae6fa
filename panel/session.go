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
	words := SessionState(s, running)
	if !gone(s, running) && s.State == task.WaitingPerson && s.WaitingFor != "" {
		words += ": " + Clean(s.WaitingFor)
	}
	if !s.StateSince.IsZero() && now.Sub(s.StateSince) >= time.Minute {
		words += " · " + task.Rough(now.Sub(s.StateSince))
	}
	return words
}

// SessionState is a session's state in two or three words; running is how many
// of its tasks run.
func SessionState(s task.Session, running int) string {
	if gone(s, running) {
		return "agent gone"
	}
	return s.State.Words()
}

// gone says that tasks of the session outlive its agent: without one that lives
// it has just ended.
func gone(s task.Session, running int) bool { return s.AgentGone && running > 0 }

// TitlePaint colours the title of a session: bright green while anything of it
// runs, be it a task, a turn or work that is not reported (A7).
func TitlePaint(s task.Session, running int, st Styles) Paint {
	if running > 0 || s.State == task.RunningTurn || s.State == task.BackgroundOnly || s.Unreported {
		return st.Alive
	}
	return st.Strong
}

// SessionPaint colours the state: what wants a person is amber, what runs green.
func SessionPaint(s task.Session, running int, st Styles) Paint {
	switch {
	case gone(s, running), s.State == task.WaitingPerson:
		return st.Amber
	case s.State == task.RunningTurn:
		return st.Good
	}
	return st.Dim
}
