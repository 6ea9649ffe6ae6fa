package copilot

import (
	"bytes"
	"slices"
	"strings"

	"offstage/internal/source/trace"
	"offstage/task"
)

// Steps reads what one sub-agent did out of its session's events, as steps (spec 2
// O4). It implements task.Decoder.
type Steps struct{ Agent string }

// Decode makes the rows of one record; none for what another did.
func (s Steps) Decode(line []byte, at int64) []task.Line {
	if !bytes.Contains(line, []byte(s.Agent)) {
		return nil
	}
	var r trace.Rows
	var e event
	if !trace.Decode(line, &e) || e.AgentID != s.Agent {
		return nil
	}
	r.At = trace.Stamp(e.Timestamp)
	switch e.Type {
	case "user.message":
		r.Told(trace.Text(e.Data.Content))
	case "assistant.message":
		r.Say(trace.Text(e.Data.Content))
	case "tool.execution_start":
		r.Call(e.Data.ToolName, e.Data.Arguments)
	case "tool.execution_complete":
		failed := e.Data.Success != nil && !*e.Data.Success
		text := trace.First(e.Data.Error.Message, trace.Text(e.Data.Result.Content))
		if s, ok := trailer(text); ok && s.code != nil && *s.code != 0 {
			failed = true
		}
		r.Result(text, failed)
	case "subagent.failed":
		r.Bad(trace.First(e.Data.Error.Message, "The sub-agent failed."))
	}
	return r.Lines(at, len(line))
}

// Output reads what one attached command printed out of its session's events: what
// Copilot has read of it, which is all of it at its end. It implements task.Decoder.
type Output struct {
	// Calls are those whose results hold it.
	Calls []string
}

// Decode makes the rows of one record; none for one of another command.
func (o Output) Decode(line []byte, at int64) []task.Line {
	id, ok := answered(line)
	if ok && !slices.Contains(o.Calls, id) {
		return nil
	}
	if !ok && !bytes.Contains(line[:min(len(line), 64)], completeWord) {
		return nil
	}
	var e event
	if !trace.Decode(line, &e) || e.Type != "tool.execution_complete" || !slices.Contains(o.Calls, e.Data.CallID) {
		return nil
	}
	var r trace.Rows
	r.At = trace.Stamp(e.Timestamp)
	text := trace.Text(e.Data.Result.Content)
	if _, ok := trailer(text); ok {
		text = strings.TrimSuffix(strings.TrimRight(text, "\r\n\t "), lastLine(text))
	}
	r.Print(strings.TrimSuffix(text, "\n"))
	return r.Lines(at, len(line))
}
