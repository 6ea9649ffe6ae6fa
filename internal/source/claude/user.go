package claude

import (
	"bytes"
	"strings"
)

// user handles results of calls, notifications and what the person typed.
func (x *extract) user(r record, off int64, open calls) {
	if r.compact {
		return
	}
	if len(r.message) > 0 && bytes.Contains(r.message, []byte(`"tool_use_id"`)) {
		x.turn.put(off, turn{at: r.at})
		x.results(r, off, open)
		return
	}
	if r.meta {
		return
	}
	var m message
	if len(r.message) > 1<<20 || !lenient(r.message, &m) {
		return
	}
	text := firstText(m)
	switch {
	case isNotice(text, r.origin):
		x.turn.put(off, turn{at: r.at})
		x.notices(r, text, off, true)
		if !x.foreign(r) {
			x.toldOf = endedIn(text)
		}
	case strings.HasPrefix(text, "<command-name>/clear</command-name>"):
		if off < headOfFile {
			x.clearedAt = r.at
		}
	case strings.HasPrefix(text, "<bash-stdout>"):
		x.typed(r, text, off)
	case strings.HasPrefix(text, "<"), text == "":
	default:
		x.toldOf = nil
		x.turn.put(off, turn{at: r.at})
		if x.prompt == "" || off < x.promptOff {
			x.prompt, x.promptOff = firstLine(text), off
		}
	}
}

func firstText(m message) string {
	for _, b := range m.blocks() {
		if b.Type == "text" {
			return b.Text
		}
	}
	return ""
}

// firstLine is the first line of a text that says something, at most 200 bytes.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

func (x *extract) system(r record, off int64) {
	switch r.subtype {
	case "turn_duration":
		x.turn.put(off, turn{at: r.at, over: true, agents: r.pendingAgents, workflow: r.pendingWorkflows})
	case "agents_killed":
		if !x.foreign(r) {
			x.add(event{off: off, at: r.at, kind: killedAgents})
		}
	}
}
