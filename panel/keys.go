package panel

import (
	"slices"
	"strings"

	"offstage/task"
)

// Action is what the panel asks its root to do; it does nothing itself.
type Action interface{ action() }

// The actions. Each names the task it was asked for.
type (
	// Open opens the task's console.
	Open struct{ ID string }
	// OpenFailure opens the console at the first failed test (B11).
	OpenFailure struct{ ID string }
	// AskStop starts a stop: the plan is drawn and shown first.
	AskStop struct{ ID string }
	// ConfirmStop and KeepOn answer the question on the task's row.
	ConfirmStop struct{ ID string }
	// KeepOn leaves the task as it is.
	KeepOn struct{ ID string }
	// Hide takes the row of an ended task out of the list.
	Hide struct{ ID string }
	// Toggle opens or closes the panel.
	Toggle struct{}
	// Moved says that the cursor is on another row.
	Moved struct{}
	// Copy puts text on the clipboard; What says what it is.
	Copy struct{ Text, What string }
	// OpenURL opens the first address of the task in a browser.
	OpenURL struct{ URL string }
	// Restart asks for the task's command once more (K8).
	Restart struct{ ID string }
	// Answer opens the console with the line that answers the task (S3).
	Answer struct{ ID string }
	// Say shows one sentence for a moment.
	Say struct{ Text string }
)

func (Open) action()        {}
func (OpenFailure) action() {}
func (AskStop) action()     {}
func (ConfirmStop) action() {}
func (KeepOn) action()      {}
func (Hide) action()        {}
func (Toggle) action()      {}
func (Moved) action()       {}
func (Copy) action()        {}
func (OpenURL) action()     {}
func (Restart) action()     {}
func (Answer) action()      {}
func (Say) action()         {}

// Binding is one line of the key table.
type Binding struct {
	// ID is the name for remapping: "list.stop".
	ID string
	// Keys as Bubble Tea prints them ("enter", "shift+tab").
	Keys []string
	// Words are the help; Hint is the one word of the hint line, "" for none.
	Words, Hint string
	do          func(*Model) Action
}

// table is the one list of the panel's keys: Key acts by it, help is made from it.
var table = []Binding{
	{ID: "list.open", Keys: []string{"enter", "l"}, Words: "Open the task's console", Hint: "open", do: (*Model).openSelected},
	{ID: "list.stop", Keys: []string{"x"}, Words: "Stop the task: shows what would end, then asks", Hint: "stop", do: (*Model).stopSelected},
	{ID: "list.down", Keys: []string{"down", "j"}, Words: "Next row", do: func(m *Model) Action { return m.move(1) }},
	{ID: "list.up", Keys: []string{"up", "k"}, Words: "Previous row", do: func(m *Model) Action { return m.move(-1) }},
	{ID: "list.first", Keys: []string{"home", "g"}, Words: "First row", do: func(m *Model) Action { return m.move(-len(m.items)) }},
	{ID: "list.last", Keys: []string{"end", "G"}, Words: "Last row", do: func(m *Model) Action { return m.move(len(m.items)) }},
	{ID: "list.page_down", Keys: []string{"pgdown", "ctrl+d"}, Words: "Half a page down", do: func(m *Model) Action { return m.move(max(m.h/2, 1)) }},
	{ID: "list.page_up", Keys: []string{"pgup", "ctrl+u"}, Words: "Half a page up", do: func(m *Model) Action { return m.move(-max(m.h/2, 1)) }},
	{ID: "list.hide", Keys: []string{"d"}, Words: "Hide the row of an ended task", Hint: "hide", do: (*Model).hideSelected},
	{ID: "list.copy", Keys: []string{"y", "c"}, Words: "Copy the command, or what to tell the agent", Hint: "copy", do: (*Model).copySelected},
	{ID: "list.browser", Keys: []string{"o"}, Words: "Open the task's address in a browser", Hint: "browser", do: (*Model).browse},
	{ID: "list.answer", Keys: []string{"a"}, Words: "Answer a task of ours that waits for input", Hint: "answer", do: (*Model).answerSelected},
	{ID: "list.restart", Keys: []string{"R"}, Words: "Start the command again, or copy what asks its agent to", Hint: "restart", do: (*Model).restartSelected},
	{ID: "list.fold", Keys: []string{"space"}, Words: "Fold the panel to one line, and back", do: func(*Model) Action { return Toggle{} }},
}

// Keys are the panel's keys with their words, in the order of the help.
func (m *Model) Keys() []Binding { return m.keys }

// remapped is the table with the keys that a person gave to an ID instead.
func remapped(keys map[string][]string) []Binding {
	out := slices.Clone(table)
	for i, b := range out {
		if own, ok := keys[b.ID]; ok {
			out[i].Keys = own
		}
	}
	return out
}

// Key acts on a key; false means that it is none of the panel's.
func (m *Model) Key(k string) (Action, bool) {
	for _, b := range m.keys {
		if slices.Contains(b.Keys, k) {
			return b.do(m), true
		}
	}
	return nil, false
}

// Knows says whether a key is one of the panel's.
func (m *Model) Knows(k string) bool {
	return slices.ContainsFunc(m.keys, func(b Binding) bool { return slices.Contains(b.Keys, k) })
}

// Hints are the bindings that act on what is under the cursor now.
func (m *Model) Hints() []Binding {
	t, ok := m.Selected()
	if !ok {
		return nil
	}
	var out []Binding
	for _, b := range m.keys {
		switch b.Hint {
		case "open", "copy":
		case "stop":
			if t.Status.Ended() || !t.Can.Stop {
				continue
			}
		case "hide":
			if !t.Status.Ended() {
				continue
			}
		case "answer":
			if !t.Can.Answer {
				continue
			}
		case "restart":
			if t.Source != OwnSource || !t.Status.Ended() {
				continue
			}
		case "browser":
			if len(t.URLs) == 0 {
				continue
			}
		default:
			continue
		}
		out = append(out, b)
	}
	return out
}

func (m *Model) openSelected() Action {
	if t, ok := m.Selected(); ok {
		return Open{t.ID}
	}
	return nil
}

func (m *Model) stopSelected() Action {
	t, ok := m.Selected()
	switch {
	case !ok:
		return nil
	case t.Status.Ended():
		return Say{"This task has ended already."}
	case !t.Can.Stop:
		return Say{whyNot(t)}
	}
	return AskStop{t.ID}
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
		return nil
	case !t.Status.Ended():
		return Say{"Only the row of an ended task can be hidden."}
	}
	return Hide{t.ID}
}

func (m *Model) copySelected() Action {
	t, ok := m.Selected()
	if !ok {
		return nil
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
		return nil
	case t.Status.Ended():
		return Say{"This task has ended already."}
	case !t.Can.Answer:
		return Say{"Only a task that offstage run --tty started can be answered from here."}
	}
	return Answer{t.ID}
}

func (m *Model) restartSelected() Action {
	if t, ok := m.Selected(); ok {
		return Restart{t.ID}
	}
	return nil
}

func (m *Model) browse() Action {
	t, ok := m.Selected()
	if !ok || len(t.URLs) == 0 {
		return Say{"This task has printed no address."}
	}
	return OpenURL{t.URLs[0]}
}

// move steps over n selectable rows and stops at the ends.
func (m *Model) move(n int) Action {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	at, best := m.index(), m.index()
	for n > 0 {
		at += step
		if at < 0 || at >= len(m.items) {
			break
		}
		if m.items[at].selectable() {
			best = at
			n--
		}
	}
	if best < 0 || best >= len(m.items) || m.items[best].id == m.sel {
		return nil
	}
	m.sel, m.selLast = m.items[best].id, best
	m.touch()
	return Moved{}
}

func (m *Model) index() int {
	for i, it := range m.items {
		if it.id == m.sel {
			return i
		}
	}
	return -1
}
