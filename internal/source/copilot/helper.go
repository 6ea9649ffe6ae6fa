package copilot

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// helper is one sub-agent.
type helper struct {
	id, call, kind, title string
	foreground            bool
	at                    time.Time
	ended, failed         bool
	endAt                 time.Time
	said                  string
	calls                 int
	input, output         int64 // tokens: the last count, and the sum
	activity              string
	activityAt            time.Time
	gone                  time.Time
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
