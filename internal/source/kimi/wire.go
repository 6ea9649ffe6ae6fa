package kimi

import (
	"bytes"
	"encoding/json"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// wire is what one agent's transcript (wire.jsonl) tells beside its steps.
type wire struct {
	rel   string
	lines trace.Lines

	turn       bool // the last turn is open
	turnAt     time.Time
	prompt     string
	said       string
	calls      int
	activity   string
	activityAt time.Time
	input      int64
	output     int64
	plan       task.Plan
}

// event is a line of it, as far as it is used.
type event struct {
	Type  string  `json:"type"`
	Time  float64 `json:"time"` // ms
	Usage struct {
		InputOther         int64 `json:"inputOther"`
		InputCacheRead     int64 `json:"inputCacheRead"`
		InputCacheCreation int64 `json:"inputCacheCreation"`
		Output             int64 `json:"output"`
	} `json:"usage"`
	Input  json.RawMessage `json:"input"`
	Event  loopEvent       `json:"event"`
	Reason string          `json:"reason"`
}

// loopEvent is a step of a turn: tool.call, tool.result, content.part …
type loopEvent struct {
	Type string          `json:"type"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	Part struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"part"`
	Result struct {
		Output  json.RawMessage `json:"output"`
		IsError bool            `json:"isError"`
	} `json:"result"`
}

// read takes what was added; the rest of a long one waits for the next call.
func (w *wire) read(f *trace.Folder, most int64) {
	w.lines.Read(f, w.rel, most, func() { *w = wire{rel: w.rel, lines: w.lines} }, func(line []byte, _ int64) { w.take(line) })
}

// told are the words in the head of a line that is worth decoding.
var told = [][]byte{[]byte(`turn.`), []byte(`"tool.call"`), []byte(`"content.part"`), []byte(`"usage.record"`)}

func (w *wire) take(line []byte) {
	head := line[:min(len(line), 256)]
	for _, word := range told {
		if bytes.Contains(head, word) {
			var e event
			if trace.Decode(line, &e) {
				w.event(e)
			}
			return
		}
	}
}

func (w *wire) event(e event) {
	at := trace.Millis(e.Time)
	switch e.Type {
	case "turn.prompt":
		w.turn, w.turnAt = true, at
		if text := trace.FirstLine(trace.Text(e.Input)); w.prompt == "" {
			w.prompt = text
		}
	case "agent.turn.started":
		w.turn, w.turnAt = true, at
	case "agent.turn.ended", "turn.ended", "turn.cancelled":
		w.turn, w.turnAt = false, at
	case "usage.record":
		w.output += e.Usage.Output
		w.input = e.Usage.InputOther + e.Usage.InputCacheRead + e.Usage.InputCacheCreation
	case "context.append_loop_event":
		w.step(e.Event, at)
	}
}

func (w *wire) step(e loopEvent, at time.Time) {
	switch e.Type {
	case "tool.call":
		w.calls++
		w.activity, w.activityAt = trace.Clip(trace.Clean(e.Name+" "+trace.Headline(e.Args)), 300), at
		if e.Name == "TodoList" || e.Name == "SetTodoList" {
			if p := trace.Plan(e.Args); len(p.Entries) > 0 {
				w.plan = p
			}
		}
	case "content.part":
		if e.Part.Type == "text" && e.Part.Text != "" {
			w.said = trace.Clip(e.Part.Text, 64<<10)
		}
	}
}

// Steps reads a transcript as steps (spec 2 O4). It implements task.Decoder.
type Steps struct{}

// Decode makes the rows of one record; none for what is no step.
func (Steps) Decode(line []byte, at int64) []task.Line {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var r trace.Rows
	var e event
	if !trace.Decode(line, &e) || e.Type == "" {
		r.Note("A record that cannot be read")
		return r.Lines(at, len(line))
	}
	r.At = trace.Millis(e.Time)
	switch e.Type {
	case "turn.prompt":
		r.Told(trace.Text(e.Input))
	case "context.append_loop_event":
		switch e.Event.Type {
		case "content.part":
			if e.Event.Part.Type == "text" {
				r.Say(e.Event.Part.Text)
			}
		case "tool.call":
			r.Call(e.Event.Name, e.Event.Args)
		case "tool.result":
			r.Result(trace.Text(e.Event.Result.Output), e.Event.Result.IsError)
		}
	case "turn.ended":
		if e.Reason != "" && e.Reason != "completed" {
			r.Bad("The turn ended: " + trace.Clean(e.Reason))
		}
	}
	return r.Lines(at, len(line))
}
