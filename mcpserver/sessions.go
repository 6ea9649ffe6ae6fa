package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"offstage/task"
)

func (s *Server) sessionsTool() tool {
	return tool{
		name: "list_sessions", about: "The agent sessions of this machine with their tasks and their state: running_turn, waiting, background_only, idle.", readOnly: true,
		do: func(ctx context.Context, _ *call) (*result, error) {
			snap, err := s.snapshot(ctx)
			if err != nil {
				return nil, err
			}
			wires := make([]sessionTasks, 0, len(snap.Sessions))
			var lines []string
			for _, x := range snap.Sessions {
				w := sessionTasks{task.SessionToWire(x, snap.Tasks), []task.Wire{}}
				lines = append(lines, sessionLine(x))
				for _, t := range snap.Tasks {
					if t.Session == x.ID {
						w.TaskList = append(w.TaskList, task.ToWire(t, snap.At))
						lines = append(lines, "  "+line(t, snap))
					}
				}
				wires = append(wires, w)
			}
			if len(lines) == 0 {
				lines = []string{"No agent session is known."}
			}
			return &result{strings.Join(lines, "\n"), map[string]any{"sessions": wires}}, nil
		},
	}
}

// sessionTasks is a session with its tasks (I1).
type sessionTasks struct {
	task.WireSession
	TaskList []task.Wire `json:"task_list"`
}

func sessionLine(x task.Session) string {
	parts := []string{x.ID, string(x.State)}
	for _, p := range []string{x.WaitingFor, x.Title, x.Cwd} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " · ")
}

func (s *Server) sessionTool() tool {
	return tool{
		name: "read_session", about: "One agent session: its state, its tasks with how they ended, its plan.", readOnly: true,
		fields: []field{{name: "session", kind: "string", about: "its id; your own, if left out"}},
		do: func(ctx context.Context, c *call) (*result, error) {
			ref, err := c.text("session")
			if err != nil {
				return nil, err
			}
			if ref == "" {
				ref = c.who.session
			}
			s.o.Registry.Ended(true)
			snap, err := s.snapshot(ctx)
			if err != nil {
				return nil, err
			}
			x, err := findSession(snap, ref)
			if err != nil {
				return nil, err
			}
			tasks := slices.DeleteFunc(slices.Clone(snap.Tasks), func(t task.Task) bool { return t.Session != x.ID })
			out := struct {
				sessionTasks
				Todo []task.WireEntry `json:"todo"`
			}{sessionTasks{task.SessionToWire(x, snap.Tasks), []task.Wire{}}, task.EntriesToWire(x.Plan)}
			lines := []string{sessionLine(x)}
			for _, t := range tasks {
				out.TaskList = append(out.TaskList, task.ToWire(t, snap.At))
				lines = append(lines, line(t, snap))
			}
			for _, e := range x.Plan.Entries {
				lines = append(lines, fmt.Sprintf("plan %s · %s · %s", e.ID, e.Status, e.Subject))
			}
			return &result{strings.Join(lines, "\n"), out}, nil
		},
	}
}

func (s *Server) watchTool() tool {
	return tool{
		name: "watch", about: "Wait for the next events of background tasks, at most 50 s a call. Left to itself it tells of finished sub-agents and of every failure.", readOnly: true,
		fields: []field{
			{name: "sessions", kind: "array", items: "string", about: "only these sessions"},
			{name: "events", kind: "array", items: "string", about: "task_started, task_finished, task_failed, all_idle"},
			{name: "timeout_s", kind: "integer", about: "at most 50"},
		},
		do: s.watchNext,
	}
}

var kinds = []task.NewsKind{task.TaskStarted, task.TaskFinished, task.TaskFailed, task.AllIdle}

// newsWire is one event for a watcher.
type newsWire struct {
	Event   task.NewsKind `json:"event"`
	At      *time.Time    `json:"at,omitempty"`
	Task    string        `json:"task,omitempty"`
	Session string        `json:"session,omitempty"`
	Kind    task.Kind     `json:"kind,omitempty"`
	Status  task.Status   `json:"status,omitempty"`
	Title   string        `json:"title,omitempty"`
	Summary string        `json:"summary,omitempty"`
	Result  string        `json:"result,omitempty"`
}

func (s *Server) watchNext(ctx context.Context, c *call) (*result, error) {
	w, err := s.watcher(ctx, c)
	if err != nil {
		return nil, err
	}
	limit, err := c.limit()
	if err != nil {
		return nil, err
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	news, err := w.Next(timed)
	if err != nil && timed.Err() == nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := make([]newsWire, 0, len(news))
	lines := []string{}
	for _, n := range news {
		out = append(out, newsWire{n.Kind, task.Stamp(n.At), n.Task, n.Session, n.TaskKind, n.Status, n.Title, n.Summary, n.Result})
		lines = append(lines, newsLine(n))
	}
	if len(lines) == 0 {
		lines = []string{"Nothing happened: call watch again to wait on."}
	}
	return &result{strings.Join(lines, "\n"), map[string]any{"events": out}}, nil
}

func newsLine(n task.News) string {
	if n.Kind == task.AllIdle {
		return "all_idle: nothing runs any more"
	}
	text := fmt.Sprintf("%s: %s (%s)", n.Kind, native(n.Task), n.Title)
	if n.Summary != "" {
		text += ": " + n.Summary
	}
	return text
}
