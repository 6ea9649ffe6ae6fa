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
	if c.l.V.Table == nil {
		return
	}
	for i, e := range c.f.List(logs) {
		digits, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".log"), "background-")
		pid, err := strconv.Atoi(digits)
		if !ok || err != nil || i >= maxLogs || c.newest[pid] != nil {
			continue
		}
		p, ok := c.l.V.Table.Get(pid)
		if !ok || p.Dead() || !c.l.V.Table.Own(p) || c.l.V.Table.Env(pid, commandMark)[commandMark] == "" {
			continue
		}
		t := task.Task{
			ID: Name + ":" + digits, Source: Name, Native: digits, Kind: task.Shell, Run: 1, Started: c.l.V.Table.StartedAt(p.ID), Cwd: c.l.V.Table.Cwd(pid),
			Command: commandOf(c.l.V.Table.Args(pid)), Status: task.Running, StatusSource: task.SeenProcesses, StatusAt: c.l.V.Now,
			Trouble: "No chat tells of it: what is shown is what its process shows.",
		}
		t.Title = trace.First(trace.FirstLine(t.Command), digits)
		c.output(&t, pid)
		root := task.ProcessID{PID: pid, Start: p.Start}
		t.Evidence.Roots = []task.ProcessID{root}
		t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "ask it to end the process")
		c.l.Snap.Tasks = append(c.l.Snap.Tasks, t)
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
