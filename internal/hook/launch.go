package hook

import (
	"encoding/json"
	"strings"

	"offstage/task"
)

// response is a tool's answer, as far as it names a task that runs now.
type response struct {
	Shell     string `json:"backgroundTaskId"`
	Task      string `json:"taskId"`
	TaskType  string `json:"taskType"`
	Agent     string `json:"agentId"`
	Async     bool   `json:"isAsync"`
	Output    string `json:"outputFile"`
	Timeout   int64  `json:"timeoutMs"`
	Persisted bool   `json:"persistent"`
}

// launched notes a task that a tool started, at the moment of its launch.
func launched(d Desk, e event, session string) {
	var r response
	if json.Unmarshal(e.Response, &r) != nil {
		return
	}
	var in struct {
		Command     string `json:"command"`
		Description string `json:"description"`
	}
	_ = json.Unmarshal(e.Input, &in)
	t := task.Task{Source: agent, Session: session, ToolCall: e.Call, Run: 1, Title: in.Description, Command: in.Command, Cwd: e.Cwd,
		Status: task.Running, StatusSource: "hook", Output: task.OutputRef{Path: r.Output, Recorded: r.Output}}
	switch {
	case r.Shell != "":
		t.Native, t.Kind = r.Shell, task.Shell
	case r.Agent != "" && r.Async:
		t.Native, t.Kind, t.Command = r.Agent, task.Agent, ""
	case r.Task != "" && e.Tool == "Monitor":
		t.Native, t.Kind = r.Task, task.Monitor
	case r.Task != "" && r.TaskType == "local_workflow":
		t.Native, t.Kind, t.Command = r.Task, task.Workflow, ""
	default:
		return
	}
	launch(d, t)
}

// kinds are the client's words for its live tasks.
var kinds = map[string]task.Kind{"shell": task.Shell, "subagent": task.Agent, "monitor": task.Monitor, "workflow": task.Workflow,
	"teammate": task.Teammate, "cloud session": task.Remote, "MCP task": task.MCP}

// running notes a task that the client lists as live.
func running(d Desk, b live, e event, session string) {
	kind, ok := kinds[b.Type]
	if !ok || b.Status != "running" {
		return
	}
	launch(d, task.Task{Source: agent, Native: b.ID, Kind: kind, Session: session, Run: 1, Title: b.Description, Command: b.Command, Cwd: e.Cwd,
		Status: task.Running, StatusSource: "hook"})
}

func launch(d Desk, t task.Task) {
	if !plain(t.Native) {
		return
	}
	t.ID = agent + ":" + t.Native
	if t.Title == "" {
		t.Title, _, _ = strings.Cut(strings.TrimSpace(t.Command), "\n")
	}
	d.Launched(t)
}

// maxID bounds an id; real ones have nine letters.
const maxID = 128

// plain says whether a word may stand in an id.
func plain(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for _, c := range id {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
