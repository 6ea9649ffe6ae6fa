package codex

import (
	"bytes"
	"encoding/json"
	"slices"

	"offstage/internal/source/trace"
	"offstage/task"
)

// Steps reads a rollout as steps (spec 2 O4). It implements task.Decoder.
type Steps struct{}

// Decode makes the rows of one record; none for what is no step.
func (Steps) Decode(line []byte, at int64) []task.Line {
	r, x, ok := rows(line)
	if !ok {
		return r.Lines(at, len(line))
	}
	p := x.Payload
	switch p.Type {
	case "function_call":
		r.Call(p.Name, json.RawMessage(p.Arguments))
	case "custom_tool_call":
		text, _ := json.Marshal(p.Input)
		r.Call(p.Name, text)
	case "function_call_output", "custom_tool_call_output":
		text := trace.Text(p.Output)
		m := exitText.FindStringSubmatch(preamble(text))
		r.Result(text, m != nil && m[1] != "0")
	case "user_message":
		r.Told(p.Message)
	case "item_completed":
		switch p.Item.Type {
		case "UserMessage":
			r.Told(trace.Text(p.Item.Content))
		case "AgentMessage":
			r.Say(trace.Text(p.Item.Content))
		}
	case "turn_aborted":
		r.Bad("The turn was stopped.")
	}
	return r.Lines(at, len(line))
}

// rows decodes a record; ok is false where nothing more is to be said of it.
func rows(line []byte) (*trace.Rows, record, bool) {
	var r trace.Rows
	var x record
	if len(bytes.TrimSpace(line)) == 0 {
		return &r, x, false
	}
	if !trace.Decode(line, &x) || x.Type == "" {
		r.Note("A record that cannot be read")
		return &r, x, false
	}
	r.At = trace.Stamp(x.Timestamp)
	return &r, x, true
}

// Output reads the output of one command out of its thread's rollout: what the
// model was given of it, and all of it where it ended. Codex keeps the rest in
// memory until then. It implements task.Decoder.
type Output struct {
	// ID of the command's item, Calls the calls whose output belongs to it.
	ID    string
	Calls []string
	// Number is the agent's own of it, by which scripts of code mode are told of it.
	Number string
	// Ended: only the record of the end is shown, which holds everything.
	Ended bool
}

// Decode makes the rows of one record; none for one of another command.
func (o Output) Decode(line []byte, at int64) []task.Line {
	if !o.about(line) {
		return nil
	}
	r, x, ok := rows(line)
	if !ok {
		return nil
	}
	p := x.Payload
	switch {
	case p.Type == "item_completed" && p.Item.ID == o.ID:
		r.Print(p.Item.Output)
	case !o.Ended:
		if text := o.given(p); text != "" {
			r.Print(text)
		}
	}
	return r.Lines(at, len(line))
}

// given is what the model was given of the command's output in one answer.
func (o Output) given(p payload) string {
	switch {
	case p.Type == "function_call_output" && slices.Contains(o.Calls, p.CallID):
		return printed(trace.Text(p.Output))
	case p.Type != "custom_tool_call_output" || o.Number == "":
		return ""
	}
	text := ""
	for _, got := range scriptResults(p.Output) {
		if got.number == o.Number {
			text += got.output
		}
	}
	return text
}

// about is a cheap look whether a record can be the command's.
func (o Output) about(line []byte) bool {
	head := line[:min(len(line), 1024)]
	if bytes.Contains(head, []byte(o.ID)) {
		return true
	}
	if o.Ended {
		return false
	}
	if o.Number != "" && bytes.Contains(head, scriptLine) && bytes.Contains(line, []byte(o.Number)) {
		return true
	}
	return slices.ContainsFunc(o.Calls, func(id string) bool { return bytes.Contains(head, []byte(id)) })
}
