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
	id, folder := s.sessionOf(ctx, req), s.folderSession(nameOf(req.ClientInfo()))
	before := s.o.Registry.Before(id)
	if folder != id { // what was started before the session was known is its own too
		before = append(before, folder)
	}
	return caller{id, before}
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
	return s.byFolder(ctx, nameOf(req.ClientInfo()))
}

// byFolder is the one living session of the client's agent in our folder; where
// there are several, or none, the folder stands for it. A session that began just
// now is looked for once more: some clients write of it with their first request.
func (s *Server) byFolder(ctx context.Context, client string) string {
	agent := agentOf(client)
	found := s.living(agent)
	if len(found) == 0 && agent != unknownAgent {
		_, _ = s.o.Registry.Scan(ctx, 0) // what it could not read is looked for at the next call
		found = s.living(agent)
	}
	if len(found) == 1 {
		return found[0].ID
	}
	return s.folderSession(client)
}

// living are the sessions of an agent in our folder that have not ended.
func (s *Server) living(agent string) []task.Session {
	var found []task.Session
	for _, x := range s.o.Registry.Sessions() {
		if x.Agent == agent && x.Cwd == s.o.Cwd && x.State != task.EndedSession {
			found = append(found, x)
		}
	}
	return found
}

// folderSession is what stands for a client's session as long as that is not known.
func (s *Server) folderSession(client string) string { return agentOf(client) + ":" + s.o.Cwd }

// unknownAgent is the agent of clients whose traces we do not read.
const unknownAgent = "mcp"

// agentOf is the source's name of a client by the name that it gives itself
// ("gemini-cli-mcp-client", "kimi-code").
func agentOf(client string) string {
	low := strings.ToLower(client)
	for _, a := range []string{"claude", "codex", "gemini", "qwen", "kimi", "opencode", "copilot", "crush", "cursor"} {
		if strings.Contains(low, a) {
			return a
		}
	}
	return unknownAgent
}

// showsBoth says that a client gives its model the text of a result and its data
// too: what is long is put into the text alone.
func showsBoth(client string) bool { return slices.Contains([]string{"qwen", "kimi"}, agentOf(client)) }

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
