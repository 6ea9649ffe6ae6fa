package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"time"

	"offstage/internal/registry"
	"offstage/task"
)

// readyPatience is how long run_task waits for its ready condition.
const readyPatience = 30 * time.Second

func (s *Server) runTool() tool {
	return tool{
		name: "run_task", about: "Run a command in the background, as a task that outlives you: dev servers, builds, test runs. Returns at once, or when it is ready.",
		fields: []field{
			{name: "command", kind: "string", about: "a command line for the shell", required: true},
			{name: "name", kind: "string", about: "a short name that people see"},
			{name: "kind", kind: "string", about: "shell, or monitor for one that only watches", oneOf: []string{"shell", "monitor"}},
			{name: "cwd", kind: "string", about: "the folder to run in; yours, if left out"},
			{name: "timeout_s", kind: "integer", about: "end it after so many seconds; 0 for never"},
			{name: "tty", kind: "boolean", about: "give it a terminal, for a program that buffers, prompts or wants one; then it can be answered"},
			{name: "if_running", kind: "string", about: "what to do if the same command runs in the same folder already: reuse answers with that task, new starts another", oneOf: []string{"reuse", "new"}},
			{name: "ready", kind: "string", about: "wait up to 30 s until it listens (port:5173), printed a text (text:Ready), or printed a local address (url)"},
		},
		do: s.run,
	}
}

// ran is what run_task answers.
type ran struct {
	ID        string     `json:"id"`
	PID       int        `json:"pid,omitempty"`
	Output    string     `json:"output"`
	StartedAt *time.Time `json:"started_at,omitempty"`
	Reused    bool       `json:"reused,omitempty"`
	// Ready is absent where nothing was waited for.
	Ready *bool    `json:"ready,omitempty"`
	URLs  []string `json:"urls,omitempty"`
	Ports []int    `json:"ports,omitempty"`
}

func (s *Server) run(ctx context.Context, c *call) (*result, error) {
	spec, ready, err := s.runSpec(c)
	if err != nil {
		return nil, err
	}
	got, err := s.o.Registry.Run(ctx, spec)
	if err != nil {
		return nil, err
	}
	out := ran{ID: got.ID, PID: got.PID, Output: got.Output, StartedAt: task.Stamp(got.At), Reused: got.Reused}
	text := fmt.Sprintf("Started as %s. Its output: %s", native(got.ID), got.Output)
	if got.Reused {
		text = fmt.Sprintf("It runs already as %s (if_running: new starts another). Its output: %s", native(got.ID), got.Output)
	}
	if got.Note != "" {
		text += "\n" + got.Note
	}
	if ready.On != "" {
		more, err := s.awaitReady(ctx, ready, &out)
		if err != nil {
			return nil, err
		}
		text += "\n" + more
	}
	return &result{text, worded{out}}, nil
}

func (s *Server) runSpec(c *call) (spec registry.RunSpec, ready registry.Condition, err error) {
	var cond, kind, reuse string
	for _, f := range []struct {
		name string
		to   *string
	}{{"command", &spec.Shell}, {"name", &spec.Name}, {"cwd", &spec.Cwd}, {"kind", &kind}, {"if_running", &reuse}, {"ready", &cond}} {
		if *f.to, err = c.text(f.name); err != nil {
			return
		}
	}
	if strings.TrimSpace(spec.Shell) == "" {
		return spec, ready, wrong("command is empty: give the command line to run")
	}
	if kind != "" && kind != string(task.Shell) && kind != string(task.Monitor) {
		return spec, ready, wrong("kind has to be shell or monitor")
	}
	if reuse != "" && reuse != "reuse" && reuse != "new" {
		return spec, ready, wrong("if_running has to be reuse or new")
	}
	if spec.TTY, err = c.flag("tty"); err != nil {
		return
	}
	seconds, err := c.number("timeout_s", int(s.o.Timeout/time.Second), 0, 7*24*3600)
	if err != nil {
		return
	}
	if cond != "" {
		if ready, err = registry.ParseCondition(cond); err != nil || ready.On == registry.End || ready.On == registry.Fail {
			return spec, ready, wrong("ready has to be port:N, text:S or url")
		}
	}
	spec.Kind, spec.Reuse, spec.Timeout = task.Kind(kind), reuse == "reuse", time.Duration(seconds)*time.Second
	spec.Limit, spec.LimitDo, spec.KeepAwake = s.o.Limit, s.o.LimitDo, s.o.KeepAwake
	if spec.Cwd == "" {
		spec.Cwd = s.o.Cwd
	}
	spec.Agent, spec.Session = registry.SplitSession(c.who.session)
	return spec, ready, nil
}

// awaitReady waits for what makes a task ready, and says what is known then.
func (s *Server) awaitReady(ctx context.Context, ready registry.Condition, out *ran) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	if err := s.seen(ctx, out.ID); err != nil {
		return "", err
	}
	got, err := s.o.Registry.Wait(ctx, registry.WaitFor{Tasks: []string{out.ID}, For: ready})
	if err != nil {
		return "", err
	}
	x := got[0]
	yes := x.Met == ready.On
	out.Ready, out.URLs, out.Ports = &yes, x.Task.URLs, x.Task.Ports
	switch {
	case yes && len(x.Task.URLs) > 0:
		return "It is ready (" + ready.String() + "): " + strings.Join(x.Task.URLs, " "), nil
	case yes:
		return "It is ready (" + ready.String() + ").", nil
	case x.Met == registry.Timeout:
		return fmt.Sprintf("It is not ready after %d s (%s); it goes on. wait_task waits further, read_task_output shows what it says.", int(readyPatience/time.Second), ready), nil
	}
	return "It ended before it was ready: " + task.StateWords(x.Task) + ". read_task_output shows what it said.", nil
}

// seen waits until the registry lists a task that was started just now.
func (s *Server) seen(ctx context.Context, id string) error {
	for rev := uint64(0); ; {
		if _, ok := s.o.Registry.TaskByID(id); ok {
			return nil
		}
		snap, err := s.o.Registry.Next(ctx, rev)
		if err != nil {
			return fmt.Errorf("the task runs as %s, but it is not listed yet", native(id))
		}
		rev = snap.Rev
	}
}

func native(id string) string { return id[strings.LastIndexByte(id, ':')+1:] }
