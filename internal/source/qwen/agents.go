package qwen

import (
	"slices"

	"offstage/internal/source/trace"
	"offstage/task"
)

// agent is the process that has a session open.
type agent struct {
	id task.ProcessID
	// tty: a person sits before it.
	tty bool
	// unseen: it lives where our process table does not reach.
	unseen bool
	entry  *entry
}

// registered takes the agents that the registry of running ones names.
func (c *view) registered() {
	for _, e := range c.s.registry {
		if e.SessionID == "" || e.PID <= 1 {
			continue
		}
		if c.s.elsewhere(e) || c.l.V.Table == nil {
			if old, ok := c.live[e.SessionID]; !ok || old.unseen && old.entry.StartedAt < e.StartedAt {
				c.live[e.SessionID] = agent{id: task.ProcessID{PID: e.PID}, unseen: true, tty: true, entry: e}
			}
			continue
		}
		id := task.ProcessID{PID: e.PID, Start: e.start()}
		if id.Start == 0 {
			found, ok := trace.Process(c.l.V.Table, e.PID, trace.Millis(e.StartedAt), "qwen")
			if !ok {
				continue
			}
			id = found
		} else if !trace.Exact(c.l.V.Table, id.PID, id.Start) {
			continue
		}
		c.live[e.SessionID] = agent{id: id, tty: true, entry: e}
	}
}

// elsewhere: the agent runs in another pid namespace, such as a container.
func (s *Source) elsewhere(e *entry) bool {
	if e.PIDNs == 0 || s.namespace == "" {
		return false
	}
	return s.namespace != "pid:["+digits(e.PIDNs)+"]"
}

// owners finds the processes of commands, and agents that no registry names (a
// headless run writes none).
func (c *view) owners(list []*session) {
	var candidates []trace.Candidate
	for _, x := range list {
		if !x.running() && !c.l.Recent(x.written) {
			continue
		}
		one := trace.Candidate{ID: x.id, Cwd: trace.First(x.talk.cwd, x.cwd()), Written: x.written}
		for _, k := range x.shells {
			if !k.open() {
				continue
			}
			id, ok := c.process(x, k)
			if !ok {
				continue
			}
			c.procs[k] = id
			if p, ok := c.l.V.Table.Get(id.PID); ok {
				one.Parents = append(one.Parents, p.PPID)
			}
		}
		if _, known := c.live[x.id]; !known {
			candidates = append(candidates, one)
		}
	}
	free := slices.DeleteFunc(slices.Clone(c.s.programs.Look(c.l.V.Table)), func(p trace.Program) bool {
		for _, a := range c.live {
			if a.id.PID == p.PID {
				return true
			}
		}
		return false
	})
	for id, p := range trace.Owners(free, candidates) {
		c.live[id] = agent{id: task.ProcessID{PID: p.PID, Start: p.Start}, tty: p.TTY}
	}
}

// process is that of a command: by pid and start, or by pid and the mark of its
// session where the clock was set meanwhile.
func (c *view) process(x *session, k *shell) (task.ProcessID, bool) {
	if c.l.V.Table == nil {
		return task.ProcessID{}, false
	}
	if id, ok := trace.Process(c.l.V.Table, k.PID, trace.Stamp(k.StartTime), k.Command); ok {
		return id, true
	}
	p, ok := c.l.V.Table.Get(k.PID)
	if !ok || k.PID <= 1 || p.Dead() || c.l.V.Table.Env(k.PID, sessionMark)[sessionMark] != x.id || p.SID != p.PID {
		return task.ProcessID{}, false
	}
	return task.ProcessID{PID: p.PID, Start: p.Start}, true
}
