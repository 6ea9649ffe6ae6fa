package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"offstage/internal/registry"
	"offstage/task"
)

// maxWait is the longest that a call may take: the shortest time limit of a
// client that was met is 60 s.
const maxWait = 50 * time.Second

// progressEvery is how often a client that asked for progress is told.
const progressEvery = 5 * time.Second

func (s *Server) waitTool() tool {
	return tool{
		name: "wait_task", about: "Wait until tasks end, fail, print a text or listen on a port, at most 50 s a call. Costs no tokens while it waits: call it again while they still run.", readOnly: true,
		fields: []field{
			{name: "tasks", kind: "array", items: "string", about: "ids of the tasks", required: true},
			{name: "for", kind: "string", about: "end, fail, text:…, port:N or url; end, if left out"},
			{name: "any", kind: "boolean", about: "one of them is enough"},
			{name: "timeout_s", kind: "integer", about: "at most 50"},
		},
		do: s.wait,
	}
}

// waited is one task of wait_task.
type waited struct {
	ID       string      `json:"id"`
	Status   task.Status `json:"status"`
	ExitCode *int        `json:"exit_code,omitempty"`
	// Met is the condition's word, "timeout", or absent where the task ended
	// without it.
	Met string `json:"met,omitempty"`
	// Cursor is how far the output reached, for read_task_output.
	Cursor int64 `json:"cursor"`
}

func (s *Server) wait(ctx context.Context, c *call) (*result, error) {
	refs, err := c.list("tasks")
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return nil, wrong("tasks is empty: name the tasks to wait for")
	}
	what, err := c.text("for")
	if err != nil {
		return nil, err
	}
	cond := registry.Condition{On: registry.End}
	if what != "" {
		if cond, err = registry.ParseCondition(what); err != nil {
			return nil, wrong("for: %v", err)
		}
	}
	w := registry.WaitFor{For: cond}
	if w.Any, err = c.flag("any"); err != nil {
		return nil, err
	}
	limit, err := c.limit()
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		t, err := s.find(ctx, c, ref)
		if err != nil {
			return nil, err
		}
		w.Tasks = append(w.Tasks, t.ID)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := s.progress(timed, c.req, w.Tasks, limit)
	got, err := s.o.Registry.Wait(timed, w)
	stop()
	if err != nil {
		return nil, err
	}
	for _, x := range got {
		if x.Task.Status.Ended() {
			c.says(x.Task.ID)
		}
	}
	return waitedResult(got), nil
}

// limit is the time that a call may wait; a longer wish is cut, and that is said.
func (c *call) limit() (time.Duration, error) {
	most := int(maxWait / time.Second)
	n, err := c.number("timeout_s", most, 0, 1<<31)
	if err != nil {
		return 0, err
	}
	if n > most {
		c.notes = append(c.notes, fmt.Sprintf("timeout_s is at most %d: waited that long; call again to wait on.", most))
		n = most
	}
	return time.Duration(n) * time.Second, nil
}

func waitedResult(got []registry.Waited) *result {
	out := make([]waited, 0, len(got))
	var lines []string
	for _, x := range got {
		out = append(out, waited{x.Task.ID, x.Task.Status, x.Task.ExitCode, x.Met, x.Task.Output.Bytes})
		words := task.StateWords(x.Task)
		switch x.Met {
		case registry.Timeout:
			words = "still " + words + ": call wait_task again to wait on"
		case registry.Port, registry.Text, registry.URL:
			words = "its " + x.Met + " is there; it is " + words
		case "":
			if !x.Task.Status.Ended() {
				words = "still " + words
			}
		}
		if n := counts(x.Task); n != "" {
			words += ", " + n
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s", native(x.Task.ID), x.Task.Title, words))
	}
	return &result{strings.Join(lines, "\n"), map[string]any{"tasks": out}}
}

// progress tells a client that asked for it how the wait stands, until stop.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest, ids []string, limit time.Duration) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	began := s.o.Now()
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: s.o.Now().Sub(began).Seconds(), Total: limit.Seconds(), Message: s.standing(ids)})
			if err != nil && !errors.Is(err, context.Canceled) {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// standing is how tasks stand, in one line.
func (s *Server) standing(ids []string) string {
	var out []string
	for _, id := range ids {
		t, ok := s.o.Registry.TaskByID(id)
		if !ok {
			continue
		}
		text := t.Title + " " + task.StateWords(t) + " " + task.Clock(task.Elapsed(t, s.o.Now()))
		if chip := task.TestChip(t.Tests).Text; chip != "" {
			text += " " + chip
		}
		out = append(out, text)
	}
	return strings.Join(out, " · ")
}
