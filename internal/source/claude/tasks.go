package claude

import (
	"strconv"
	"strings"

	"offstage/task"
)

// maxText bounds a result or summary that is kept for a card.
const maxText = 32_000

// tasks makes a task of every work.
func (v *view) tasks() []task.Task {
	out := make([]task.Task, 0, len(v.s.works))
	for _, known := range v.s.works {
		w := *known
		w.ends = append([]end(nil), known.ends...)
		out = append(out, v.task(&w, known))
	}
	return out
}

func (v *view) task(w, known *work) task.Task {
	session, owner := v.session(w)
	l := w.launch
	t := task.Task{ID: Name + ":" + w.key, Source: Name, Native: w.id, Kind: l.kind, Title: title(l), Command: l.command, Cwd: l.cwd,
		Session: Name + ":" + session, ToolCall: w.call, Run: w.run, Started: w.launched, Notified: w.told}
	o := v.outputs[known]
	var flow workflowView
	switch l.kind {
	case task.Agent:
		o = v.agentTask(&t, w)
	case task.Workflow:
		flow = v.s.workflowOf(w)
		w.workflowEnds(flow)
	case task.Monitor:
		t.Activity, t.ActivityAt = firstLine(w.lastEvent), w.lastAt
		if l.timeout > 0 && !l.persistent {
			t.Timeout = w.launched.Add(l.timeout)
		}
	}
	t.Output, t.Trouble = o.ref, o.trouble
	if w.from.agent != "" {
		t.Parent = Name + ":" + w.from.agent
	}
	s := v.s.see(w, o, v.table, v.written, owner)
	s.leftover = v.left[session] != nil
	state := v.s.judge(w, o, s)
	t.Status, t.StatusSource, t.StatusAt, t.Ended, t.ExitCode = state.status, state.source, state.at, state.ended, state.code
	if !t.Status.Ended() && !w.stalled.IsZero() && !o.ref.LastWrite.After(w.stalled) {
		// The client watched it and nothing came since.
		t.Waiting, t.WaitingLine = "waiting for input", w.question
	}
	t.Summary, t.Result = cut(state.end.summary), cut(state.end.result)
	if t.Status.Ended() {
		t.Continuation = w.reply
	}
	if l.kind == task.Workflow {
		v.workflowTask(&t, w, flow)
	}
	t.Evidence = v.evidence(w, owner)
	t.Can = v.can(t, s)
	return t
}

// title is the agent's description; where it gave none, the command's start.
func title(l *launch) string {
	return firstOf(strings.TrimSpace(l.title), firstLine(l.command), l.name, l.kind.Label())
}

func cut(s string) string {
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

// agentTask fills in what a sub-agent's own files say; its output is its
// transcript, read as steps (O4).
func (v *view) agentTask(t *task.Task, w *work) outFile {
	view, ok := v.agents[w.id]
	if !ok {
		o := v.s.shellOutput(w, v.s.places)
		if o.ref.Path != "" && v.s.insideConfig(o.ref.Path) {
			t.Decoder = Steps{}
		}
		return o
	}
	w.agentEnds(view)
	agentFacts(t, w, view)
	t.Decoder = Steps{}
	if view.meta.Parent != "" {
		t.Parent = Name + ":" + strings.TrimPrefix(view.meta.Parent, "agent-")
	}
	if view.meta.Description != "" && w.launch.title == "" {
		t.Title = view.meta.Description
	}
	return outFile{exists: true, trouble: view.reader.trouble, ref: task.OutputRef{Path: view.reader.path,
		Recorded: firstOf(w.launch.path, v.s.w.Recover(view.reader.path)), Bytes: view.info.Size(), LastWrite: view.info.ModTime()}}
}

// evidence is how the processes of a task are found.
func (v *view) evidence(w *work, owner *client) task.Evidence {
	var e task.Evidence
	if owner != nil {
		e.AgentPID, e.AgentStart = owner.id.PID, owner.id.Start
	}
	if w.launch.kind != task.Shell && w.launch.kind != task.Monitor {
		return e
	}
	version := w.launch.version
	if version != "" && !older(version, "2.1.132") {
		e.Markers = append(e.Markers, "CLAUDE_CODE_SESSION_ID="+w.from.session)
	}
	if owner != nil && version != "" && !older(version, "2.1.214") && !owner.startedAt.After(w.launched.Add(grace)) {
		e.Markers = append(e.Markers, "CLAUDE_PID="+strconv.Itoa(owner.id.PID))
	}
	e.Wrapped = w.launch.command
	e.WritersAreProof = w.writesItself() && !w.launch.byUser
	return e
}

// can says what can be done with the task from here, and why not.
func (v *view) can(t task.Task, s sight) task.Can {
	c := task.Can{Read: t.Output.Path != "" && !strings.Contains(t.Trouble, "removed") && !strings.Contains(t.Trouble, "permission denied")}
	if t.Status.Ended() {
		return c
	}
	switch {
	case v.s.w.Recorded():
		c.WhyNot = "This is a recording or another file system: nothing in it can be stopped from here."
	case s.unseen:
		c.WhyNot = "Cannot see its processes: its agent runs in a container or on another host; open offstage there."
	case v.table == nil:
		c.WhyNot = "Cannot see its processes on this machine: stop it in the agent's own task list (/tasks, then x)."
	case t.Kind == task.Shell, t.Kind == task.Monitor && t.Command != "":
		c.Stop = true
	case t.Kind == task.Agent, t.Kind == task.Teammate:
		c.WhyNot = "It runs inside its agent: stop it there (/tasks, then x, or Ctrl+X Ctrl+K for all of them)."
	default:
		c.WhyNot = "It runs inside its agent or elsewhere: stop it there (/tasks, then x)."
	}
	return c
}
