package crush

import (
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s        *Source
	l        *trace.Look
	programs []trace.Program
	marks    map[int]map[string]string
}

// startSlack is how much later than a command its agent may seem to have begun.
const startSlack = 3 * time.Second

// busy: somebody works in the project, or something of it runs as far as is known.
func (c *view) busy(p *project) bool {
	if slices.ContainsFunc(c.programs, func(a trace.Program) bool { return a.Cwd == p.path }) {
		return true
	}
	for _, x := range p.sessions {
		if x.running() && c.l.V.Now.Sub(x.written) < trace.Window {
			return true
		}
	}
	return false
}

// tell puts a project's sessions into the snapshot.
func (c *view) tell(p *project) {
	list := make([]*session, 0, len(p.sessions))
	var candidates []trace.Candidate
	for _, x := range p.sessions {
		if x.parent == "" { // those of sub-agents are no sessions of a person
			list = append(list, x)
			candidates = append(candidates, trace.Candidate{ID: x.id, Cwd: p.path, Written: x.written})
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return strings.Compare(a.id, b.id) })
	own := trace.Owners(c.programs, candidates)
	procs := c.match(p, list)
	for _, x := range list {
		agent, live := own[x.id]
		if !live && !x.running() && !c.l.Recent(x.written) {
			continue
		}
		var rows []task.Task
		for _, k := range x.order {
			rows = c.l.Keep(rows, c.shell(p, x, k, procs[k]), x.written)
		}
		for _, k := range x.pending {
			if live {
				rows = append(rows, c.waited(p, x, k, procs[k], agent))
			}
		}
		c.l.Snap.Tasks = append(c.l.Snap.Tasks, rows...)
		c.l.Snap.Sessions = append(c.l.Snap.Sessions, c.row(p, x, agent, live, rows))
	}
}

// match finds the processes of all open commands of a project: children of Crush, or
// of nobody, in its folder and with its marks.
func (c *view) match(p *project, list []*session) map[*shell]task.ProcessID {
	var open []*shell
	var wanted []trace.Wanted
	for _, x := range list {
		for _, k := range slices.Concat(x.order, x.pending) {
			if !k.ended {
				open = append(open, k)
				wanted = append(wanted, trace.Wanted{Command: k.command, Started: k.at})
			}
		}
	}
	out := map[*shell]task.ProcessID{}
	if len(open) == 0 || len(c.marks) == 0 {
		return out
	}
	roots := trace.Marked(c.l.V.Table, c.marks, func(q proc.Proc, e map[string]string) bool {
		return e[mark] != "" && q.SID == q.PID
	})
	roots = slices.DeleteFunc(roots, func(id task.ProcessID) bool {
		q, ok := c.l.V.Table.Get(id.PID)
		inside := slices.ContainsFunc(c.programs, func(a trace.Program) bool { return a.PID == q.PPID && a.Cwd == p.path })
		return !ok || !inside && (q.PPID != 1 || c.l.V.Table.Cwd(id.PID) != p.path)
	})
	for i, id := range trace.Match(c.l.V.Table, roots, wanted) {
		out[open[i]] = id
	}
	return out
}

// agentOf is the program that started a command of the project at a time, if it
// still lives: one that began later has nothing to do with it.
func (c *view) agentOf(p *project, began time.Time) (trace.Program, bool) {
	for _, a := range c.programs {
		if a.Cwd == p.path && !a.Started.After(began.Add(startSlack)) {
			return a, true
		}
	}
	return trace.Program{}, false
}

// blind is the word on a command whose end Crush does not write.
const blind = "Crush writes no end of it and no process of it is left: it ended, or is made of Crush's built-in commands alone."

// shell makes a row of a background command.
func (c *view) shell(p *project, x *session, k *shell, root task.ProcessID) task.Task {
	t := c.base(p, x, k)
	if k.ended {
		v := trace.Verdict{Status: task.Failed, Source: trace.ByRecord, At: k.endAt, Ended: k.endAt}
		switch {
		case k.stopped:
			v.Status = task.Cancelled
		case *k.code == 0:
			v.Status = task.Succeeded
		}
		v.On(&t)
		t.ExitCode, t.Notified = k.code, true
		return t
	}
	agent, live := c.agentOf(p, k.at)
	written := k.at
	if root.PID > 0 {
		k.lastSeen = c.l.V.Now
	}
	if k.lastSeen.After(written) {
		written = k.lastSeen
	}
	c.l.V.Open(trace.Opening{Alive: root.PID > 0, Agent: live, Writes: true, Started: k.at, Written: written}).On(&t)
	if t.Status.Ended() {
		if live {
			t.Summary = blind
		}
		return t
	}
	c.l.V.Note(&t, live)
	c.evidence(&t, k, root, agent)
	return t
}

// waited makes a row of a command that its turn waits for (L5).
func (c *view) waited(p *project, x *session, k *shell, root task.ProcessID, agent trace.Program) task.Task {
	t := c.base(p, x, k)
	t.Foreground = true
	trace.Verdict{Status: task.Running, Source: trace.ByRecord, At: k.at}.On(&t)
	c.evidence(&t, k, root, agent)
	return t
}

func (c *view) base(p *project, x *session, k *shell) task.Task {
	return task.Task{
		ID: Name + ":" + k.call, Source: Name, Native: k.call, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(k.title, trace.FirstLine(k.command), k.call), Command: k.command, Cwd: trace.First(k.cwd, p.path), ToolCall: k.call, Started: k.at,
	}
}

// evidence is how the process of a running command is found, and whether stopping
// it stops the command: Crush itself runs the line and goes on with what follows.
func (c *view) evidence(t *task.Task, k *shell, root task.ProcessID, agent trace.Program) {
	t.Evidence.AgentPID, t.Evidence.AgentStart = agent.PID, agent.Start
	if root.PID > 0 {
		t.Evidence.Roots = []task.ProcessID{root}
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "job_kill")
	if t.Can.Stop && goesOn(k.command) {
		t.Can.Stop, t.Can.WhyNot = false, "Crush runs this line itself and would go on with its next command: stop it in Crush (job_kill)."
	}
}

// goesOn: the line is more than one command in a row that must all succeed.
func goesOn(command string) bool {
	command = strings.TrimRight(strings.TrimSpace(command), ";")
	return strings.ContainsAny(command, ";\n") || strings.Contains(command, "||")
}

func (c *view) row(p *project, x *session, agent trace.Program, live bool, rows []task.Task) task.Session {
	running := trace.Running(rows)
	s := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Cwd: p.path, Title: x.title, StartedAt: x.created, UpdatedAt: x.written,
		StateSince: x.turnAt, Plan: x.plan, Interactive: !live || !slices.Contains(agent.Args, "run"), PID: agent.PID, PIDStart: agent.Start,
	}
	if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.written) < trace.Hot
	}
	s.State = trace.State(live, x.turn, running)
	s.AgentGone = c.l.V.Table != nil && !live && running > 0
	return s
}
