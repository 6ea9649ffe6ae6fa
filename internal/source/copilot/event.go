package copilot

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// event is a line of events.jsonl, as far as it is used.
type event struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // RFC 3339
	// AgentID is set on what a sub-agent did.
	AgentID string `json:"agentId"`
	Data    data   `json:"data"`
}

type data struct {
	// session.start, session.resume
	SessionID string `json:"sessionId"`
	Version   string `json:"copilotVersion"`
	StartTime string `json:"startTime"`
	Context   struct {
		Cwd    string `json:"cwd"`
		Branch string `json:"branch"`
	} `json:"context"`
	// user.message, assistant.message, system.notification
	Content json.RawMessage `json:"content"`
	Source  string          `json:"source"`
	// tool.execution_start and _complete
	CallID    string          `json:"toolCallId"`
	ToolName  string          `json:"toolName"`
	Arguments json.RawMessage `json:"arguments"`
	Success   *bool           `json:"success"`
	Result    struct {
		Content json.RawMessage `json:"content"`
	} `json:"result"`
	Error     failure `json:"error"`
	Telemetry struct {
		Properties struct {
			Detached string `json:"detached"`
		} `json:"properties"`
	} `json:"toolTelemetry"`
	// system.notification
	Kind struct {
		Type        string `json:"type"`
		ShellID     string `json:"shellId"`
		ExitCode    *int   `json:"exitCode"`
		AgentID     string `json:"agentId"`
		Status      string `json:"status"`
		Description string `json:"description"`
	} `json:"kind"`
	// subagent.started, .completed, .failed
	AgentName        string `json:"agentName"`
	AgentDisplayName string `json:"agentDisplayName"`
	AgentDescription string `json:"agentDescription"`
	ExecutionMode    string `json:"executionMode"`
	TotalToolCalls   int    `json:"totalToolCalls"`
	// session.usage_record
	Usage struct {
		Input  int64 `json:"inputTokens"`
		Output int64 `json:"outputTokens"`
	} `json:"usage"`
}

// failure is {"message":…}, or a text in older versions.
type failure struct{ Message string }

// UnmarshalJSON takes either form, and nothing from another.
func (f *failure) UnmarshalJSON(b []byte) error {
	var o struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(b, &f.Message) == nil {
		return nil
	}
	if json.Unmarshal(b, &o) == nil {
		f.Message = o.Message
	}
	return nil
}

// asked are the arguments of the tools that matter here.
type asked struct {
	Command     string          `json:"command"`
	Description string          `json:"description"`
	Mode        string          `json:"mode"`
	Detach      bool            `json:"detach"`
	ShellID     json.RawMessage `json:"shellId"`
	Todos       json.RawMessage `json:"todos"`
	Prompt      string          `json:"prompt"`
	Name        string          `json:"name"`
	AgentType   string          `json:"agent_type"`
}

// idle are the kinds of records that tell nothing here; some are long.
var idle = [][]byte{[]byte(`"system.message"`), []byte(`"session.model_change"`), []byte(`"hook.`)}

var (
	usageWord    = []byte(`"session.usage_record"`)
	agentWord    = []byte(`"agentId"`)
	completeWord = []byte(`"tool.execution_complete"`)
	callWord     = []byte(`"toolCallId"`)
)

// answered is the id of the call that a line answers, where that can be told from
// its head; ok is false for any other line.
func answered(line []byte) (id string, ok bool) {
	head := line[:min(len(line), 400)]
	if !bytes.Contains(head[:min(len(head), 64)], completeWord) {
		return "", false
	}
	_, rest, found := bytes.Cut(head, callWord)
	if !found {
		return "", false
	}
	word, _, found := bytes.Cut(bytes.TrimLeft(rest, `: "`), []byte{'"'})
	return string(word), found
}

// said is what the last line of a command's result says of its shell; those words
// are Copilot's own.
type said struct {
	shell    string
	ended    bool
	code     *int
	handed   bool // it goes on in the background
	detached bool
	stopped  bool
}

var (
	shellWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:shellId|with id): ([A-Za-z0-9_.-]+)`) })
	codeWords  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`completed with exit code:? (-?\d+)`) })
	listWords  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*shellId: ([A-Za-z0-9_.-]+), pid: (\d+),`)
	})
)

// trailer reads the last line of a result; false where it is the command's own.
func trailer(text string) (said, bool) {
	line := lastLine(text)
	if !strings.HasPrefix(line, "<") || !strings.HasSuffix(line, ">") {
		return said{}, false
	}
	m := shellWords().FindStringSubmatch(line)
	if m == nil {
		return said{}, false
	}
	s := said{shell: m[1], detached: strings.Contains(line, "detached")}
	switch {
	case strings.Contains(line, " stopped>"):
		s.ended, s.stopped = true, true
	case strings.Contains(line, "completed"):
		s.ended = true
		if c := codeWords().FindStringSubmatch(line); c != nil {
			if n, err := strconv.Atoi(c[1]); err == nil {
				s.code = &n
			}
		}
	case strings.Contains(line, "started in"), strings.Contains(line, "still running"), strings.Contains(line, "background"):
		s.handed = true
	default:
		return said{}, false
	}
	return s, true
}

func lastLine(text string) string {
	text = strings.TrimRight(text, "\r\n\t ")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
