package left

import (
	"strconv"
	"strings"

	"offstage/internal/proc"
)

// mark is how one agent marks the children of its commands, and only those: its
// MCP servers, hooks and status lines carry less. The names were seen in the
// environments of real clients.
type mark struct {
	// agent is the name of its source, label what people call it.
	agent, label string
	// needs are all there on a child of a command; value "" stands for any.
	needs []want
	// session and pid name the agent's session and its own process; "" if it
	// tells neither.
	session, pid string
	// piped: the mark stands on MCP servers too, which differ in that they talk
	// through a pipe.
	piped bool
}

type want struct{ name, value string }

var marks = []mark{
	{agent: "codex", label: "Codex", needs: []want{{"CODEX_TOOL_CALL_ID", ""}}, session: "CODEX_THREAD_ID"},
	{agent: "qwen", label: "Qwen Code", needs: []want{{"QWEN_CODE", "1"}, {"QWEN_CODE_PROMPT_ID", ""}}, session: "QWEN_CODE_SESSION_ID"},
	{agent: "copilot", label: "Copilot", needs: []want{{"COPILOT_CLI", "1"}, {"COPILOT_AGENT_SESSION_ID", ""}}, session: "COPILOT_AGENT_SESSION_ID", pid: "COPILOT_LOADER_PID", piped: true},
	{agent: "opencode", label: "OpenCode", needs: []want{{"OPENCODE", "1"}}, pid: "OPENCODE_PID", piped: true},
	{agent: "crush", label: "Crush", needs: []want{{"CRUSH", "1"}}, piped: true},
	{agent: "gemini", label: "Gemini", needs: []want{{"GEMINI_CLI", "1"}}, piped: true},
	{agent: "claude", label: "Claude Code", needs: []want{{"CLAUDE_CODE_CHILD_SESSION", ""}, {"CLAUDE_CODE_SESSION_ID", ""}}, session: "CLAUDE_CODE_SESSION_ID", pid: "CLAUDE_PID"},
}

// hookMark stands in the environment of Claude Code's hooks and MCP servers, not
// of its commands.
const hookMark = "CLAUDE_PROJECT_DIR"

// taskMark stands in the environment of what a task of our own started, whoever
// asked for that: the source of our own tasks lists what such a task leaves.
const taskMark = "OFFSTAGE_TASK"

// names are all that is read of an environment.
var names = func() []string {
	out := []string{hookMark, taskMark}
	for _, m := range marks {
		for _, w := range m.needs {
			out = append(out, w.name)
		}
		out = append(out, m.session, m.pid)
	}
	return out
}()

// origin says whose command a process descends from.
type origin struct {
	mark *mark
	// session is the agent's id of its session, "" if the mark tells none.
	session string
	// agentPID is the agent's process at that time, 0 if not told.
	agentPID int
}

// originOf reads the marks of pid. Where one agent was started by a command of
// another, its children carry the marks of both: the inner one is told by the
// marks that the outer one's own children do not have, so the outermost agent,
// Claude Code, which sets its marks anew and is the usual host, is asked last.
func originOf(t *proc.Table, pid int) (origin, bool) {
	env := t.Env(pid, names...)
	if len(env) == 0 || env[hookMark] != "" || env[taskMark] != "" {
		return origin{}, false
	}
	for i := range marks {
		m := &marks[i]
		if !m.fits(env) || m.piped && piped(t, pid) {
			continue
		}
		o := origin{mark: m, session: clean(env[m.session])}
		o.agentPID, _ = strconv.Atoi(env[m.pid])
		return o, true
	}
	return origin{}, false
}

func (m *mark) fits(env map[string]string) bool {
	for _, w := range m.needs {
		if v, ok := env[w.name]; !ok || v == "" || w.value != "" && v != w.value {
			return false
		}
	}
	return true
}

// piped says that a process reads and writes through pipes or sockets, as an MCP
// server does; commands read nothing.
func piped(t *proc.Table, pid int) bool {
	for _, fd := range []int{0, 1} {
		to := t.Link(pid, fd)
		if !strings.HasPrefix(to, "pipe:") && !strings.HasPrefix(to, "socket:") {
			return false
		}
	}
	return true
}

// maxSession bounds an id taken from an environment.
const maxSession = 128

// clean is an id that may stand in a task's id; anything else is none.
func clean(id string) string {
	if len(id) > maxSession {
		return ""
	}
	for _, c := range id {
		if c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return ""
		}
	}
	return id
}
