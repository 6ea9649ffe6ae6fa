package codex

import (
	"slices"

	"offstage/task"
)

// marked are the processes of one command.
type marked struct {
	thread string
	pids   []int
	// roots are those whose parent is none of them.
	roots []task.ProcessID
	// agent is the program of Codex that stands above, 0 if none does.
	agent task.ProcessID
}

// marks finds the processes of commands by the marks in their environment.
func (c *view) marks() {
	c.marked, c.threads = map[string]*marked{}, map[string]bool{}
	env := c.s.environs.Look(c.l.V.Table)
	for pid, e := range env {
		if len(e[callMark]) > 128 {
			continue
		}
		m := c.marked[e[callMark]]
		if m == nil {
			m = &marked{thread: e[threadMark]}
			c.marked[e[callMark]] = m
		}
		m.pids = append(m.pids, pid)
		c.threads[m.thread] = true
	}
	for _, m := range c.marked {
		slices.Sort(m.pids)
		for _, pid := range m.pids {
			p, ok := c.l.V.Table.Get(pid)
			if !ok || slices.Contains(m.pids, p.PPID) {
				continue
			}
			m.roots = append(m.roots, task.ProcessID{PID: p.PID, Start: p.Start})
			if m.agent.PID == 0 {
				m.agent = c.above(pid)
			}
		}
	}
}

// above is the program of Codex that a process descends from.
func (c *view) above(pid int) task.ProcessID {
	for _, a := range c.l.V.Table.Ancestors(pid) {
		for _, p := range slices.Concat(c.servers, c.windows) {
			if p.PID == a.PID {
				return task.ProcessID{PID: p.PID, Start: p.Start}
			}
		}
	}
	return task.ProcessID{}
}
