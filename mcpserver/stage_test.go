package mcpserver

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/task"
)

// agentTasks is a source whose tasks a test sets.
type agentTasks struct {
	mu   sync.Mutex
	snap task.Snapshot
}

func (s *agentTasks) Dirs() []string { return nil }

func (s *agentTasks) Scan(context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := s.snap
	snap.Tasks = append([]task.Task(nil), snap.Tasks...)
	return snap, nil
}

func (s *agentTasks) set(f func(*task.Snapshot)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.snap)
}

// stage is a server with a client on the same machine, without a pipe between.
type stage struct {
	*testing.T
	dir    string
	src    *agentTasks
	reg    *registry.Registry
	client *mcp.ClientSession
	env    map[string]string
}

const session = "claude:11111111-2222-4333-8444-555555555555"

func newStage(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	s := &stage{T: t, dir: t.TempDir(), src: &agentTasks{}, env: map[string]string{"CLAUDE_CODE_SESSION_ID": strings.TrimPrefix(session, "claude:")}}
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": s.dir}[k] }})
	must(t, err)
	log := filepath.Join(s.dir, "out.log")
	must(t, os.WriteFile(log, []byte("one\ntwo\nthree\n"), 0o600))
	s.src.snap = task.Snapshot{
		Sessions: []task.Session{{ID: session, Agent: "claude", Native: strings.TrimPrefix(session, "claude:"), Cwd: "/srv/app", Title: "the work", State: task.BackgroundOnly},
			{ID: "codex:c", Agent: "codex", Native: "c", Cwd: "/srv/app", State: task.Idle}},
		Tasks: []task.Task{
			{ID: "codex:other", Source: "codex", Native: "other", Session: "codex:c", Kind: task.Shell, Run: 1, Title: "another's server", Status: task.Running, Started: time.Now().Add(-time.Hour), Can: task.Can{Read: true, Stop: true}},
			{ID: "claude:b1", Source: "claude", Native: "b1", Session: session, Kind: task.Shell, Run: 1, Title: "dev server", Command: "npm run dev", Status: task.Running,
				Started: time.Now().Add(-time.Minute), Output: task.OutputRef{Path: log, Recorded: log}, Can: task.Can{Read: true, Stop: true}},
		},
	}
	s.reg = registry.New(registry.Options{World: w, State: filepath.Join(s.dir, "state"), Everywhere: true, Keep: registry.Keep{For: time.Hour, Max: 20}, Sources: []registry.Named{{Name: "claude", Source: s.src}}})
	t.Cleanup(func() { _ = s.reg.Close() })
	o := Options{Registry: s.reg, Version: "test", Cwd: s.dir, Getenv: func(k string) string { return s.env[k] }}
	if change != nil {
		change(&o)
	}
	s.connect(o, "test-client")
	return s
}

// connect joins a client of a name to a server.
func (s *stage) connect(o Options, name string) {
	s.Helper()
	here, there := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	s.Cleanup(cancel)
	must(s, New(o).Connect(ctx, here))
	client, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil).Connect(ctx, there, nil)
	must(s, err)
	s.Cleanup(func() { _ = client.Close() })
	s.client = client
}

// call gives a tool's text, its data, and whether it is an error.
func (s *stage) call(name, args string) (text string, data map[string]any, bad bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	must(s, err)
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	data, _ = res.StructuredContent.(map[string]any)
	return text, data, res.IsError
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
