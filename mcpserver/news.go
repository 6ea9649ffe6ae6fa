package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"offstage/task"
)

// news is what ended since the caller's last call, each told once in all: whoever
// takes it has to tell it (N1), and what waits for input, once a stall (S1). It
// stands at the head of every result.
func (s *Server) news(ctx context.Context, c *call) string {
	if c.who.session == "" || ctx.Err() != nil { // nobody reads the answer of a call that was taken back
		return ""
	}
	owners := append([]string{c.who.session}, c.who.before...)
	recs := s.o.Registry.TakeNews(owners...)
	stalls := s.o.Registry.TakeStalls(owners...)
	var told []string
	for _, r := range recs {
		if !c.said[r.ID] {
			told = append(told, s.newsOf(r))
		}
		s.o.Registry.Told(r, task.Delivered, "")
	}
	head := ""
	if len(told) > 0 {
		head = "Since your last call: " + strings.Join(told, "; ") + "\n\n"
	}
	for _, x := range stalls {
		head += x + "\n\n"
	}
	return head
}

// newsOf is one end: "task t-0k4m9x2q (npm test) failed, exit code 1, 412 passed,
// 2 failed — offstage logs t-0k4m9x2q".
func (s *Server) newsOf(r task.Record) string {
	native := r.ID[strings.LastIndexByte(r.ID, ':')+1:]
	t, ok := s.o.Registry.TaskByID(r.ID)
	if !ok || t.Run != r.Run {
		t = task.Task{ID: r.ID, Native: native, Kind: r.Kind, Title: r.Title, Status: r.Status, ExitCode: r.ExitCode, Signal: r.Signal}
	}
	t.Status, t.ExitCode, t.Signal = r.Status, r.ExitCode, r.Signal
	text := fmt.Sprintf("task %s (%s) %s", native, r.Title, task.StateWords(t))
	if c := counts(t); c != "" {
		text += ", " + c
	}
	return text + " — offstage logs " + native
}

// counts are the test counts of a task in words.
func counts(t task.Task) string {
	if t.Tests == nil || len(t.Tests.Runs) == 0 {
		return ""
	}
	n := t.Tests.Totals
	text := fmt.Sprintf("%d passed, %d failed", n.Passed, n.Failed)
	if n.SuitesFailed > 0 {
		text += fmt.Sprintf(", %d suites failed", n.SuitesFailed)
	}
	return text
}
