package codex

import (
	"slices"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

const (
	// quietTurn is how long a turn may write nothing before its server alone is no
	// proof that somebody runs it.
	quietTurn = 10 * time.Minute
	// shortCommand is how long a command of code mode must have run to be kept as a
	// task when it ended: nothing tells whether it was waited for.
	shortCommand = 5 * time.Second
	// justStarted hides such a command for a moment: most are over by then.
	justStarted = time.Second
	// longRollout is the size up to which outputs are read out of a rollout.
	longRollout = 32 << 20
)

// commands are the tasks of one thread.
func (c *view) commands(x *rollout, agent task.ProcessID, live bool) []task.Task {
	c.unrecorded(x)
	c.untold(x)
	var out []task.Task
	for _, k := range x.order {
		m := c.marked[k.id]
		_, listed := c.listed[k.id]
		if !x.isTask(k, m != nil || listed, c.l.V.Now) {
			continue
		}
		t := c.command(x, k, m, agent, live)
		if !t.Status.Ended() || c.l.Recent(t.Ended) {
			out = append(out, t)
		}
	}
	return out
}

// unrecorded are commands that run and of which nothing is written yet: in code
// mode that is all of them.
func (c *view) unrecorded(x *rollout) {
	for id, m := range c.marked {
		if m.thread != x.id || x.commands[id] != nil || len(m.roots) == 0 {
			continue
		}
		root := m.roots[0]
		p, ok := c.l.V.Table.Get(root.PID)
		if !ok {
			continue
		}
		k := x.command(id)
		k.at = c.l.V.Table.StartedAt(p.ID)
		k.cmd, k.cwd = commandOf(c.l.V.Table.Args(root.PID)), c.l.V.Table.Cwd(root.PID)
		if k.at.IsZero() {
			k.at = x.script // a recording of processes without a clock
		}
	}
}

// isTask says whether a command is background work, as far as can be told.
func (x *rollout) isTask(k *command, alive bool, now time.Time) bool {
	switch {
	case k.called:
		return k.handed || alive && !k.ended // waited for: Foreground
	case k.handed || x.handed[k.number]:
		return true
	case k.ended:
		return k.endAt.Sub(k.at) >= shortCommand
	}
	return k.at.IsZero() || now.Sub(k.at) >= justStarted || now.Before(k.at)
}

// command makes a row of one.
func (c *view) command(x *rollout, k *command, m *marked, agent task.ProcessID, live bool) task.Task {
	t := task.Task{
		ID: Name + ":" + k.id, Source: Name, Native: k.id, Kind: task.Shell, Run: 1, Session: Name + ":" + trace.First(x.root, x.id),
		Title: trace.First(trace.FirstLine(k.cmd), k.id), Command: k.cmd, Cwd: trace.First(k.cwd, x.cwd), ToolCall: k.id, Started: k.at,
		Foreground: k.called && !k.handed,
	}
	if x.parent != "" {
		t.Parent = Name + ":" + x.id
	}
	c.output(&t, x, k)
	if k.ended {
		judgeEnded(&t, k)
		return t
	}
	alive := m != nil
	_, listed := c.listed[k.id]
	if alive {
		k.lastSeen = c.l.V.Now
		t.Evidence.Roots = m.roots
		if m.agent.PID > 0 {
			agent, live = m.agent, true
		}
	}
	written := k.at
	if k.lastSeen.After(written) {
		written = k.lastSeen
	}
	if listed && !alive {
		k.lastSeen = c.s.socket.at
		trace.Verdict{Status: task.Running, Source: byDaemon, At: c.s.socket.at}.On(&t)
	} else {
		c.l.V.Open(trace.Opening{Alive: alive, Agent: live, Writes: true, Started: k.at, Written: written}).On(&t)
	}
	if t.Status.Ended() {
		return t
	}
	c.l.V.Note(&t, live)
	t.Evidence.AgentPID, t.Evidence.AgentStart = agent.PID, agent.Start
	t.Evidence.Markers = []string{callMark + "=" + k.id}
	c.reach(&t, x, k, listed)
	return t
}

// reach says how a running command can be stopped, and asked about.
func (c *view) reach(t *task.Task, x *rollout, k *command, listed bool) {
	var root task.ProcessID
	if len(t.Evidence.Roots) > 0 {
		root = t.Evidence.Roots[0]
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "/stop")
	if listed {
		t.Channel = channel{w: c.s.W, recorded: c.s.recorded, thread: x.id, rel: x.rel, output: x.outputOf(k)}
		t.Can.Stop, t.Can.WhyNot, t.Can.Read, t.Trouble = true, "", true, ""
	}
}

// judgeEnded says how a command ended: Codex writes the real code, 128 and the
// signal for one from outside, and -1 for what it ended itself.
func judgeEnded(t *task.Task, k *command) {
	v := trace.Verdict{Status: task.Lost, Source: "end record", At: k.endAt, Ended: k.endAt}
	switch {
	case k.code == nil && k.status == "completed":
		v.Status = task.Succeeded
	case k.code == nil && k.status == "declined":
		v.Status = task.Cancelled
	case k.code == nil:
	case *k.code < 0:
		v.Status, t.Summary = task.Cancelled, "Ended by Codex (its window, /stop, or its own end)."
	case *k.code == 0:
		v.Status, t.ExitCode = task.Succeeded, k.code
	default:
		v.Status, t.ExitCode = task.Failed, k.code
	}
	v.On(t)
	t.Notified = true
}

// output says where what the command printed can be read.
func (c *view) output(t *task.Task, x *rollout, k *command) {
	if x.rel == "" {
		return // no rollout: only the daemon tells
	}
	if x.item.Size > longRollout {
		t.Trouble = "Its output stands in a rollout of more than 32 MB and is not read out of it: look at it in Codex."
		return
	}
	t.Output = task.OutputRef{Path: c.f.Real(x.rel), Recorded: c.f.Recorded(x.rel), Bytes: x.item.Size, LastWrite: orTime(k.endAt, x.item.ModTime), Unheard: !k.ended}
	t.Decoder, t.Can.Read = x.outputOf(k), true
}

// outputOf reads what a command printed out of the thread's rollout.
func (x *rollout) outputOf(k *command) Output {
	return Output{ID: k.id, Calls: slices.Clone(k.feeds), Number: k.number, Ended: k.ended}
}

// helper makes a row of a thread that works for another one; its output is its
// rollout, as steps (O4).
func (c *view) helper(x *rollout, live bool) task.Task {
	t := task.Task{
		ID: Name + ":" + x.id, Source: Name, Native: x.id, Kind: task.Agent, Run: 1, Session: Name + ":" + trace.First(x.root, x.parent),
		Title: trace.First(x.nickname, x.prompt, x.id), Cwd: x.cwd, Started: x.started, Activity: x.activity, ActivityAt: x.activityAt, ToolCalls: x.calls,
		Output:  task.OutputRef{Path: c.f.Real(x.rel), Recorded: c.f.Recorded(x.rel), Bytes: x.item.Size, LastWrite: x.item.ModTime},
		Decoder: Steps{}, Can: task.Can{Read: true},
	}
	if x.nickname != "" && x.prompt != "" {
		t.Summary = x.prompt
	}
	if x.root != x.parent && x.parent != "" && c.byID[x.parent] != nil && c.byID[x.parent].parent != "" {
		t.Parent = Name + ":" + x.parent
	}
	if x.input+x.output > 0 {
		t.Tokens = &task.Tokens{Input: x.input, Output: x.output}
	}
	switch {
	case !x.turn && x.aborted:
		trace.Verdict{Status: task.Cancelled, Source: "end of its turn", At: x.turnAt, Ended: x.turnAt}.On(&t)
	case !x.turn && x.turns > 0:
		trace.Verdict{Status: task.Succeeded, Source: "end of its turn", At: x.turnAt, Ended: x.turnAt}.On(&t)
		t.Result = strings.TrimSpace(x.said)
	default:
		c.l.V.Inside(live, x.item.ModTime).On(&t)
		if !t.Status.Ended() {
			t.Can.WhyNot = "It runs inside Codex: stop it there (/agent)."
		}
	}
	return t
}
