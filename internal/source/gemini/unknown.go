package gemini

import (
	"strconv"
	"strings"

	"offstage/internal/source/trace"
	"offstage/task"
)

// maxLogs bounds the logs that are looked at.
const maxLogs = 2000

// unknown tells of logs whose chat says nothing of them, while their process
// lives and carries the mark of a command.
func (c *view) unknown() {
	if c.v.Table == nil {
		return
	}
	for i, e := range c.f.List(logs) {
		digits, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".log"), "background-")
		pid, err := strconv.Atoi(digits)
		if !ok || err != nil || i >= maxLogs || c.newest[pid] != nil {
			continue
		}
		p, ok := c.v.Table.Get(pid)
		if !ok || p.Dead() || !c.v.Table.Own(p) || c.v.Table.Env(pid, commandMark)[commandMark] == "" {
			continue
		}
		t := task.Task{
			ID: Name + ":" + digits, Source: Name, Native: digits, Kind: task.Shell, Run: 1, Started: c.v.Table.StartedAt(p.ID), Cwd: c.v.Table.Cwd(pid),
			Command: commandOf(c.v.Table.Args(pid)), Status: task.Running, StatusSource: task.SeenProcesses, StatusAt: c.v.Now,
			Trouble: "No chat tells of it: what is shown is what its process shows.",
		}
		t.Title = firstOf(trace.FirstLine(t.Command), digits)
		c.output(&t, pid)
		root := task.ProcessID{PID: pid, Start: p.Start}
		t.Evidence.Roots = []task.ProcessID{root}
		t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.w.Recorded(), c.v.Table, root, label, "ask it to end the process")
		c.snap.Tasks = append(c.snap.Tasks, t)
	}
}

// commandOf is the command in the text that Gemini's wrapper puts around it: the
// lines between the brackets.
func commandOf(args []string) string {
	text := strings.Join(args, " ")
	if len(args) > 2 {
		text = args[len(args)-1]
	}
	if _, rest, ok := strings.Cut(text, "\n(\n"); ok {
		if i := strings.LastIndex(rest, "\n)"); i >= 0 {
			return rest[:i]
		}
	}
	return trace.Clip(text, 4000)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}
