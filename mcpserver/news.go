package mcpserver

import (
	"fmt"
	"strings"

	"offstage/task"
)

// news is what ended since the caller's last call, each told once in all: whoever
// takes it has to tell it (N1). It stands at the head of every result.
func (s *Server) news(c *call) string {
	if c.who.session == "" {
		return ""
	}
	recs := s.o.Registry.TakeNews(append([]string{c.who.session}, c.who.before...)...)
	if len(recs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Since your last call:")
	for i, r := range recs {
		if i > 0 {
			b.WriteString(";")
		}
		b.WriteString(" " + s.newsOf(r))
		s.o.Registry.Told(r, task.Delivered, "")
	}
	b.WriteString("\n\n")
	return b.String()
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
