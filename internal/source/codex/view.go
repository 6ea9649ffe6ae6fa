package codex

import (
	"context"
	"path"
	"slices"
	"strings"

	"offstage/internal/source/codex/control"
	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s *Source
	l *trace.Look
	f *trace.Folder
	// marked are the processes of commands, by the id of the call.
	marked map[string]*marked
	// threads are those that have a marked process.
	threads map[string]bool
	windows []trace.Program
	servers []trace.Program
	own     map[string]trace.Program
	byID    map[string]*rollout
	// listed are the commands that the daemon says run, by the id of the item.
	listed map[string]control.Terminal
	// bare are threads without a rollout.
	bare map[string]*rollout
}

// tell reads what is wanted and puts it into the snapshot, newest first.
func (c *view) tell(ctx context.Context) {
	c.s.names.read(c.f)
	c.windows, c.servers = c.s.windows.Look(c.l.V.Table), c.s.servers.Look(c.l.V.Table)
	c.marks()
	list := c.list()
	c.askDaemon()
	c.readAll(list)
	c.hearDaemon(ctx)
	c.byID = map[string]*rollout{}
	for _, x := range list {
		if x.id != "" {
			c.byID[x.id] = x
		}
	}
	c.owners(list)
	c.s.shelf.Pinned = map[string]bool{}
	for _, x := range list {
		c.thread(x)
	}
	c.unwritten(list)
}

// list is the rollouts that are there, the one that was written last first.
func (c *view) list() []*rollout {
	return c.s.shelf.List(c.l, c.f, newRollout, func(x *rollout, it trace.Item) { x.item = it })
}

// threadOf is the thread that a rollout's name ends in: …-<uuid>.jsonl.
func threadOf(rel string) string {
	name := strings.TrimSuffix(path.Base(rel), ".jsonl")
	return name[max(0, len(name)-36):]
}

// readAll reads what was added to the rollouts that may have news: those with a
// running command first, then those that were written to lately.
func (c *view) readAll(list []*rollout) {
	for _, busy := range []bool{true, false} {
		for i, x := range list {
			running := c.threads[x.thread]
			if running != busy || !running && !c.l.Recent(x.item.ModTime) {
				continue
			}
			if !x.lines.Changed(x.item.Size, x.item.ModTime) {
				if x.lines.Err != nil {
					c.l.Trouble("The rollout " + path.Base(x.rel) + " is no file of Codex's own folder; it is not opened.")
				}
				continue
			}
			if !busy && i >= 4 && !c.l.More() {
				c.l.Later()
				continue
			}
			x.read(c.f, trace.Piece)
			if x.lines.Err == nil && !x.lines.Done() {
				c.l.Later()
			}
		}
	}
}

// owners says which window has which thread open. The daemon runs them all.
func (c *view) owners(list []*rollout) {
	var candidates []trace.Candidate
	for _, x := range list {
		if x.id == "" || x.parent != "" {
			continue
		}
		one := trace.Candidate{ID: x.id, Cwd: x.cwd, Written: x.item.ModTime}
		for _, m := range c.marked {
			if m.thread == x.id && m.agent.PID > 0 {
				one.Parents = append(one.Parents, m.agent.PID)
			}
		}
		candidates = append(candidates, one)
	}
	c.own = trace.Owners(c.windows, candidates)
}

// agentOf is the program that runs a thread now: the window that has it open, or
// the server above one of its commands.
func (c *view) agentOf(x *rollout) (id task.ProcessID, live bool) {
	root := x
	for depth := 0; root.parent != "" && depth < 20; depth++ {
		up := c.byID[root.parent]
		if up == nil {
			break
		}
		root = up
	}
	for _, m := range c.marked {
		if (m.thread == x.id || m.thread == root.id) && m.agent.PID > 0 {
			return m.agent, true
		}
	}
	if p, ok := c.own[root.id]; ok {
		return task.ProcessID{PID: p.PID, Start: p.Start}, true
	}
	if c.loaded(x, root) {
		return task.ProcessID{PID: c.servers[0].PID, Start: c.servers[0].Start}, true
	}
	// A turn that is open and was written to a moment ago has somebody who runs it.
	if root.turn && len(c.servers) > 0 && c.l.V.Now.Sub(root.item.ModTime) < quietTurn {
		return task.ProcessID{PID: c.servers[0].PID, Start: c.servers[0].Start}, true
	}
	return task.ProcessID{}, false
}

// loaded says that the daemon has a thread open, by what it said itself.
func (c *view) loaded(list ...*rollout) bool {
	return len(c.servers) > 0 && slices.ContainsFunc(list, func(x *rollout) bool { return c.s.socket.listing.Threads[x.id] })
}

// thread tells of one thread and its commands, if there is something to tell.
func (c *view) thread(x *rollout) {
	if x.id == "" {
		return
	}
	agent, live := c.agentOf(x)
	if live {
		c.s.shelf.Pinned[x.rel] = true
	}
	tasks := c.commands(x, agent, live)
	if x.parent != "" {
		if t := c.helper(x, live); !t.Status.Ended() || c.l.Recent(t.Ended) {
			tasks = append(tasks, t)
		}
	}
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, tasks...)
	if x.parent == "" {
		c.session(x, tasks, agent, live)
	}
}

func (c *view) session(x *rollout, tasks []task.Task, agent task.ProcessID, live bool) {
	running := 0
	for _, t := range tasks {
		if !t.Status.Ended() && !t.Foreground {
			running++
		}
	}
	if running == 0 && !live && !c.l.Recent(x.item.ModTime) {
		return
	}
	s := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Version: x.version, Cwd: x.cwd, Branch: x.branch,
		Title: trace.First(c.s.names.of[x.id], x.prompt), StartedAt: x.started, UpdatedAt: x.item.ModTime, StateSince: x.turnAt, Plan: x.plan,
		Transcript: c.f.Real(x.rel), Interactive: !strings.Contains(x.originator, "exec"), PID: agent.PID, PIDStart: agent.Start,
	}
	if x.lines.TooLong > 0 {
		s.Trouble = "The rollout has lines of more than 16 MB; they were passed over."
	}
	if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.item.ModTime) < trace.Hot
	}
	s.State = trace.State(live, x.turn, running)
	s.AgentGone = c.l.V.Table != nil && !live && running > 0
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, s)
}
