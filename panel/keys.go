package panel

import (
	"slices"
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
	// AskStopAll does so for all tasks of a session (K6).
	AskStopAll struct{ Session string }
	// ConfirmStop and KeepOn answer the question on the task's row.
	ConfirmStop struct{ ID string }
	// KeepOn leaves the task as it is.
	KeepOn struct{ ID string }
	// Keep spares an ended task from the retention, or no longer (R6).
	Keep struct {
		ID string
		On bool
	}
	// Hide takes the row of an ended task out of the list.
	Hide struct{ ID string }
	// Toggle opens or closes the panel.
	Toggle struct{}
	// Moved says that the cursor is on another row.
	Moved struct{}
	// Copy puts text on the clipboard; What says what it is.
	Copy struct{ Text, What string }
	// OpenURL opens an address of the task, which is masked here, in a browser.
	OpenURL struct{ Task, URL string }
	// Restart asks for the task's command once more (K8).
	Restart struct{ ID string }
	// Answer opens the console with the line that answers the task (S3).
	Answer struct{ ID string }
	// Say shows one sentence for a moment.
	Say struct{ Text string }
	// Agent goes to the terminal pane of a session's agent (A12).
	Agent struct{ Session string }
)

func (Open) action()        {}
func (OpenFailure) action() {}
func (AskStop) action()     {}
func (AskStopAll) action()  {}
func (ConfirmStop) action() {}
func (KeepOn) action()      {}
func (Hide) action()        {}
func (Keep) action()        {}
func (Toggle) action()      {}
func (Moved) action()       {}
func (Copy) action()        {}
func (OpenURL) action()     {}
func (Restart) action()     {}
func (Answer) action()      {}
func (Say) action()         {}
func (Agent) action()       {}

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
	{ID: "list.open", Keys: []string{"enter", "l"}, Words: "Open the task's console, a workflow's tree, the steps of an agent in it; on a session's title go to its agent, or fold", Hint: "open", do: (*Model).openSelected},
	{ID: "list.unfold", Keys: []string{"right"}, Words: "On a session's title or a workflow: show what is under it", do: (*Model).unfoldSession},
	{ID: "list.fold_session", Keys: []string{"left", "h"}, Words: "To the title of the session or workflow; on it: fold what is under it", do: (*Model).foldSession},
	{ID: "list.stop", Keys: []string{"x"}, Words: "Stop the task: shows what would end, then asks", Hint: "stop", do: (*Model).stopSelected},
	{ID: "list.stop_all", Keys: []string{"X"}, Words: "Stop all tasks of the session: shows what would end, then asks", do: (*Model).stopAll},
	{ID: "list.down", Keys: []string{"down", "j"}, Words: "Next row", do: func(m *Model) Action { return m.move(1) }},
	{ID: "list.up", Keys: []string{"up", "k"}, Words: "Previous row", do: func(m *Model) Action { return m.move(-1) }},
	{ID: "list.first", Keys: []string{"home", "g"}, Words: "First row", do: func(m *Model) Action { return m.move(-len(m.items)) }},
	{ID: "list.last", Keys: []string{"end", "G"}, Words: "Last row", do: func(m *Model) Action { return m.move(len(m.items)) }},
	{ID: "list.page_down", Keys: []string{"pgdown", "ctrl+d"}, Words: "Half a page down", do: func(m *Model) Action { return m.move(max(m.h/2, 1)) }},
	{ID: "list.page_up", Keys: []string{"pgup", "ctrl+u"}, Words: "Half a page up", do: func(m *Model) Action { return m.move(-max(m.h/2, 1)) }},
	{ID: "list.hide", Keys: []string{"d"}, Words: "Hide the row of an ended task", Hint: "hide", do: (*Model).hideSelected},
	{ID: "list.keep", Keys: []string{"m"}, Words: "Keep record and output of an ended task beyond their seven days, or no longer", do: (*Model).keepSelected},
	{ID: "list.copy", Keys: []string{"y", "c"}, Words: "Copy the command, or what to tell the agent", Hint: "copy", do: (*Model).copySelected},
	{ID: "list.browser", Keys: []string{"o"}, Words: "Open the task's address, or the preview card's, in a browser", Hint: "browser", do: (*Model).browse},
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
	if _, ok := m.heading(); ok {
		return m.headingHints()
	}
	if _, ok := m.preview(); ok {
		return m.cardHints()
	}
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
		if b, ok := m.flowHint(b); ok {
			out = append(out, b)
		}
	}
	return out
}

// move steps over n rows, the titles of sessions too, and stops at the ends.
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
		if !m.items[at].rests() {
			continue
		}
		best = at
		n--
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
