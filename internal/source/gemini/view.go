package gemini

import (
	"path"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s    *Source
	f    *trace.Folder
	v    trace.View
	snap *task.Snapshot
	own  map[string]trace.Program
	// procs are the processes of launches that nothing says have ended.
	procs map[*launch]task.ProcessID
	// newest is the last launch of each pid: a log is that one's.
	newest map[int]*launch
}

// tell reads what is wanted and puts it into the snapshot, newest first.
func (c *view) tell(more func() bool) {
	list := c.list(more)
	c.readAll(list, more)
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
	if !c.s.pending {
		c.unknown()
	}
}

// list is the chats that are there, the one that was written last first.
func (c *view) list(more func() bool) []*chat {
	items := c.s.shelf.Scan(c.f, c.v.Now, more)
	c.s.pending = !c.s.shelf.Complete()
	if c.s.shelf.Rev == c.s.listed {
		return c.s.order
	}
	here := make(map[string]bool, len(items))
	out := make([]*chat, 0, len(items))
	for _, it := range items {
		here[it.Rel] = true
		x := c.s.chats[it.Rel]
		if x == nil {
			x = newChat(it.Rel)
			c.s.chats[it.Rel] = x
		}
		x.item = it
		out = append(out, x)
	}
	for rel := range c.s.chats {
		if !here[rel] && !c.s.pending {
			delete(c.s.chats, rel)
		}
	}
	c.s.listed, c.s.order = c.s.shelf.Rev, out
	return out
}

// readAll reads what was added to the chats that may have news, which are those
// that were written to lately, and the newest of every folder with an agent in it.
func (c *view) readAll(list []*chat, more func() bool) {
	folders := map[string]bool{}
	for _, p := range c.s.programs.Look(c.v.Table) {
		folders[p.Cwd] = true
	}
	for i, x := range list {
		cwd := c.s.root(c.f, x.rel)
		if !c.s.recent(x.item.ModTime, c.v.Now) && !folders[cwd] {
			continue
		}
		delete(folders, cwd)
		if !x.lines.Changed(x.item.Size, x.item.ModTime) {
			if x.lines.Err != nil {
				c.s.outside(x.rel)
			}
			continue
		}
		if i >= 4 && !more() {
			c.s.pending = true
			continue
		}
		x.read(c.f, piece)
		c.s.pending = c.s.pending || x.lines.Err == nil && !x.lines.Done()
	}
}

// outside says that a chat is no file of the folder.
func (s *Source) outside(rel string) {
	if len(s.troubles) < 20 {
		s.troubles = append(s.troubles, task.Trouble{Source: Name, Text: "The chat " + path.Base(rel) + " is no file of Gemini's own folder; it is not opened."})
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
			id, ok := trace.Process(c.v.Table, l.pid, l.at, l.command)
			if !ok {
				continue
			}
			c.procs[l] = id
			if p, ok := c.v.Table.Get(id.PID); ok {
				one.Parents = append(one.Parents, p.PPID)
			}
		}
		candidates = append(candidates, one)
	}
	c.own = trace.Owners(c.s.programs.Look(c.v.Table), candidates)
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
		} else if !c.s.recent(t.Ended, c.v.Now) {
			continue
		}
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 && !live && !c.s.recent(x.item.ModTime, c.v.Now) {
		return
	}
	if live || running > 0 {
		c.s.shelf.Pinned[x.rel] = true
	}
	c.snap.Tasks = append(c.snap.Tasks, tasks...)
	s := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Cwd: c.s.root(c.f, x.rel), Title: x.prompt, Interactive: true,
		StartedAt: x.started, UpdatedAt: x.item.ModTime, StateSince: x.turnAt, Plan: x.plan, Transcript: c.f.Real(x.rel),
	}
	if x.lines.TooLong > 0 {
		s.Trouble = "The chat has lines of more than 16 MB; they were passed over."
	}
	if live {
		s.PID, s.PIDStart, s.Interactive = owner.PID, owner.Start, owner.TTY
	} else if c.v.Table == nil {
		live = c.v.Now.Sub(x.item.ModTime) < hotFor
	}
	s.State = trace.State(live, x.turn, running)
	s.AgentGone = c.v.Table != nil && !live && running > 0
	c.snap.Sessions = append(c.snap.Sessions, s)
}

// task makes a row of a command.
func (c *view) task(x *chat, l *launch, owner trace.Program, live bool) task.Task {
	native := strconv.Itoa(l.pid)
	t := task.Task{
		ID: Name + ":" + x.id + ":" + native, Source: Name, Native: native, Kind: task.Shell, Run: 1, Session: Name + ":" + x.id,
		Title: firstOf(l.title, trace.FirstLine(l.command), native), Command: l.command, Cwd: c.s.root(c.f, x.rel), ToolCall: l.call, Started: l.at,
		Notified: l.ended,
	}
	if c.newest[l.pid] == l {
		c.output(&t, l.pid)
	}
	c.judge(&t, x, l, live)
	if t.Status.Ended() {
		return t
	}
	c.v.Note(&t, live)
	if live {
		t.Evidence.AgentPID, t.Evidence.AgentStart = owner.PID, owner.Start
	}
	root, ok := c.procs[l]
	if ok {
		t.Evidence.Roots = []task.ProcessID{root}
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.w.Recorded(), c.v.Table, root, label, "ask it to end the process")
	return t
}

// output is the log of a pid. There is none where an old log of the same number
// was in the way.
func (c *view) output(t *task.Task, pid int) {
	rel := path.Join(logs, "background-"+strconv.Itoa(pid)+".log")
	st, ok := c.s.held.Look(c.f, rel, c.v.Now.Sub(t.Started) < window, c.v.Now)
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
		l.lastSeen = c.v.Now
	}
	written := l.at
	for _, at := range []time.Time{t.Output.LastWrite, l.lastSeen} {
		if at.After(written) && !at.After(c.v.Now) {
			written = at
		}
	}
	if c.newest[l.pid] != l {
		trace.Verdict{Status: task.Lost, Source: "a later process with its number", At: c.v.Now, Ended: written}.On(t)
		return
	}
	c.v.Open(trace.Opening{Alive: alive, Agent: live, Started: l.at, Written: written}).On(t)
	if t.Status == task.Lost {
		t.Summary = "Gemini writes no result down unless the model asks for its list of processes."
	}
}

// maxLogs bounds the logs that are looked at.
const maxLogs = 2000

// unknown tells of logs whose chat says nothing of them, while their process
// lives and carries the mark of a command.
func (c *view) unknown() {
	if c.v.Table == nil {
		return
	}
	for i, e := range c.f.List(logs) {
		digits, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".log"), "background-")
		pid, err := strconv.Atoi(digits)
		if !ok || err != nil || i >= maxLogs || c.newest[pid] != nil {
			continue
		}
		p, ok := c.v.Table.Get(pid)
		if !ok || p.Dead() || !c.v.Table.Own(p) || c.v.Table.Env(pid, commandMark)[commandMark] == "" {
			continue
		}
		t := task.Task{
			ID: Name + ":" + digits, Source: Name, Native: digits, Kind: task.Shell, Run: 1, Started: c.v.Table.StartedAt(p.ID), Cwd: c.v.Table.Cwd(pid),
			Command: commandOf(c.v.Table.Args(pid)), Status: task.Running, StatusSource: task.SeenProcesses, StatusAt: c.v.Now,
			Trouble: "No chat tells of it: what is shown is what its process shows.",
		}
		t.Title = firstOf(trace.FirstLine(t.Command), digits)
		c.output(&t, pid)
		root := task.ProcessID{PID: pid, Start: p.Start}
		t.Evidence.Roots = []task.ProcessID{root}
		t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.w.Recorded(), c.v.Table, root, label, "ask it to end the process")
		c.snap.Tasks = append(c.snap.Tasks, t)
	}
}

// commandOf is the command in the text that Gemini's wrapper puts around it: the
// lines between the brackets.
func commandOf(args []string) string {
	text := strings.Join(args, " ")
	if len(args) > 2 {
		text = args[len(args)-1]
	}
	if _, rest, ok := strings.Cut(text, "\n(\n"); ok {
		if i := strings.LastIndex(rest, "\n)"); i >= 0 {
			return rest[:i]
		}
	}
	return trace.Clip(text, 4000)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}
