package copilot

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

// shell is one command, in the background or not.
type shell struct {
	call, command, title string
	agent                string // the sub-agent whose command it is
	number               string // Copilot's id of the shell: "0", "1"
	mode                 string
	detached             bool
	handed               bool // it goes on in the background
	at                   time.Time
	ended, stopped       bool
	endAt                time.Time
	code                 *int
	// gone is when its agent ended without a word of it.
	gone time.Time
	pid  int // from a list of shells
	// feeds are the calls whose results hold what it printed.
	feeds    []string
	notified bool
	lastSeen time.Time
}

// called is the start of a tool.
func (t *talk) called(e event, at time.Time) {
	d := e.Data
	if h := t.helpers[e.AgentID]; h != nil {
		h.calls++
		h.activity, h.activityAt = trace.Clip(trace.Clean(d.ToolName+" "+trace.Headline(d.Arguments)), 300), at
	}
	var in asked
	if len(t.calls) >= maxKnown || !trace.Decode(d.Arguments, &in) {
		return
	}
	switch kind, action := toolOf(d.ToolName); {
	case kind == "run":
		k := &shell{call: d.CallID, command: in.Command, title: in.Description, agent: e.AgentID, mode: in.Mode, detached: in.Detach, at: at, feeds: []string{d.CallID}}
		if d.CallID == "" || t.shells[d.CallID] != nil || len(t.order) >= maxKnown {
			return
		}
		t.shells[d.CallID], t.order = k, append(t.order, k)
		t.calls[d.CallID] = call{tool: "run"}
	case kind == "shell":
		t.calls[d.CallID] = call{tool: action, shell: word(in.ShellID)}
	case d.ToolName == "update_todo":
		if p := checklist(in.Todos); len(p.Entries) > 0 && e.AgentID == "" {
			t.plan = p
		}
	case d.ToolName == "task":
		t.calls[d.CallID] = call{tool: "task"}
	}
}

// toolOf sorts the tools of both shells that Copilot knows.
func toolOf(name string) (kind, action string) {
	if name == "bash" || name == "powershell" || name == "local_shell" {
		return "run", ""
	}
	action, shell, ok := strings.Cut(name, "_")
	if ok && (shell == "bash" || shell == "powershell") {
		return "shell", action // read, write, stop, list
	}
	return "", ""
}

// word is a JSON string, or a number as it stands.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.Trim(string(raw), `"`)
}

// answer is the end of a tool's call.
func (t *talk) answer(e event, at time.Time) {
	c, ok := t.calls[e.Data.CallID]
	if !ok {
		return
	}
	delete(t.calls, e.Data.CallID)
	text := trace.Text(e.Data.Result.Content)
	switch c.tool {
	case "run":
		t.ran(t.shells[e.Data.CallID], e, text, at)
	case "list":
		for _, m := range listWords().FindAllStringSubmatch(text, 1000) {
			if k := t.current[m[1]]; k != nil {
				k.pid, _ = strconv.Atoi(m[2]) // digits only
			}
		}
	case "read", "write", "stop":
		t.heard(c, e, text, at)
	}
}

// ran: the call that started a command was answered.
func (t *talk) ran(k *shell, e event, text string, at time.Time) {
	s, ok := trailer(text)
	k.detached = k.detached || e.Data.Telemetry.Properties.Detached == "true" || ok && s.detached
	if !ok {
		// It was waited for and its result has no word of a shell: a refusal, an error.
		k.end(nil, at)
		k.stopped = e.Data.Success != nil && !*e.Data.Success
		return
	}
	k.number = s.shell
	if s.ended {
		k.end(s.code, at)
		k.stopped = s.stopped
		return
	}
	k.handed = true
	t.current[s.shell] = k
}

// heard: another call told of a shell.
func (t *talk) heard(c call, e event, text string, at time.Time) {
	s, ok := trailer(text)
	k := t.current[trace.First(s.shell, c.shell)]
	if k == nil {
		return
	}
	if (c.tool == "read" || c.tool == "write") && len(k.feeds) < 1000 {
		k.feeds = append(k.feeds, e.Data.CallID)
	}
	if !ok || !s.ended {
		return
	}
	k.end(s.code, at)
	k.stopped = k.stopped || s.stopped
	k.notified = true
}

// end notes an end; the first time that is told is the truest.
func (k *shell) end(code *int, at time.Time) {
	if !k.ended {
		k.ended, k.endAt = true, at
	}
	if k.code == nil {
		k.code = code
	}
}

// notice is what Copilot tells its model between turns.
func (t *talk) notice(e event, at time.Time) {
	n := e.Data.Kind
	switch n.Type {
	case "shell_completed", "shell_detached_completed":
		if k := t.current[n.ShellID]; k != nil {
			k.end(n.ExitCode, at)
			k.notified = true
		}
	case "agent_completed":
		if h := t.helpers[n.AgentID]; h != nil && !h.ended {
			h.ended, h.endAt, h.failed = true, at, n.Status == "failed" || n.Status == "error"
		}
	}
}
