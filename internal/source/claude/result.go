package claude

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"offstage/task"
)

// tools are those whose calls can make, end or plan something. The names of
// older versions are kept: Task became Agent, KillShell became TaskStop.
var tools = map[string]bool{
	"Bash": true, "PowerShell": true, "Monitor": true, "Agent": true, "Task": true, "Workflow": true,
	"TaskStop": true, "KillShell": true, "KillBash": true, "TaskOutput": true, "BashOutput": true,
	"SendMessage": true, "TaskCreate": true, "TaskUpdate": true, "TodoWrite": true,
}

var planTools = map[string]bool{"TaskCreate": true, "TaskUpdate": true, "TodoWrite": true}

// callHead is how far into a tool_use block its id and name stand; the input
// behind them may be a whole file.
const callHead = 400

var callMark = []byte(`"type":"tool_use"`)

// eachCall visits the calls of a message. It decodes the message only where
// they are not written as the client writes them.
func eachCall(m []byte, visit func(id, name string)) {
	rest := m
	for {
		i := afterCallMark(rest)
		if i < 0 {
			return
		}
		rest = rest[i:]
		head, _, _ := bytes.Cut(rest[:min(len(rest), callHead)], []byte(`"input"`))
		id, name := member(head, `"id":"`), member(head, `"name":"`)
		if id == "" || name == "" {
			break
		}
		visit(id, name)
	}
	var all message
	if !lenient(m, &all) {
		return
	}
	for _, b := range all.blocks() {
		if b.Type == "tool_use" && b.ID != "" {
			visit(b.ID, b.Name)
		}
	}
}

// underscore is where the one rare byte of callMark stands in it.
var underscore = bytes.IndexByte(callMark, '_')

// afterCallMark is the index behind the first callMark in m, -1 without one. To
// go from one underscore to the next is some times quicker than bytes.Index.
func afterCallMark(m []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(m[at:], '_')
		if i < 0 {
			return -1
		}
		at += i + 1
		from := at - 1 - underscore
		if from >= 0 && bytes.HasPrefix(m[from:], callMark) {
			return from + len(callMark)
		}
	}
}

// member is a plain string member of an object that is not decoded.
func member(b []byte, key string) string {
	_, after, ok := bytes.Cut(b, []byte(key))
	if !ok {
		return ""
	}
	value, _, ok := bytes.Cut(after, []byte(`"`))
	if !ok || bytes.IndexByte(value, '\\') >= 0 {
		return ""
	}
	return string(value)
}

// outcome is every member of a structured result that can matter.
type outcome struct {
	BackgroundTaskID string          `json:"backgroundTaskId"`
	TimedOutAfter    json.RawMessage `json:"timedOutAfterMs"`
	ByUser           bool            `json:"backgroundedByUser"`
	ByAssistant      bool            `json:"assistantAutoBackgrounded"`
	IsAsync          bool            `json:"isAsync"`
	Status           string          `json:"status"`
	AgentID          string          `json:"agentId"`
	Description      string          `json:"description"`
	OutputFile       string          `json:"outputFile"`
	TaskID           string          `json:"taskId"`
	TaskType         string          `json:"taskType"`
	TimeoutMs        *float64        `json:"timeoutMs"`
	Persistent       bool            `json:"persistent"`
	WorkflowName     string          `json:"workflowName"`
	RunID            string          `json:"runId"`
	Summary          string          `json:"summary"`
	TranscriptDir    string          `json:"transcriptDir"`
	Error            json.RawMessage `json:"error"`
	Resumed          string          `json:"resumedAgentId"`
	Revived          string          `json:"revivedAgentId"`
	Message          string          `json:"message"`
	StoppedTask      string          `json:"task_id"`
	StoppedShell     string          `json:"shell_id"`
	Command          string          `json:"command"`
	Task             json.RawMessage `json:"task"`
	UpdatedFields    json.RawMessage `json:"updatedFields"`
	NewTodos         json.RawMessage `json:"newTodos"`
	SessionURL       string          `json:"sessionUrl"`
}

// resultKeys are members of results that can matter; a result without any is
// not decoded.
var resultKeys = map[string]bool{"backgroundTaskId": true, "agentId": true, "taskId": true, "task_id": true, "shell_id": true,
	"resumedAgentId": true, "revivedAgentId": true, "task": true, "newTodos": true, "retrieval_status": true}

// matters looks at the names of a result's members only.
func matters(result []byte) bool {
	found := false
	walk(result, func(key, _ []byte) bool {
		found = resultKeys[string(key)]
		return !found
	})
	return found
}

// results looks at the tool results of one user record.
func (x *extract) results(r record, off int64, open calls) {
	structured := len(r.result) > 0 && r.result[0] == '{'
	relevant := structured && matters(r.result)
	// Without a structured result the text is all there is (MCP, first versions).
	if (!relevant && (structured || !tellsText(r.message))) || x.foreign(r) {
		forget(r.message, open)
		return
	}
	var m message
	if !lenient(r.message, &m) {
		return
	}
	var o outcome
	if relevant {
		lenient(r.result, &o)
	}
	for i, b := range m.blocks() {
		if b.Type != "tool_result" || b.ToolUseID == "" {
			continue
		}
		c, known := open[b.ToolUseID]
		delete(open, b.ToolUseID)
		if b.IsError {
			continue
		}
		x.outcome(r, o, b, c, known, event{off: off, part: i, at: r.at, call: b.ToolUseID})
	}
}

// forget drops the calls that a message answers, without decoding it.
func forget(m []byte, open calls) {
	mark := []byte(`"tool_use_id":"`)
	for len(open) > 0 {
		i := bytes.Index(m, mark)
		if i < 0 {
			return
		}
		m = m[i+len(mark):]
		if j := bytes.IndexByte(m, '"'); j >= 0 {
			delete(open, string(m[:j]))
		}
	}
}

// outcome makes the event of one result, if it is one.
func (x *extract) outcome(r record, o outcome, b block, c toolCall, known bool, e event) {
	text := plainText(b.Content)
	switch {
	case o.BackgroundTaskID != "":
		x.shell(r, o, text, &e)
	case o.AgentID != "" && (o.IsAsync || o.Status == "async_launched"):
		e.ids, e.launch = []string{o.AgentID}, &launch{kind: task.Agent, title: o.Description, path: o.OutputFile}
	case o.Status == "remote_launched" && o.TaskID != "":
		e.ids, e.launch = []string{o.TaskID}, &launch{kind: task.Remote, title: o.Description}
	case o.TaskID != "" && o.TaskType == "local_workflow":
		if len(o.Error) > 2 {
			return
		}
		e.ids = []string{o.TaskID}
		e.launch = &launch{kind: task.Workflow, title: o.Summary, name: o.WorkflowName, runID: o.RunID, folder: o.TranscriptDir}
	case o.TaskID != "" && o.TimeoutMs != nil:
		e.ids = []string{o.TaskID}
		e.launch = &launch{kind: task.Monitor, timeout: time.Duration(*o.TimeoutMs) * time.Millisecond, persistent: o.Persistent, needs: "Monitor"}
	case o.Revived != "" || o.Resumed != "":
		e.kind, e.ids = resumed, []string{firstOf(o.Revived, o.Resumed)}
	case (o.StoppedTask != "" || o.StoppedShell != "") && strings.HasPrefix(o.Message, "Successfully "):
		e.kind, e.ids = stopped, []string{firstOf(o.StoppedTask, o.StoppedShell)}
	case known && planTools[c.name], !known && (len(o.UpdatedFields) > 0 || len(o.NewTodos) > 0 || (len(o.Task) > 0 && o.TaskID == "")):
		e.kind, e.plan = planned, &planCall{result: bytes.Clone(r.result)}
	default:
		if !x.fromText(text, c, known, &e) {
			return
		}
	}
	x.keep(e, c, known)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// keep adds the event and joins it with its call, now or when that is read.
func (x *extract) keep(e event, c toolCall, known bool) {
	if e.launch != nil {
		e.launch.version = x.recVersion
	}
	i := x.add(e)
	if i < 0 {
		return
	}
	if known {
		x.fill(i, c)
	} else if e.call != "" && (e.launch != nil || e.plan != nil) {
		x.wants[e.call] = append(x.wants[e.call], i)
	}
}

func (x *extract) shell(r record, o outcome, text string, e *event) {
	e.ids = []string{o.BackgroundTaskID}
	e.launch = &launch{kind: task.Shell, moved: len(o.TimedOutAfter) > 0 || o.ByUser || o.ByAssistant, byUser: o.ByUser, cwd: r.cwd}
	if m := writtenTo().FindStringSubmatch(text); m != nil {
		e.launch.path = m[1]
	}
}

// fill gives an event what its call says: title, command, the time of a call
// that was moved.
func (x *extract) fill(i int, c toolCall) {
	e := &x.events[i]
	x.dirty = true
	if e.plan != nil {
		e.plan.name, e.plan.input = c.name, bytes.Clone(c.input())
		return
	}
	l := e.launch
	if l == nil {
		return
	}
	if l.needs != "" && l.needs != c.name {
		e.launch, e.ids = nil, nil
		return
	}
	l.needs = ""
	var in struct {
		Command     string   `json:"command"`
		Description string   `json:"description"`
		TimeoutMs   *float64 `json:"timeout_ms"`
		Name        string   `json:"name"`
	}
	lenient(c.input(), &in)
	l.called = c.at
	l.command = in.Command
	if l.title == "" {
		l.title = firstOf(in.Description, in.Name)
	}
	if l.cwd == "" {
		l.cwd = c.cwd
	}
}
