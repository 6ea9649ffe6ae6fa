package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"offstage/internal/registry"
	"offstage/task"
)

// tools are all that this server serves.
func (s *Server) tools() []tool {
	return append([]tool{
		s.runTool(), s.tasksTool(), s.outputTool(), s.waitTool(), s.stopTool(), s.answerTool(),
		s.sessionsTool(), s.sessionTool(), s.watchTool(),
	}, s.listTools()...)
}

func (s *Server) tasksTool() tool {
	return tool{
		name: "list_tasks", about: "The background tasks of this machine's agents, yours first: what runs, what ended, test counts, ports, silence.", readOnly: true,
		fields: []field{
			{name: "session", kind: "string", about: "only those of this session; see list_sessions"},
			{name: "all", kind: "boolean", about: "also those that ended long ago"},
		},
		do: func(ctx context.Context, c *call) (*result, error) {
			session, err := c.text("session")
			if err != nil {
				return nil, err
			}
			all, err := c.flag("all")
			if err != nil {
				return nil, err
			}
			s.o.Registry.Ended(all)
			snap, err := s.snapshot(ctx)
			if err != nil {
				return nil, err
			}
			if session != "" {
				x, err := findSession(snap, session)
				if err != nil {
					return nil, err
				}
				snap.Tasks = slices.DeleteFunc(slices.Clone(snap.Tasks), func(t task.Task) bool { return t.Session != x.ID })
			}
			return listed(c, snap), nil
		},
	}
}

func findSession(snap task.Snapshot, ref string) (task.Session, error) {
	x, err := registry.FindSession(snap, ref)
	if err == registry.ErrNoTask {
		err = wrong("no session %q is known: list_sessions lists those there are", ref)
	}
	return x, err
}

// listed are tasks, the caller's own first.
func listed(c *call, snap task.Snapshot) *result {
	tasks := slices.Clone(snap.Tasks)
	slices.SortStableFunc(tasks, func(a, b task.Task) int {
		switch am, bm := c.who.mine(a), c.who.mine(b); {
		case am && !bm:
			return -1
		case bm && !am:
			return 1
		}
		return 0
	})
	wires := make([]task.Wire, 0, len(tasks))
	var lines []string
	for _, t := range tasks {
		wires = append(wires, task.ToWire(t, snap.At))
		lines = append(lines, line(t, snap))
	}
	if len(lines) == 0 {
		lines = []string{"There are no background tasks."}
	}
	return &result{strings.Join(lines, "\n"), map[string]any{"tasks": wires}}
}

// line is a task in one line.
func line(t task.Task, snap task.Snapshot) string {
	parts := []string{native(t.ID), task.StateWords(t), task.Clock(task.Elapsed(t, snap.At)), t.Title}
	if n := counts(t); n != "" {
		parts = append(parts, n)
	}
	if len(t.Ports) > 0 {
		parts = append(parts, fmt.Sprintf("port %d", t.Ports[0]))
	}
	if q := task.QuietChip(t, snap.At, task.QuietAfter); q.Text != "" {
		parts = append(parts, q.Text)
	}
	return strings.Join(parts, " · ")
}

func (s *Server) stopTool() tool {
	return tool{
		name: "stop_task", about: "Stop a task of your session: its whole process tree, proven; says which ports are free.", destructive: true,
		fields: []field{
			{name: "task", kind: "string", about: "its id", required: true},
			{name: "now", kind: "boolean", about: "do not wait for a gentle end"},
		},
		do: s.stop,
	}
}

// stopped is what stop_task answers, in the shape of `stop --json`.
type stopped struct {
	ID         string      `json:"id"`
	Status     task.Status `json:"status"`
	Ended      []process   `json:"ended"`
	Left       []process   `json:"left"`
	PortsFreed []int       `json:"ports_freed"`
	MS         int64       `json:"ms"`
}

type process struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

func (s *Server) stop(ctx context.Context, c *call) (*result, error) {
	ref, err := c.text("task")
	if err != nil {
		return nil, err
	}
	now, err := c.flag("now")
	if err != nil {
		return nil, err
	}
	t, err := s.find(ctx, c, ref)
	if err != nil {
		return nil, err
	}
	if !c.who.mine(t) && !s.o.AllowForeign {
		return nil, wrong("task %s belongs to another session (%s): only that one may stop it, or a person in the panel", native(t.ID), t.Session)
	}
	plan, err := s.o.Registry.PlanStop(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	rep, err := s.o.Registry.StopForAgent(ctx, plan, now)
	if err != nil {
		return nil, err
	}
	out := stopped{ID: t.ID, Status: rep.Status, Ended: processes(rep.Ended), Left: processes(rep.Left), PortsFreed: rep.PortsFreed, MS: rep.Took.Milliseconds()}
	if out.PortsFreed == nil {
		out.PortsFreed = []int{}
	}
	c.says(t.ID)
	text := fmt.Sprintf("%s (%s) is stopped: %d processes ended in %d ms.", native(t.ID), t.Title, len(out.Ended), out.MS)
	if len(out.Left) > 0 {
		text = fmt.Sprintf("%s (%s) is not wholly stopped: %s still alive.", native(t.ID), t.Title, names(out.Left))
	}
	if len(out.PortsFreed) > 0 {
		text += fmt.Sprintf(" Free again: %v.", out.PortsFreed)
	}
	return &result{text, out}, nil
}

func processes(list []task.Process) []process {
	out := make([]process, 0, len(list))
	for _, p := range list {
		out = append(out, process{p.PID, p.Command})
	}
	return out
}

func names(list []process) string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%s %d", p.Command, p.PID))
	}
	return strings.Join(out, ", ")
}

func (s *Server) answerTool() tool {
	return tool{
		name: "answer_task", about: "Type a line into a task that was started with tty and waits for input.",
		fields: []field{
			{name: "task", kind: "string", about: "its id", required: true},
			{name: "text", kind: "string", about: "one line, without the Enter", required: true},
		},
		do: func(ctx context.Context, c *call) (*result, error) {
			ref, err := c.text("task")
			if err != nil {
				return nil, err
			}
			text, err := c.text("text")
			if err != nil {
				return nil, err
			}
			if strings.ContainsAny(text, "\r\n") {
				return nil, wrong("text has to be one line")
			}
			t, err := s.find(ctx, c, ref)
			if err != nil {
				return nil, err
			}
			if !c.who.mine(t) && !s.o.AllowForeign {
				return nil, wrong("task %s belongs to another session (%s)", native(t.ID), t.Session)
			}
			if err := s.o.Registry.Answer(ctx, t.ID, text); err != nil {
				return nil, err
			}
			return &result{"Answered " + native(t.ID) + ".", map[string]any{"id": t.ID}}, nil
		},
	}
}
