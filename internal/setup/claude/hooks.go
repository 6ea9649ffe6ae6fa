package claude

import (
	"encoding/json"
	"strconv"

	"offstage/internal/setup"
)

// event is one of the client's events that we listen to (spec 6 H1).
type event struct{ name, matcher string }

// events: those of launches only for tools that can leave something running.
var events = []event{
	{"SessionStart", ""}, {"SessionEnd", ""}, {"UserPromptSubmit", ""},
	{"PostToolUse", "Bash|PowerShell|Monitor|Agent|Task|Workflow|TaskStop|KillShell"},
	{"Stop", ""}, {"SubagentStop", ""},
}

// hookSeconds bounds a hook in the client's eyes; ours takes some milliseconds.
const hookSeconds = 10

// entry is an item of an event's list: what it is for and what is run. The command
// is one line for the client's shell: older clients know no "args", and would run
// the program without them.
type entry struct {
	Matcher string `json:"matcher,omitempty"`
	Hooks   []run  `json:"hooks"`
}

type run struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
}

// hookPart has one item of ours in the list of an event, and no other of ours.
func hookPart(e setup.Env, path string, ev event) setup.Part {
	keys := []string{"hooks", ev.name}
	want := entry{Matcher: ev.matcher, Hooks: []run{{Type: "command", Command: setup.Quote(e.Program) + " hook", Timeout: hookSeconds}}}
	return setup.Part{
		Path: path, What: "hook for " + ev.name, ByHand: setup.ByHandJSON(keys, []entry{want}),
		Add: func(text []byte) ([]byte, error) {
			if err := setup.CheckJSON(text, setup.Strict); err != nil {
				return nil, err
			}
			var list []entry
			if _, err := setup.JSONGet(text, keys, &list); err != nil {
				return nil, err
			}
			if once(list, want.Hooks[0].Command) {
				return text, nil
			}
			text, err := dropHook(text, keys)
			if err != nil {
				return nil, err
			}
			return setup.JSONAppend(text, keys, want)
		},
		Remove: func(text []byte) ([]byte, error) { return dropHook(text, keys) },
	}
}

// once says that exactly this command of ours is there, and no older one.
func once(list []entry, command string) bool {
	n := 0
	for _, item := range list {
		for _, h := range item.Hooks {
			switch {
			case h.Command == command:
				n++
			case isHook(h.Command):
				return false
			}
		}
	}
	return n == 1
}

func isHook(command string) bool { return setup.IsOurs(command, "hook") }

// dropHook takes our commands out of a list: an item that is all ours goes whole,
// one that the person put together keeps the rest.
func dropHook(text []byte, keys []string) ([]byte, error) {
	var list []entry
	if ok, err := setup.JSONGet(text, keys, &list); err != nil || !ok {
		return text, err
	}
	for i, item := range list {
		if mine := count(item); mine == 0 || mine == len(item.Hooks) {
			continue
		}
		inner := append(append([]string{}, keys...), strconv.Itoa(i), "hooks")
		next, err := setup.JSONDropItems(text, inner, func(raw json.RawMessage) bool {
			var h run
			return json.Unmarshal(raw, &h) == nil && isHook(h.Command)
		})
		if err != nil {
			return nil, err
		}
		text = next
	}
	return setup.JSONDropItems(text, keys, func(raw json.RawMessage) bool {
		var item entry
		return json.Unmarshal(raw, &item) == nil && len(item.Hooks) > 0 && count(item) == len(item.Hooks)
	})
}

// count is how many commands of an item are ours.
func count(item entry) int {
	n := 0
	for _, h := range item.Hooks {
		if isHook(h.Command) {
			n++
		}
	}
	return n
}
