package kimi

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

// record is a task as Kimi Code 2 wrote it.
type record struct {
	TaskID           string  `json:"taskId"`
	Kind             string  `json:"kind"`
	Description      string  `json:"description"`
	Status           string  `json:"status"`
	Detached         *bool   `json:"detached"`
	StartedAt        float64 `json:"startedAt"` // ms
	EndedAt          float64 `json:"endedAt"`   // ms, null while it runs
	TimeoutMs        float64 `json:"timeoutMs"`
	Command          string  `json:"command"`
	PID              int     `json:"pid"`
	ExitCode         *int    `json:"exitCode"` // -1 for every end by a signal
	StopReason       string  `json:"stopReason"`
	Suppressed       bool    `json:"terminalNotificationSuppressed"`
	AgentID          string  `json:"agentId"`
	SubagentType     string  `json:"subagentType"`
	ParentToolCallID string  `json:"parentToolCallId"`
	ApprovalReason   string  `json:"approvalReason"`
}

// legacy is what the first versions (0.x) called the same.
type legacy struct {
	TaskID     string  `json:"task_id"`
	StartedAt  float64 `json:"started_at"`
	EndedAt    float64 `json:"ended_at"`
	TimeoutMs  float64 `json:"timeout_ms"`
	ExitCode   *int    `json:"exit_code"`
	StopReason string  `json:"stop_reason"`
	AgentID    string  `json:"agent_id"`
	Subagent   string  `json:"subagent_type"`
	TimedOut   bool    `json:"timed_out"`
	ParentCall string  `json:"parent_tool_call_id"`
}

// parse reads a record; false where it is none (yet).
func parse(b []byte) (record, bool) {
	var r record
	if !trace.Decode(b, &r) {
		return r, false
	}
	if r.TaskID == "" {
		var old legacy
		if !trace.Decode(b, &old) || old.TaskID == "" {
			return r, false
		}
		r.TaskID, r.StartedAt, r.EndedAt, r.TimeoutMs = old.TaskID, old.StartedAt, old.EndedAt, old.TimeoutMs
		r.ExitCode, r.StopReason, r.AgentID, r.SubagentType, r.ParentToolCallID = old.ExitCode, old.StopReason, old.AgentID, old.Subagent, old.ParentCall
		if old.TimedOut {
			r.Status = "timed_out"
		}
	}
	return r, true
}

// kept is a record with its place and what was read of it.
type kept struct {
	record
	rel      string // of the .json file
	owner    string // the agent whose folder it lies in: "main", "agent-0"; "" in the old layout
	size     int64
	modified time.Time
	broken   bool
	// output is the log beside it, once there is one.
	output   fs.FileInfo
	started  time.Time
	ended    time.Time
	lastSeen time.Time
}

func (k *kept) log() string { return path.Join(strings.TrimSuffix(k.rel, ".json"), "output.log") }

// open: the record says that it runs, or what its word means cannot be said.
func (k *kept) open() bool {
	switch k.Status {
	case "completed", "failed", "timed_out", "killed", "lost":
		return false
	}
	return k.ended.IsZero() && k.TaskID != ""
}

// take puts what the file holds now into k; what does not parse leaves the last
// truth, and is tried again when the file changes.
func (k *kept) take(f *trace.Folder, st fs.FileInfo) {
	k.size, k.modified = st.Size(), st.ModTime()
	b, _, err := f.Read(k.rel, maxRecord)
	r, ok := record{}, false
	if err == nil {
		r, ok = parse(b)
	}
	if k.broken = !ok; ok {
		k.record, k.started, k.ended = r, trace.Millis(r.StartedAt), trace.Millis(r.EndedAt)
	}
}

// maxRecord bounds a record file; the largest met has 600 bytes, and a command
// may be long.
const maxRecord = 4 << 20
