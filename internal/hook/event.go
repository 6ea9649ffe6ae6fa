package hook

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxEvent bounds an event: tool inputs and answers stand in it whole.
const maxEvent = 32 << 20

// event is what Claude Code gives its hooks (2.0 – 2.1.332), as far as it matters
// here.
type event struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"`
	// Source of SessionStart: startup, resume, clear, compact, fork. Reason of
	// SessionEnd: clear, resume, logout, prompt_input_exit, other.
	Source string `json:"source"`
	Reason string `json:"reason"`
	Prompt string `json:"prompt"`
	// Tool, its call, input and answer, of PostToolUse.
	Tool     string          `json:"tool_name"`
	Call     string          `json:"tool_use_id"`
	Input    json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	// Agent is set within a sub-agent.
	Agent string `json:"agent_id"`
	// Background are the live tasks, of Stop and SubagentStop (2.1.145 on).
	Background []live `json:"background_tasks"`
}

// live is one task that runs.
type live struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Status      string `json:"status"`
	Description string `json:"description"`
	Command     string `json:"command"`
}

func parse(b []byte) (event, error) {
	var e event
	if len(b) > maxEvent {
		return e, fmt.Errorf("the event has %d bytes: it is left alone", len(b))
	}
	if err := json.Unmarshal(b, &e); err != nil {
		return e, fmt.Errorf("the event is no JSON of a hook: %w", err)
	}
	if e.Name == "" {
		return e, errors.New("the event has no hook_event_name: it is left alone")
	}
	return e, nil
}

// answer is what a hook may print.
type answer struct {
	Decision string  `json:"decision,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Specific *detail `json:"hookSpecificOutput,omitempty"`
}

type detail struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// context is an answer that puts a text before the agent; nil for no text.
func context(name, text string) []byte {
	if text == "" {
		return nil
	}
	b, err := json.Marshal(answer{Specific: &detail{Event: name, Context: text}})
	if err != nil {
		return nil
	}
	return b
}

// block is an answer after which no turn starts.
func block(reason string) []byte {
	b, err := json.Marshal(answer{Decision: "block", Reason: reason})
	if err != nil {
		return nil
	}
	return b
}
