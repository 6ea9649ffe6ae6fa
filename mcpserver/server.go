package mcpserver

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"offstage/internal/registry"
	"offstage/task"
)

// Options are what a server stands on.
type Options struct {
	Registry *registry.Registry
	Version  string
	// AllowForeign lets the agent stop tasks that are not of its session (M3).
	AllowForeign bool
	// Lists is where agents' task lists are kept; nil serves none (spec 4).
	Lists Lists
	// Todo is auto, on or off: whether the tools of the task list are served. Auto
	// leaves them out for a client that has such tools itself (T13).
	Todo string
	// Timeout ends the tasks that agents start without another wish (H1).
	Timeout time.Duration
	// Limit and LimitDo guard their outputs (O6), KeepAwake keeps the machine awake
	// while they run (H2).
	Limit     int64
	LimitDo   string
	KeepAwake bool
	// MaxText is how much of an output a model is given, in characters (O5); 0 is
	// 32,000.
	MaxText int
	// QuietAfter and Now serve words about ages.
	QuietAfter time.Duration
	Now        func() time.Time
	// Cwd is the folder of the client's project, Client the pid of who started us.
	Cwd    string
	Client int
	Getenv func(string) string
}

// Server is one server for one client.
type Server struct {
	o   Options
	mcp *mcp.Server

	mu    sync.Mutex
	watch *registry.Watch
	// watched is what the watch under way was asked for.
	watched string
}

// instructions is what a client may show its model once.
const instructions = "Offstage runs and watches background work that outlives you: dev servers, builds, test runs. " +
	"Start such work with run_task instead of a shell's &, wait for it with wait_task (it costs no tokens while it waits), read it with read_task_output, end it with stop_task. " +
	"Every result begins with what ended since your last call."

// New makes the server with its tools.
func New(o Options) *Server {
	if o.MaxText <= 0 {
		o.MaxText = maxText
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	s := &Server{o: o}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "offstage", Title: "Offstage", Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	s.mcp.AddReceivingMiddleware(s.offer)
	for _, t := range s.tools() {
		s.add(t)
	}
	return s
}

// offer leaves the tools of the task list out for a client that has its own.
func (s *Server) offer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		ask, asked := req.(*mcp.ListToolsRequest)
		if !ok || !asked || s.o.Todo == "on" || !hasOwnList(nameOf(ask.ClientInfo())) {
			return res, err
		}
		short := *list
		short.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool { return slices.Contains(listTools, t.Name) })
		return &short, err
	}
}

// nameOf is the name that a client gives itself, "" for none.
func nameOf(client *mcp.Implementation) string {
	if client == nil {
		return ""
	}
	return client.Name
}

// Serve answers on in and out until in ends or ctx does.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s.o.Registry.Begin()
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Connect answers on a transport of the caller's, for tests.
func (s *Server) Connect(ctx context.Context, t mcp.Transport) error {
	_, err := s.mcp.Connect(ctx, t, nil)
	return err
}

// snapshot is what is known now, everything that was asked for read.
func (s *Server) snapshot(ctx context.Context) (task.Snapshot, error) {
	return s.o.Registry.Scan(ctx, countPatience)
}

// countPatience is how long a listing waits for the counts of outputs.
const countPatience = 300 * time.Millisecond
