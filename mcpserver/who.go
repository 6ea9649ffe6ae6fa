package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"offstage/internal/registry"
	"offstage/task"
)

// caller is whose call it is (M3).
type caller struct {
	// session is the id of its session ("claude:…"); never "".
	session string
	// before are the sessions that it went on from in the same window: their tasks
	// are its own.
	before []string
}

// sessionVars name an agent's session in the environment of the servers that it
// starts.
var sessionVars = []struct{ agent, name string }{
	{"claude", "CLAUDE_CODE_SESSION_ID"}, {"qwen", "QWEN_CODE_SESSION_ID"}, {"copilot", "COPILOT_AGENT_SESSION_ID"}, {"codex", "CODEX_THREAD_ID"},
}

// callerOf knows a caller by the call itself, by the process that started us (so
// that a session that follows another in the same window is followed too), by our
// environment, and last by the client's name and the folder.
func (s *Server) callerOf(ctx context.Context, req *mcp.CallToolRequest) caller {
	id := s.sessionOf(ctx, req)
	return caller{id, s.o.Registry.Before(id)}
}

func (s *Server) sessionOf(ctx context.Context, req *mcp.CallToolRequest) string {
	if id, ok := req.Params.Meta["threadId"].(string); ok && plainID(id) {
		return "codex:" + id
	}
	if s.o.Client > 0 {
		if !s.o.Registry.Settled() {
			_, _ = s.o.Registry.Scan(ctx, 0) // what it could not read yet is looked for by the environment
		}
		if x, ok := s.o.Registry.SessionOfProcess(s.o.Client); ok {
			return x.ID
		}
	}
	for _, v := range sessionVars {
		if id := s.o.Getenv(v.name); plainID(id) {
			return v.agent + ":" + id
		}
	}
	return s.byFolder(nameOf(req.ClientInfo()))
}

// byFolder is the one living session of the client's agent in our folder; where
// there are several, or none, the folder stands for it.
func (s *Server) byFolder(client string) string {
	agent := agentOf(client)
	var found []task.Session
	for _, x := range s.o.Registry.Sessions() {
		if x.Agent == agent && x.Cwd == s.o.Cwd && x.State != task.EndedSession {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0].ID
	}
	return agent + ":" + s.o.Cwd
}

// agentOf is the source's name of a client by the name that it gives itself
// ("gemini-cli-mcp-client", "kimi-code").
func agentOf(client string) string {
	low := strings.ToLower(client)
	for _, a := range []string{"claude", "codex", "gemini", "qwen", "kimi", "opencode", "copilot", "crush", "cursor"} {
		if strings.Contains(low, a) {
			return a
		}
	}
	return "mcp"
}

// hasOwnList says that a client gives its model a task list of its own.
func hasOwnList(client string) bool { return agentOf(client) == "claude" }

// plainID says whether a text may stand in an id.
func plainID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for _, c := range id {
		if c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// mine says whether a task is the caller's own.
func (c caller) mine(t task.Task) bool {
	return t.Session == c.session || slices.Contains(c.before, t.Session)
}

// find is the task that ref means, the caller's own before all others.
func (s *Server) find(ctx context.Context, c *call, ref string) (task.Task, error) {
	snap, err := s.snapshot(ctx)
	if err != nil {
		return task.Task{}, err
	}
	own := snap
	own.Tasks = nil
	for _, t := range snap.Tasks {
		if c.who.mine(t) {
			own.Tasks = append(own.Tasks, t)
		}
	}
	if t, err := registry.Find(own, ref); err == nil {
		return t, nil
	}
	t, err := registry.Find(snap, ref)
	if err != nil {
		s.o.Registry.Ended(true)
		if snap, err = s.snapshot(ctx); err == nil {
			t, err = registry.Find(snap, ref)
		}
	}
	if err == registry.ErrNoTask {
		return t, wrong("no task %q is known: list_tasks lists those there are", ref)
	}
	return t, err
}
