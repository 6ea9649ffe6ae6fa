package qwen

import (
	"path"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

func digits(n uint64) string { return strconv.FormatUint(n, 10) }

// shell makes a row of a background command.
func (c *view) shell(x *session, k *shell, own agent, live bool) task.Task {
	id := k.id()
	t := task.Task{
		ID: Name + ":" + id, Source: Name, Native: id, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(k.title, trace.FirstLine(k.Command), id), Command: k.Command, Cwd: trace.First(k.Cwd, x.talk.cwd), Started: trace.Stamp(k.StartTime),
	}
	if t.Started.IsZero() {
		t.Started = k.modified
	}
	if k.broken {
		c.l.Broken(&t)
	}
	c.l.Output(&t, c.f, k.log(), k.open() || c.l.V.Now.Sub(k.modified) < trace.Hot)
	c.judge(&t, x, k, own, live)
	return t
}

// judge says how a command stands (K7).
func (c *view) judge(t *task.Task, x *session, k *shell, own agent, live bool) {
	ended := trace.Stamp(k.EndTime)
	if ended.IsZero() {
		ended = k.modified
	}
	by := func(s task.Status) {
		trace.Verdict{Status: s, Source: trace.ByRecord, At: k.modified, Ended: ended}.On(t)
	}
	switch k.Status {
	case "completed":
		by(task.Succeeded)
		if t.ExitCode = k.ExitCode; t.ExitCode != nil && *t.ExitCode != 0 {
			t.Status = task.Failed
		}
	case "failed":
		by(task.Failed)
		t.ExitCode, t.Signal = k.ending()
		if t.ExitCode == nil && t.Signal == "" {
			t.Summary = trace.FirstLine(k.Error)
		}
	case "cancelled":
		by(task.Cancelled)
	default:
		c.open(t, k, own, live)
	}
	if !t.Status.Ended() {
		c.evidence(t, x, k, own, live)
	}
}

// open judges a record that says running, or a word that is not known here.
func (c *view) open(t *task.Task, k *shell, own agent, live bool) {
	written := k.modified
	for _, at := range []time.Time{t.Output.LastWrite, k.lastSeen} {
		if at.After(written) && !at.After(c.l.V.Now) {
			written = at
		}
	}
	v := c.l.V
	if own.unseen {
		v.Table = nil
	}
	_, alive := c.procs[k]
	if alive {
		k.lastSeen = c.l.V.Now
	}
	switch {
	case k.Status == "" && !k.bare: // never read
		trace.Verdict{Status: task.Lost, Source: trace.ByRecord, At: k.modified, Ended: k.modified}.On(t)
	case k.bare && k.PID == 0:
		v.Inside(live, written).On(t)
		t.Trouble = "There is only a log of it: neither a record nor the transcript tells its command and its end."
	case k.EndTime != "":
		trace.Verdict{Status: task.Lost, Source: trace.ByRecord, At: k.modified, Ended: trace.Stamp(k.EndTime)}.On(t)
		t.Trouble = "Its record ends it with a word that is not known here (" + trace.Clip(trace.Clean(k.Status), 40) + ")."
	default:
		v.Open(trace.Opening{Alive: alive, Agent: live, Writes: true, Started: t.Started, Written: written}).On(t)
	}
}

// ending is a code or a signal, of what the record says in words: "exited with code 3", "terminated
// by signal 9".
func (k *shell) ending() (code *int, signal string) {
	if n, ok := number(k.Error, "exited with code "); ok {
		return &n, ""
	}
	if n, ok := number(k.Error, "terminated by signal "); ok {
		return nil, trace.Signal(n)
	}
	if _, name, ok := strings.Cut(k.Error, "terminated by signal SIG"); ok {
		return nil, trace.Clip(trace.Clean(name), 20)
	}
	return k.ExitCode, ""
}

func number(text, before string) (int, bool) {
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimRight(strings.Fields(rest + " x")[0], ".,;"))
	return n, err == nil
}

// evidence is how the processes of a running command are found, and whether it
// can be stopped.
func (c *view) evidence(t *task.Task, x *session, k *shell, own agent, live bool) {
	c.l.V.Note(t, live)
	if live && !own.unseen {
		t.Evidence.AgentPID, t.Evidence.AgentStart = own.id.PID, own.id.Start
	}
	root, ok := c.procs[k]
	if ok {
		t.Evidence.Roots = []task.ProcessID{root}
		t.Evidence.Markers = []string{sessionMark + "=" + x.id}
	}
	if own.unseen && c.l.V.Table != nil {
		t.Can.WhyNot = "Cannot see its processes: its agent runs in a container; open offstage there."
		return
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "/tasks")
}

// helper makes a row of a sub-agent; its output is its transcript, as steps (O4).
func (c *view) helper(x *session, h *helper, live bool) task.Task {
	id := trace.First(h.AgentID, strings.TrimPrefix(strings.TrimSuffix(path.Base(h.rel), ".meta.json"), "agent-"))
	t := task.Task{
		ID: Name + ":" + id, Source: Name, Native: id, Kind: task.Agent, Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(h.Description, h.AgentType, id), Cwd: trace.First(h.talk.cwd, x.talk.cwd), ToolCall: h.ToolUseID, Started: trace.Stamp(h.CreatedAt),
		Foreground: h.IsBackgrounded != nil && !*h.IsBackgrounded,
		Activity:   h.talk.activity, ActivityAt: h.talk.activityAt, ToolCalls: h.talk.calls,
	}
	if h.ParentAgentID != "" {
		t.Parent = Name + ":" + h.ParentAgentID
	}
	if h.broken {
		c.l.Broken(&t)
	}
	if h.talk.input+h.talk.output > 0 {
		t.Tokens = &task.Tokens{Input: h.talk.input, Output: h.talk.output}
	}
	c.l.Output(&t, c.f, h.transcript(), h.open() || c.l.V.Now.Sub(h.modified) < trace.Hot)
	if t.Can.Read {
		t.Decoder = Steps{}
	}
	written := h.modified
	if h.talk.lines.ModTime.After(written) {
		written = h.talk.lines.ModTime
	}
	c.judgeHelper(&t, h, live, written)
	if t.Status.Ended() {
		t.Result = h.talk.said
	} else {
		t.Can.WhyNot = "It runs inside Qwen Code: stop it there (/tasks)."
	}
	return t
}

func (c *view) judgeHelper(t *task.Task, h *helper, live bool, written time.Time) {
	ended := trace.Stamp(h.LastUpdatedAt)
	if ended.IsZero() {
		ended = h.modified
	}
	by := func(s task.Status) {
		trace.Verdict{Status: s, Source: trace.ByRecord, At: h.modified, Ended: ended}.On(t)
	}
	switch h.Status {
	case "completed", "succeeded", "done":
		by(task.Succeeded)
	case "failed", "error":
		by(task.Failed)
	case "cancelled", "canceled", "killed", "stopped", "aborted":
		by(task.Cancelled)
	case "timeout", "timed_out":
		by(task.TimedOut)
	case "": // never read
		by(task.Lost)
	default:
		c.l.V.Inside(live, written).On(t)
	}
}
