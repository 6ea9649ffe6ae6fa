package codex

import "encoding/json"

// record is a line, as far as it is used.
type record struct {
	Timestamp string  `json:"timestamp"`
	Type      string  `json:"type"`
	Payload   payload `json:"payload"`
}

type payload struct {
	Type string `json:"type"`
	// session_meta
	ID         string          `json:"id"`
	SessionID  string          `json:"session_id"`
	Cwd        string          `json:"cwd"`
	Originator string          `json:"originator"`
	Version    string          `json:"cli_version"`
	Source     json.RawMessage `json:"source"`
	Git        struct {
		Branch string `json:"branch"`
	} `json:"git"`
	// function_call, custom_tool_call and their outputs
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
	// message
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	// events
	Message     string  `json:"message"`
	LastMessage string  `json:"last_agent_message"`
	Item        item    `json:"item"`
	StartedMs   float64 `json:"started_at_ms"`
	CompletedMs float64 `json:"completed_at_ms"`
	ExitCode    *int    `json:"exit_code"` // exec_command_end of ≈0.118
	ProcessID   string  `json:"process_id"`
	Info        struct {
		Total struct {
			Input  int64 `json:"input_tokens"`
			Output int64 `json:"output_tokens"`
		} `json:"total_token_usage"`
		Last struct {
			Input int64 `json:"input_tokens"`
		} `json:"last_token_usage"`
	} `json:"info"`
}

type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	ProcessID string          `json:"process_id"`
	Command   []string        `json:"command"`
	Cwd       string          `json:"cwd"` // file:///srv/app
	Status    string          `json:"status"`
	Output    string          `json:"aggregated_output"`
	ExitCode  *int            `json:"exit_code"`
	Content   json.RawMessage `json:"content"`
	Duration  struct {
		Secs  float64 `json:"secs"`
		Nanos float64 `json:"nanos"`
	} `json:"duration"`
}
