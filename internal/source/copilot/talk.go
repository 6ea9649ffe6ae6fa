package copilot

import (
	"bytes"
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
	first, last, before          time.Time // before: of the event before the last one
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
	if t.before = t.last; at.After(t.last) {
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
		t.leave(t.before) // the one before it wrote nothing more: it was gone by then
		t.turnAt = at
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
