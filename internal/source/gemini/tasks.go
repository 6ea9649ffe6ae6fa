package gemini

import (
	"path"
	"strconv"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// task makes a row of a command.
func (c *view) task(x *chat, l *launch, owner trace.Program, live bool) task.Task {
	native := strconv.Itoa(l.pid)
	t := task.Task{
		ID: Name + ":" + x.id + ":" + native, Source: Name, Native: native, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(l.title, trace.FirstLine(l.command), native), Command: l.command, Cwd: c.s.root(c.f, x.rel), ToolCall: l.call, Started: l.at,
		Notified: l.ended,
	}
	if c.newest[l.pid] == l {
		c.output(&t, l.pid)
	}
	c.judge(&t, x, l, live)
	if t.Status.Ended() {
		return t
	}
	c.l.V.Note(&t, live)
	if live {
		t.Evidence.AgentPID, t.Evidence.AgentStart = owner.PID, owner.Start
	}
	root, ok := c.procs[l]
	if ok {
		t.Evidence.Roots = []task.ProcessID{root}
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "ask it to end the process")
	return t
}

// output is the log of a pid. There is none where an old log of the same number
// was in the way.
func (c *view) output(t *task.Task, pid int) {
	rel := path.Join(logs, "background-"+strconv.Itoa(pid)+".log")
	st, ok := c.s.held.Look(c.f, rel, c.l.V.Now.Sub(t.Started) < trace.Window, c.l.V.Now)
	if !ok {
		if st != nil {
			t.Trouble = "Its log is no file of Gemini's own folder; it is not opened."
		}
		return
	}
	if st.ModTime().Before(t.Started.Add(-5 * time.Second)) {
		t.Trouble = "It has no log: one of an earlier process with the same number was in the way."
		return
	}
	t.Output = task.OutputRef{Path: c.f.Real(rel), Recorded: c.f.Recorded(rel), Bytes: st.Size(), LastWrite: st.ModTime()}
	t.Can.Read = true
}

// judge says how a command stands: what the list of processes told, else what the
// process table shows (K7).
func (c *view) judge(t *task.Task, x *chat, l *launch, live bool) {
	if l.ended {
		t.Status, t.StatusSource, t.StatusAt, t.Ended, t.ExitCode = task.Lost, "process list of the agent", l.endAt, l.endAt, l.code
		switch {
		case l.signal > 0 && x.killed[l.pid]:
			t.Status, t.Signal = task.Cancelled, trace.Signal(l.signal)
		case l.signal > 0:
			t.Status, t.Signal = task.Failed, trace.Signal(l.signal)
		case l.code != nil && *l.code == 0:
			t.Status = task.Succeeded
		case l.code != nil:
			t.Status = task.Failed
		}
		if w := t.Output.LastWrite; w.After(l.at) && w.Before(l.endAt) {
			t.Ended = w // the list was asked for later
		}
		return
	}
	_, alive := c.procs[l]
	if alive {
		l.lastSeen = c.l.V.Now
	}
	written := l.at
	for _, at := range []time.Time{t.Output.LastWrite, l.lastSeen} {
		if at.After(written) && !at.After(c.l.V.Now) {
			written = at
		}
	}
	if c.newest[l.pid] != l {
		trace.Verdict{Status: task.Lost, Source: "a later process with its number", At: c.l.V.Now, Ended: written}.On(t)
		return
	}
	c.l.V.Open(trace.Opening{Alive: alive, Agent: live, Started: l.at, Written: written}).On(t)
	if t.Status == task.Lost {
		t.Summary = "Gemini writes no result down unless the model asks for its list of processes."
	}
}
