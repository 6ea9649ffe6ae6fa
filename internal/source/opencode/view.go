package opencode

import (
	"slices"
	"strconv"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s *Source
	l *trace.Look
	// own is the program that has a session open.
	own map[string]trace.Program
}

// tell puts the sessions into the snapshot. Those of sub-agents are no sessions of
// a person.
func (c *view) tell(programs []trace.Program) {
	var candidates []trace.Candidate
	for _, x := range c.s.sessions {
		if x.parent == "" {
			candidates = append(candidates, trace.Candidate{ID: x.id, Cwd: x.dir, Written: x.updated})
		}
	}
	c.own = trace.Owners(programs, candidates)
	marks := c.s.environs.Look(c.l.V.Table)
	for _, x := range c.s.sessions {
		if x.parent != "" {
			continue
		}
		own, live := c.own[x.id]
		if !live && !c.l.Recent(x.updated) {
			continue
		}
		if live {
			c.l.Snap.Tasks = append(c.l.Snap.Tasks, c.waits(x, own, marks)...)
		}
		c.l.Snap.Sessions = append(c.l.Snap.Sessions, c.row(x, own, live))
	}
}

// waits are the commands that a session's turn waits for: in no list, and theirs
// are no processes that were left behind.
func (c *view) waits(x *session, own trace.Program, marks map[int]map[string]string) []task.Task {
	var wanted []trace.Wanted
	for _, k := range x.waits {
		wanted = append(wanted, trace.Wanted{Command: k.text, Started: k.at})
	}
	roots := trace.Marked(c.l.V.Table, marks, func(p proc.Proc, e map[string]string) bool {
		return e[pidMark] == strconv.Itoa(own.PID) && p.SID == p.PID
	})
	found := trace.Match(c.l.V.Table, roots, wanted)
	var out []task.Task
	for i, k := range x.waits {
		t := task.Task{
			ID: Name + ":" + k.call, Source: Name, Native: k.call, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
			Title: trace.First(k.title, trace.FirstLine(k.text), k.call), Command: k.text, Cwd: x.dir, ToolCall: k.call, Started: k.at, Foreground: true,
		}
		root := found[i]
		c.l.V.Open(trace.Opening{Alive: root.PID > 0, Agent: true, Writes: true, Started: k.at, Written: k.at}).On(&t)
		if t.Status.Ended() {
			continue // the record of its end is under way
		}
		if root.PID > 0 {
			t.Evidence.Roots = []task.ProcessID{root}
		}
		t.Evidence.AgentPID, t.Evidence.AgentStart = own.PID, own.Start
		t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "Esc")
		out = append(out, t)
	}
	return out
}

func (c *view) row(x *session, own trace.Program, live bool) task.Session {
	s := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Version: x.version, Cwd: x.dir, Title: trace.FirstLine(x.title),
		StartedAt: x.created, UpdatedAt: x.updated, StateSince: x.turnAt, Plan: x.plan,
		Interactive: !live || !slices.Contains(own.Args, "run"), PID: own.PID, PIDStart: own.Start,
	}
	if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.updated) < trace.Hot
	}
	s.State = trace.State(live, x.turn, 0)
	return s
}
