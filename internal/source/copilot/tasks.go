package copilot

import (
	"slices"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/task"
)

// longEvents is the size up to which outputs are read out of a session's events.
const longEvents = 32 << 20

// match finds the processes of a session's attached commands: the topmost ones that
// carry its mark and stand under no supervisor of a detached one.
func (c *view) match(x *session) {
	var open []*shell
	var wanted []trace.Wanted
	for _, k := range x.talk.order {
		if k.open() && !k.detached {
			open = append(open, k)
			wanted = append(wanted, trace.Wanted{Command: k.command, Started: k.at, PID: k.pid})
		}
	}
	if len(open) == 0 || !c.marked[x.id] {
		return
	}
	roots := trace.Marked(c.l.V.Table, c.marks, func(_ proc.Proc, e map[string]string) bool {
		return e[sessionMark] == x.id && e[commandMark] != ""
	})
	roots = slices.DeleteFunc(roots, func(id task.ProcessID) bool { return x.supervises(id.PID) })
	for i, id := range trace.Match(c.l.V.Table, roots, wanted) {
		c.procs[open[i]] = id
	}
}

// supervises: pid is the shell that Copilot put around a detached command.
func (x *session) supervises(pid int) bool {
	for _, l := range x.leases {
		if l.Supervisor.PID == pid {
			return true
		}
	}
	return false
}

// shell makes a row of a command.
func (c *view) shell(x *session, k *shell, own trace.Program, live bool) task.Task {
	t := task.Task{
		ID: Name + ":" + k.call, Source: Name, Native: k.call, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(k.title, trace.FirstLine(k.command), k.call), Command: k.command, Cwd: x.talk.cwd, ToolCall: k.call, Started: k.at,
		Foreground: !k.handed && k.mode != "async" && !k.detached, Notified: k.notified,
	}
	if k.agent != "" {
		t.Parent = Name + ":" + k.agent
	}
	var roots []task.ProcessID
	if k.detached {
		roots = c.detached(&t, x, k)
	} else {
		c.attached(&t, x, k)
		if id, ok := c.procs[k]; ok {
			roots = []task.ProcessID{id}
		}
	}
	if k.ended {
		judgeEnded(&t, k)
		return t
	}
	c.judgeOpen(&t, x, k, len(roots) > 0, live)
	if t.Status.Ended() {
		return t
	}
	c.l.V.Note(&t, live)
	t.Evidence.AgentPID, t.Evidence.AgentStart = own.PID, own.Start
	t.Evidence.Roots = roots
	var root task.ProcessID
	if len(roots) > 0 {
		root = roots[0]
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "/tasks")
	return t
}

// attached says where what the command printed can be read.
func (c *view) attached(t *task.Task, x *session, k *shell) {
	if x.size > longEvents {
		t.Trouble = "Its output stands in events of more than 32 MB and is not read out of them: look at it in Copilot."
		return
	}
	if c.l.Output(t, c.f, x.events(), k.open()) {
		t.Decoder = Output{Calls: slices.Clone(k.feeds)}
		if k.ended {
			t.Output.LastWrite = k.endAt
		}
	}
}

// judgeEnded says how a command ended. Copilot writes the code 1 for a signal too.
func judgeEnded(t *task.Task, k *shell) {
	v := trace.Verdict{Status: task.Lost, Source: trace.ByRecord, At: k.endAt, Ended: k.endAt}
	switch {
	case k.stopped:
		v.Status = task.Cancelled
	case k.code == nil:
	case *k.code == 0:
		v.Status, t.ExitCode = task.Succeeded, k.code
	default:
		v.Status, t.ExitCode = task.Failed, k.code
	}
	v.On(t)
}

// judgeOpen judges a command of whose end nothing tells.
func (c *view) judgeOpen(t *task.Task, x *session, k *shell, alive, live bool) {
	if alive {
		k.lastSeen = c.l.V.Now
	}
	if !alive && x.unread() {
		trace.Verdict{Status: task.Running, Source: trace.ByRecord, At: k.at}.On(t)
		return
	}
	if !alive && !k.gone.IsZero() {
		trace.Verdict{Status: task.Lost, Source: trace.ByAgentGone, At: k.gone, Ended: k.gone}.On(t)
		return
	}
	signs := []time.Time{k.lastSeen}
	if k.detached {
		signs = append(signs, t.Output.LastWrite)
	} else if !live {
		signs = append(signs, x.talk.last) // it lived no longer than its agent
	}
	written := k.at
	for _, at := range signs {
		if at.After(written) {
			written = at
		}
	}
	c.l.V.Open(trace.Opening{Alive: alive, Agent: live, Writes: true, Started: k.at, Written: written}).On(t)
}

// helper makes a row of a sub-agent; its output is its part of the events, as steps
// (O4).
func (c *view) helper(x *session, h *helper, live bool) task.Task {
	t := task.Task{
		ID: Name + ":" + h.id, Source: Name, Native: h.id, Kind: task.Agent, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(h.title, h.kind, h.id), Cwd: x.talk.cwd, ToolCall: h.call, Started: h.at, Foreground: h.foreground,
		Activity: h.activity, ActivityAt: h.activityAt, ToolCalls: h.calls,
	}
	if h.input+h.output > 0 {
		t.Tokens = &task.Tokens{Input: h.input, Output: h.output}
	}
	if x.size <= longEvents && c.l.Output(&t, c.f, x.events(), !h.ended) {
		t.Decoder = Steps{Agent: h.id}
	}
	switch {
	case h.ended:
		v := trace.Verdict{Status: task.Succeeded, Source: trace.ByRecord, At: h.endAt, Ended: h.endAt}
		if h.failed {
			v.Status = task.Failed
		}
		v.On(&t)
		t.Result = h.said
	case !h.gone.IsZero():
		trace.Verdict{Status: task.Lost, Source: trace.ByAgentGone, At: h.gone, Ended: h.gone}.On(&t)
	default:
		c.l.V.Inside(live || x.unread(), x.written).On(&t)
		if !t.Status.Ended() {
			t.Can.WhyNot = "It runs inside Copilot: stop it there (/tasks)."
		}
	}
	return t
}
