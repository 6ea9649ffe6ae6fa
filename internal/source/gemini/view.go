package gemini

import (
	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s   *Source
	l   *trace.Look
	f   *trace.Folder
	own map[string]trace.Program
	// procs are the processes of launches that nothing says have ended.
	procs map[*launch]task.ProcessID
	// newest is the last launch of each pid: a log is that one's.
	newest map[int]*launch
}

// tell reads what is wanted and puts it into the snapshot, newest first.
func (c *view) tell() {
	list := c.list()
	c.readAll(list)
	c.newest, c.procs = map[int]*launch{}, map[*launch]task.ProcessID{}
	for _, x := range list {
		for _, l := range x.order {
			if old := c.newest[l.pid]; old == nil || old.at.Before(l.at) {
				c.newest[l.pid] = l
			}
		}
	}
	c.owners(list)
	c.s.shelf.Pinned = map[string]bool{}
	for _, x := range list {
		c.session(x)
	}
	if !c.l.Left() {
		c.unknown()
	}
}

// owners finds the processes of the commands, and the agents that have a chat open.
func (c *view) owners(list []*chat) {
	var candidates []trace.Candidate
	for _, x := range list {
		if x.id == "" || x.kind != "" && x.kind != "main" {
			continue
		}
		one := trace.Candidate{ID: x.rel, Cwd: c.s.root(c.f, x.rel), Written: x.item.ModTime}
		for _, l := range x.order {
			if l.ended || c.newest[l.pid] != l {
				continue
			}
			id, ok := trace.Process(c.l.V.Table, l.pid, l.at, l.command)
			if !ok {
				continue
			}
			c.procs[l] = id
			if p, ok := c.l.V.Table.Get(id.PID); ok {
				one.Parents = append(one.Parents, p.PPID)
			}
		}
		candidates = append(candidates, one)
	}
	c.own = trace.Owners(c.s.programs.Look(c.l.V.Table), candidates)
}

// session tells of one chat and its commands, if there is something to tell.
func (c *view) session(x *chat) {
	if x.id == "" || x.kind != "" && x.kind != "main" {
		return
	}
	owner, live := c.own[x.rel]
	running := 0
	var tasks []task.Task
	for _, l := range x.order {
		t := c.task(x, l, owner, live)
		if !t.Status.Ended() {
			running++
		} else if !c.l.Recent(t.Ended) {
			continue
		}
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 && !live && !c.l.Recent(x.item.ModTime) {
		return
	}
	if live || running > 0 {
		c.s.shelf.Pinned[x.rel] = true
	}
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, tasks...)
	s := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Cwd: c.s.root(c.f, x.rel), Title: x.prompt, Interactive: true,
		StartedAt: x.started, UpdatedAt: x.item.ModTime, StateSince: x.turnAt, Plan: x.plan, Transcript: c.f.Real(x.rel),
	}
	if x.lines.TooLong > 0 {
		s.Trouble = "The chat has lines of more than 16 MB; they were passed over."
	}
	if live {
		s.PID, s.PIDStart, s.Interactive = owner.PID, owner.Start, owner.TTY
	} else if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.item.ModTime) < trace.Hot
	}
	s.State = trace.State(live, x.turn, running)
	s.AgentGone = c.l.V.Table != nil && !live && running > 0
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, s)
}
