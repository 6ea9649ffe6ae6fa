package kimi

import (
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// task makes a row of a record.
func (c *codeView) task(x *session, k *kept, owner trace.Program, live bool) task.Task {
	id := trace.First(k.TaskID, nameOf(k.rel))
	t := task.Task{
		ID: Name + ":" + id, Source: Name, Native: id, Kind: kind(k.Kind), Run: 1, Session: Name + ":" + x.id,
		Title: trace.First(k.Description, trace.FirstLine(k.Command), id), Command: k.Command, Cwd: x.state.Cwd, ToolCall: k.ParentToolCallID,
		Started: k.started, Notified: !k.Suppressed,
		Foreground: k.Detached != nil && !*k.Detached,
	}
	if k.broken {
		c.l.Broken(&t)
	}
	if t.Started.IsZero() {
		t.Started = k.modified
	}
	if k.TimeoutMs > 0 && !k.started.IsZero() {
		t.Timeout = k.started.Add(time.Duration(min(k.TimeoutMs, 1e12)) * time.Millisecond)
	}
	c.output(&t, k)
	c.judge(&t, k, live)
	c.l.V.Note(&t, live)
	if live {
		t.Evidence.AgentPID, t.Evidence.AgentStart = owner.PID, owner.Start
	}
	c.can(&t, k)
	if k.owner != "" && k.owner != "main" {
		t.Parent = c.parent(x, k.owner)
	}
	return t
}

// nameOf is the id that a record's file is named by.
func nameOf(rel string) string {
	return strings.TrimSuffix(rel[strings.LastIndexByte(rel, '/')+1:], ".json")
}

// parent is the task of the sub-agent whose folder a record lies in.
func (c *codeView) parent(x *session, agent string) string {
	for _, k := range x.tasks {
		if k.AgentID == agent && k.TaskID != "" {
			return Name + ":" + k.TaskID
		}
	}
	return ""
}

func kind(word string) task.Kind {
	if word == "agent" {
		return task.Agent
	}
	return task.Shell
}

// output is the log beside the record; a task that printed nothing has none.
func (c *codeView) output(t *task.Task, k *kept) {
	st, ok := c.s.held.Look(c.f, k.log(), k.open() || c.l.V.Now.Sub(k.modified) < trace.Hot, c.l.V.Now)
	if !ok {
		if st != nil {
			t.Trouble = "Its output.log is no file of its agent's folder; it is not opened."
		}
		return
	}
	k.output = st
	t.Output = task.OutputRef{Path: c.f.Real(k.log()), Recorded: c.f.Recorded(k.log()), Bytes: st.Size(), LastWrite: st.ModTime()}
}

// judge says how the task stands (K7): what its agent wrote, and whether its
// process lives where that is not the last word.
func (c *codeView) judge(t *task.Task, k *kept, live bool) {
	id, alive := c.procs[k]
	written := k.modified
	for _, at := range []time.Time{t.Output.LastWrite, k.lastSeen} {
		if at.After(written) && !at.After(c.l.V.Now) {
			written = at
		}
	}
	if alive {
		k.lastSeen = c.l.V.Now
		t.Evidence.Roots = []task.ProcessID{id}
	}
	ended := func(s task.Status) {
		trace.Verdict{Status: s, Source: trace.ByRecord, At: k.modified, Ended: later(k.ended, k.modified)}.On(t)
		t.Summary = k.StopReason
	}
	switch k.Status {
	case "completed":
		ended(task.Succeeded)
		t.ExitCode = code(k)
	case "failed":
		ended(task.Failed)
		if t.ExitCode = code(k); t.ExitCode == nil && k.ExitCode != nil {
			t.Summary = trace.First(t.Summary, "Ended by a signal; which one is not recorded.")
		}
	case "timed_out":
		ended(task.TimedOut)
	case "killed":
		ended(task.Cancelled)
	case "lost":
		ended(task.Lost)
		if alive {
			c.l.V.Open(trace.Opening{Alive: true, Agent: live, Written: written}).On(t)
			t.Warning = "Kimi lost touch with it when it was started again, and cannot stop it: it runs on."
		}
	default:
		c.openTask(t, k, alive, live, written)
	}
}

// openTask is a record that says running, or a word that is not known here.
func (c *codeView) openTask(t *task.Task, k *kept, alive, live bool, written time.Time) {
	switch {
	case k.TaskID == "":
		trace.Verdict{Status: task.Lost, Source: trace.ByRecord, At: k.modified, Ended: k.modified}.On(t)
	case !k.ended.IsZero():
		trace.Verdict{Status: task.Lost, Source: trace.ByRecord, At: k.modified, Ended: k.ended}.On(t)
		t.Trouble = "Its record ends it with a word that is not known here (" + trace.Clip(trace.Clean(k.Status), 40) + ")."
	case k.Kind == "agent":
		c.l.V.Inside(live, written).On(t)
	default:
		c.l.V.Open(trace.Opening{Alive: alive, Agent: live, Writes: true, Started: t.Started, Written: written}).On(t)
	}
	if k.Status == "awaiting_approval" && !t.Status.Ended() {
		t.Waiting, t.WaitingLine = "waiting for input", trace.First(k.ApprovalReason, "It waits for an approval.")
	}
}

// code is the exit code; -1 stands for none.
func code(k *kept) *int {
	if k.ExitCode == nil {
		return nil
	}
	return k.ExitCode
}

func (c *codeView) can(t *task.Task, k *kept) {
	t.Can.Read = t.Output.Path != ""
	if t.Status.Ended() {
		return
	}
	if k.Kind == "agent" {
		t.Can.WhyNot = "It runs inside Kimi: stop it there (/tasks)."
		return
	}
	var root task.ProcessID
	if len(t.Evidence.Roots) > 0 {
		root = t.Evidence.Roots[0]
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "/tasks")
}

// agentFacts puts what a sub-agent's transcript tells on its task; the transcript
// is its output, read as steps (O4).
func (c *codeView) agentFacts(x *session, t *task.Task) {
	if t.Kind != task.Agent {
		return
	}
	for _, k := range x.tasks {
		if k.TaskID != t.Native {
			continue
		}
		w := x.agents[k.AgentID]
		if w == nil {
			return
		}
		if t.Status.Ended() && t.Output.Path != "" && t.Output.Bytes < 64<<10 {
			if b, _, err := c.f.Read(k.log(), 64<<10); err == nil {
				t.Result = strings.TrimSpace(string(b))
			}
		}
		t.Activity, t.ActivityAt, t.ToolCalls = w.activity, w.activityAt, w.calls
		if w.input+w.output > 0 {
			t.Tokens = &task.Tokens{Input: w.input, Output: w.output}
		}
		t.Result = trace.First(t.Result, endText(t, w))
		if st, ok := c.f.Holds(w.rel); ok {
			t.Output = task.OutputRef{Path: c.f.Real(w.rel), Recorded: c.f.Recorded(w.rel), Bytes: st.Size(), LastWrite: st.ModTime()}
			t.Decoder, t.Can.Read = Steps{}, true
		}
		return
	}
}

func endText(t *task.Task, w *wire) string {
	if t.Status.Ended() {
		return w.said
	}
	return ""
}
