package panel

import (
	"strings"

	"offstage/task"
)

// What keys do with the selected row: an action for the root, or one sentence why
// there is nothing to do.

func (m *Model) openSelected() Action {
	if p, ok := m.preview(); ok {
		return openCard(p)
	}
	if a, ok := m.openFlow(); ok {
		return a
	}
	if t, ok := m.Selected(); ok {
		return Open{t.ID}
	}
	return m.openHeading()
}

func (m *Model) stopSelected() Action {
	t, ok := m.Selected()
	switch {
	case !ok:
		return m.noTask()
	case t.Status.Ended():
		return Say{"This task has ended already."}
	case !t.Can.Stop:
		return Say{whyNot(t)}
	}
	return AskStop{t.ID}
}

// stopAll asks for all tasks of the session that the selected row belongs to.
func (m *Model) stopAll() Action {
	if s := m.Session(); s != "" {
		return AskStopAll{s}
	}
	return m.noTask()
}

func whyNot(t task.Task) string {
	if t.Can.WhyNot != "" {
		return Clean(t.Can.WhyNot)
	}
	return "This task cannot be stopped from here."
}

func (m *Model) hideSelected() Action {
	t, ok := m.Selected()
	switch {
	case !ok:
		return m.noTask()
	case t.Parent != "" && m.onAgent("") != nil:
		return m.onAgent("hide that row.")
	case !t.Status.Ended():
		return Say{"Only the row of an ended task can be hidden."}
	}
	return Hide{t.ID}
}

func (m *Model) keepSelected() Action {
	t, ok := m.Selected()
	switch {
	case !ok:
		return m.noTask()
	case t.Parent != "" && m.onAgent("") != nil:
		return m.onAgent("keep that.")
	case !t.Status.Ended():
		return Say{"Only an ended task can be kept: what runs stays anyway."}
	}
	return Keep{t.ID, !t.Kept}
}

func (m *Model) copySelected() Action {
	if p, ok := m.preview(); ok {
		return Copy{Clean(p.URL), "the address"}
	}
	t, ok := m.Selected()
	if !ok {
		return m.noTask()
	}
	if s := m.stops[t.ID]; s.Phase == Stopped && s.Report.Note != "" {
		return Copy{TellAgent(t), "what to tell the agent"}
	}
	if t.Status == task.Cancelled && t.Warning != "" {
		return Copy{TellAgent(t), "what to tell the agent"}
	}
	if t.Command == "" {
		return Copy{Clean(t.Title), "the description"}
	}
	return Copy{t.Command, "the command"}
}

// TellAgent is the sentence for an agent that cannot know that a stop was on
// purpose (A6).
func TellAgent(t task.Task) string {
	return "I stopped the background task \"" + Clean(t.Title) + "\" on purpose. Please do not start it again unless I ask for it."
}

// OwnSource is the Task.Source of what the program runs itself.
const OwnSource = "own"

// AskAgain is the sentence that asks an agent to start a task of its again (K8).
func AskAgain(t task.Task) string {
	what := strings.Join(strings.Fields(Clean(t.Command)), " ")
	if what == "" {
		what = Clean(t.Title)
	}
	return "Please start this again in the background: " + what
}

func (m *Model) answerSelected() Action {
	t, ok := m.Selected()
	switch {
	case !ok:
		return m.noTask()
	case t.Status.Ended():
		return Say{"This task has ended already."}
	case !t.Can.Answer:
		return Say{"Only a task that offstage run --tty started can be answered from here."}
	}
	return Answer{t.ID}
}

func (m *Model) restartSelected() Action {
	if a := m.onAgent("ask its agent to start that again."); a != nil {
		return a
	}
	if t, ok := m.Selected(); ok {
		return Restart{t.ID}
	}
	return nil
}

func (m *Model) browse() Action {
	if p, ok := m.preview(); ok {
		return openCard(p)
	}
	t, ok := m.Selected()
	for _, p := range m.snap.Previews { // what is served, rather than what was printed first
		if ok && p.Task == t.ID {
			return openCard(p)
		}
	}
	if !ok || len(t.URLs) == 0 {
		return Say{"This task has printed no address."}
	}
	return OpenURL{Task: t.ID, URL: t.URLs[0]}
}
