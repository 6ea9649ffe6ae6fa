package copilot

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// maxKnown bounds what is remembered of one session.
const maxKnown = 20_000

// talk is what the events of a session tell, beside their steps.
type talk struct {
	lines trace.Lines

	cwd, branch, version, prompt string
	first, last                  time.Time
	turn                         bool
	turnAt                       time.Time
	plan                         task.Plan
	// calls are those of tools that matter and were not answered yet.
	calls   map[string]call
	shells  map[string]*shell // by the id of the call
	order   []*shell
	current map[string]*shell // by Copilot's number of the shell, which it uses again
	helpers map[string]*helper
	helped  []*helper
}

type call struct{ tool, shell string }

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

// helper is one sub-agent.
type helper struct {
	id, call, kind, title, prompt string
	foreground                    bool
	at                            time.Time
	ended, failed                 bool
	endAt                         time.Time
	said                          string
	calls                         int
	input, output                 int64 // tokens: the last count, and the sum
	activity                      string
	activityAt                    time.Time
	gone                          time.Time
}

func newTalk() talk {
	return talk{calls: map[string]call{}, shells: map[string]*shell{}, current: map[string]*shell{}, helpers: map[string]*helper{}}
}

// read takes what was added, about most bytes of it.
func (t *talk) read(f *trace.Folder, rel string, most int64) {
	t.lines.Read(f, rel, most, func() {
		lines := t.lines
		*t = newTalk()
		t.lines = lines
	}, func(line []byte, _ int64) { t.take(line) })
}

func (t *talk) take(line []byte) {
	head := line[:min(len(line), 64)]
	for _, w := range idle {
		if bytes.Contains(head, w) {
			return
		}
	}
	if bytes.Contains(head, usageWord) && (len(t.helpers) == 0 || !bytes.Contains(line, agentWord)) {
		return
	}
	if id, ok := answered(line); ok && t.calls[id].tool == "" {
		return // what a tool gave is long, and this one tells nothing else
	}
	var e event
	if !trace.Decode(line, &e) {
		return // a raw newline inside a record breaks it in two
	}
	at := trace.Stamp(e.Timestamp)
	if t.first.IsZero() {
		t.first = at
	}
	if at.After(t.last) {
		t.last = at
	}
	t.event(e, at)
}

func (t *talk) event(e event, at time.Time) {
	switch e.Type {
	case "session.start", "session.resume", "session.context_changed":
		t.session(e, at)
	case "session.shutdown":
		t.leave(at)
	case "user.message":
		if e.AgentID == "" {
			t.prompt = trace.First(t.prompt, trace.FirstLine(trace.Text(e.Data.Content)))
		}
		t.turns(e, true, at)
	case "assistant.turn_start":
		t.turns(e, true, at)
	case "assistant.turn_end", "abort", "session.error", "session.idle":
		t.turns(e, false, at)
	case "assistant.message":
		if h := t.helpers[e.AgentID]; h != nil {
			h.said = trace.First(trace.Clip(trace.Text(e.Data.Content), 64<<10), h.said)
		}
	case "session.usage_record":
		if h := t.helpers[e.AgentID]; h != nil {
			h.input, h.output = e.Data.Usage.Input, h.output+e.Data.Usage.Output
		}
	case "tool.execution_start":
		t.called(e, at)
	case "tool.execution_complete":
		t.answer(e, at)
	case "system.notification":
		t.notice(e, at)
	default:
		if strings.HasPrefix(e.Type, "subagent.") {
			t.helper(e, at)
		}
	}
}

func (t *talk) turns(e event, on bool, at time.Time) {
	if e.AgentID == "" && t.turn != on {
		t.turn, t.turnAt = on, at
	}
}

// session begins, or begins again with another process: its shells are new ones.
func (t *talk) session(e event, at time.Time) {
	c := e.Data.Context
	t.cwd, t.branch, t.version = trace.First(c.Cwd, t.cwd), trace.First(c.Branch, t.branch), trace.First(e.Data.Version, t.version)
	if began := trace.Stamp(e.Data.StartTime); e.Type == "session.start" && !began.IsZero() && len(t.order) == 0 {
		t.first = began
	}
	if e.Type == "session.resume" {
		t.leave(at)
	}
}

// leave: the agent ended. What was attached to it ended too, and nothing says how.
func (t *talk) leave(at time.Time) {
	t.turn, t.turnAt = false, at
	for _, k := range t.order {
		if !k.ended && k.gone.IsZero() && !k.detached {
			k.gone = at
		}
	}
	for _, h := range t.helped {
		if !h.ended && h.gone.IsZero() {
			h.gone = at
		}
	}
	clear(t.current)
	clear(t.calls)
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

// helper is the news of a sub-agent. Versions before 1.0.9 name it by its call.
func (t *talk) helper(e event, at time.Time) {
	d, id := e.Data, trace.First(e.AgentID, e.Data.CallID)
	h := t.helpers[id]
	switch e.Type {
	case "subagent.started":
		if id == "" || len(t.helped) >= maxKnown {
			return
		}
		if h == nil {
			h = &helper{id: id, call: d.CallID, at: at}
			t.helpers[id], t.helped = h, append(t.helped, h)
		}
		h.kind, h.title, h.foreground = d.AgentName, trace.First(d.AgentDescription, d.AgentDisplayName, d.AgentName), d.ExecutionMode == "sync"
		h.ended, h.gone = false, time.Time{}
	case "subagent.completed", "subagent.failed":
		if h == nil {
			return
		}
		h.ended, h.endAt, h.failed = true, at, e.Type == "subagent.failed"
		h.calls = max(h.calls, d.TotalToolCalls)
		h.said = trace.First(d.Error.Message, h.said)
	}
}

// checklist reads a plan: lines of "- [x] text", or a list as other agents write it.
func checklist(raw json.RawMessage) task.Plan {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return trace.Plan(json.RawMessage(`{"todos":` + string(raw) + `}`))
	}
	p := task.Plan{Native: true}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		mark, subject, ok := strings.Cut(strings.TrimLeft(line, "-*+ "), "] ")
		if !ok || !strings.HasPrefix(mark, "[") || len(p.Entries) >= 1000 {
			continue
		}
		st := task.Pending
		switch strings.TrimSpace(mark[1:]) {
		case "x", "X":
			st = task.Completed
		case "~", "-", "/", ">":
			st = task.InProgress
		}
		p.Entries = append(p.Entries, task.Entry{ID: strconv.Itoa(len(p.Entries) + 1), Subject: trace.Clean(subject), Status: st})
	}
	return p
}
