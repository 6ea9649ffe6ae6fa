package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// record is one line of a transcript, with its large members left raw. The
// format is internal to the client and grows with every release: whatever is
// not named here is passed over.
type record struct {
	typ, subtype, operation string
	at                      time.Time
	session                 string
	cwd, version, branch    string
	entrypoint              string
	meta, compact, apiError bool
	message, result         []byte
	attachment, content     []byte
	origin                  []byte
	pendingAgents           int
	pendingWorkflows        int
	text                    map[string]string
}

// small are the types whose single text member is the title of the session or
// the id of its continuation.
var small = map[string]string{
	"custom-title": "customTitle",
	"ai-title":     "aiTitle",
	"summary":      "summary",
	"last-prompt":  "lastPrompt",
	"agent-name":   "agentName",
	"continued-in": "continuedInSessionId",
}

// wanted are the types that can matter; lines that open with another one are
// not read further.
var wanted = map[string]bool{"user": true, "assistant": true, "system": true, "attachment": true, "queue-operation": true}

// parse reads one line. false: it cannot matter, or it is no record.
func parse(line []byte) (record, bool) {
	var r record
	if t := leadingType(line); t != "" && !wanted[t] && small[t] == "" {
		return r, false
	}
	if !walk(line, r.take) {
		return r, false
	}
	return r, wanted[r.typ] || small[r.typ] != ""
}

// leadingType is the type of a line that starts with {"type":"…", "" if the
// member stands elsewhere.
func leadingType(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`))
	if !ok {
		return ""
	}
	end := bytes.IndexByte(rest[:min(len(rest), 64)], '"')
	if end < 0 {
		return ""
	}
	return string(rest[:end])
}

func (r *record) take(key, value []byte) bool {
	switch string(key) {
	case "type":
		r.typ = str(value)
	case "subtype":
		r.subtype = str(value)
	case "operation":
		r.operation = str(value)
	case "timestamp":
		r.at = when(str(value))
	case "sessionId":
		r.session = str(value)
	case "cwd":
		r.cwd = str(value)
	case "version":
		r.version = str(value)
	case "gitBranch":
		r.branch = str(value)
	case "entrypoint":
		r.entrypoint = str(value)
	case "isMeta":
		r.meta = string(value) == "true"
	case "isCompactSummary":
		r.compact = string(value) == "true"
	case "isApiErrorMessage":
		r.apiError = string(value) == "true"
	case "message":
		r.message = value
	case "toolUseResult":
		r.result = value
	case "attachment":
		r.attachment = value
	case "content":
		r.content = value
	case "origin":
		r.origin = value
	case "pendingBackgroundAgentCount":
		_ = json.Unmarshal(value, &r.pendingAgents)
	case "pendingWorkflowCount":
		_ = json.Unmarshal(value, &r.pendingWorkflows)
	case "customTitle", "aiTitle", "summary", "lastPrompt", "agentName", "continuedInSessionId":
		if r.text == nil {
			r.text = map[string]string{}
		}
		r.text[string(key)] = str(value)
	}
	return true
}

// str decodes a JSON string; "" for anything else.
func str(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1])
	}
	var s string
	_ = json.Unmarshal(value, &s)
	return s
}

// when reads the time of a record (RFC 3339); zero if it has none.
func when(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// lenient decodes what fits: a member of another type than expected is left
// zero and the rest is kept. false: it is no JSON at all.
func lenient(raw []byte, into any) bool {
	err := json.Unmarshal(raw, into)
	var wrongType *json.UnmarshalTypeError
	return err == nil || errors.As(err, &wrongType)
}

// block is one block of a message's content.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// message is what a user or assistant record carries.
type message struct {
	Content    json.RawMessage `json:"content"`
	StopReason string          `json:"stop_reason"`
	Model      string          `json:"model"`
	ID         string          `json:"id"`
	Usage      *usage          `json:"usage"`
}

type usage struct {
	Input      int64 `json:"input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	Output     int64 `json:"output_tokens"`
}

// blocks are the content blocks; a plain string is one text block.
func (m message) blocks() []block {
	if len(m.Content) > 0 && m.Content[0] == '"' {
		return []block{{Type: "text", Text: str(m.Content)}}
	}
	var out []block
	if !lenient(m.Content, &out) {
		return nil
	}
	return out
}

// plainText is the text of a tool result: a string or text blocks.
func plainText(content json.RawMessage) string {
	if len(content) > 0 && content[0] == '"' {
		return str(content)
	}
	var parts []block
	if !lenient(content, &parts) {
		return ""
	}
	var b bytes.Buffer
	for _, p := range parts {
		if p.Type != "text" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
	}
	return b.String()
}
