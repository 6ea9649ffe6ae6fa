package qwen

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s    *Source
	l    *trace.Look
	f    *trace.Folder
	live map[string]agent
	// marked are the sessions that a process names in its environment.
	marked map[string]bool
	// procs are the processes of commands whose record says that they run.
	procs map[*shell]task.ProcessID
}

// tell reads what is wanted and puts it into the snapshot, live sessions first.
func (c *view) tell() {
	c.live, c.procs = map[string]agent{}, map[*shell]task.ProcessID{}
	list := c.order()
	c.registered()
	c.marked = map[string]bool{}
	for _, e := range c.s.environs.Look(c.l.V.Table) {
		c.marked[e[sessionMark]] = true
	}
	for i, x := range list {
		if c.wanted(x) || x.unread() && (c.marked[x.id] || c.l.Recent(x.written)) {
			if x.unread() && i >= 4 && c.live[x.id].entry == nil && !x.running() && !c.l.More() {
				c.l.Later()
				continue
			}
			x.look(c.f, c.l.V.Now)
		}
		if c.told(x) {
			c.readTalks(x)
		}
	}
	c.owners(list)
	c.s.chats.Pinned = map[string]bool{}
	for _, x := range list {
		if c.told(x) {
			c.session(x)
		}
	}
}

// told: the session is worth telling of.
func (c *view) told(x *session) bool {
	_, live := c.live[x.id]
	return live || x.running() || c.l.Recent(x.written)
}

// order is the sessions, the one that was written last first.
func (c *view) order() []*session {
	rev := [4]int{c.s.chats.Rev, c.s.shells.Rev, c.s.older.Rev, c.s.helpers.Rev}
	if rev == c.s.listed && len(c.s.order) == len(c.s.sessions) {
		return c.s.order
	}
	list := make([]*session, 0, len(c.s.sessions))
	for _, x := range c.s.sessions {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *session) int {
		return cmp.Or(b.written.Compare(a.written), strings.Compare(a.id, b.id))
	})
	c.s.listed, c.s.order = rev, list
	return list
}

// wanted: there may be news of it.
func (c *view) wanted(x *session) bool {
	_, live := c.live[x.id]
	return live || x.running() || c.l.V.Now.Sub(x.written) < trace.Hot
}

// cwd is the folder that the session's commands run in.
func (x *session) cwd() string {
	for _, k := range x.shells {
		if k.Cwd != "" {
			return k.Cwd
		}
	}
	return ""
}

// session tells of one session and its tasks.
func (c *view) session(x *session) {
	own, live := c.live[x.id]
	quiet := !live && !x.running() && !x.unread() && !c.s.Deep()
	if quiet && x.kept.Good(x.written, c.l.V.Now) {
		c.l.Snap.Tasks = append(c.l.Snap.Tasks, x.kept.Tasks...)
		c.l.Snap.Sessions = append(c.l.Snap.Sessions, x.kept.Session)
		return
	}
	rows := c.rows(x, own, live)
	running := 0
	for _, t := range rows {
		if !t.Status.Ended() && !t.Foreground {
			running++
		}
	}
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, rows...)
	row := c.row(x, rows, running, own, live)
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, row)
	if quiet && !c.l.Left() {
		x.kept.Keep(rows, row, x.written, c.l.V.Now)
	}
	if live || running > 0 {
		c.s.chats.Pinned[x.chat.Rel] = true
		for rel := range x.folders {
			c.l.Watch(c.f, rel)
		}
	}
}

func (c *view) row(x *session, tasks []task.Task, running int, own agent, live bool) task.Session {
	out := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Cwd: trace.First(x.talk.cwd, x.cwd()), Branch: x.talk.branch, Version: x.talk.version,
		Title: x.talk.prompt, StartedAt: x.talk.first, UpdatedAt: x.written, StateSince: x.talk.last, Plan: x.talk.plan, Interactive: true,
	}
	if x.chat.Rel != "" {
		out.Transcript = c.f.Real(x.chat.Rel)
	}
	if err := x.talk.lines.Err; err != nil {
		out.Trouble = "The transcript cannot be read: it is no file of its agent's folder, or nobody may read it."
	} else if x.talk.lines.TooLong > 0 {
		out.Trouble = "The transcript has lines of more than 16 MB; they were passed over."
	}
	if live {
		out.PID, out.PIDStart, out.Interactive = own.id.PID, own.id.Start, own.tty
		if e := own.entry; e != nil {
			out.Title, out.Cwd, out.Version = trace.First(out.Title, e.Name), trace.First(out.Cwd, e.Cwd), trace.First(out.Version, e.Version)
		}
		if own.unseen && c.l.V.Table != nil {
			out.Trouble = task.CannotSee + ". Open offstage there to see and stop them."
		}
	} else if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.written) < trace.Hot
	}
	out.State = trace.State(live, x.talk.turn, running)
	out.AgentGone = c.l.V.Table != nil && !live && running > 0
	out.Cards = trace.Cards(out.ID, tasks)
	return out
}

// rows are the tasks of a session: what runs, and what ended not long ago.
func (c *view) rows(x *session, own agent, live bool) []task.Task {
	var out []task.Task
	keep := func(t task.Task, modified time.Time) {
		if t.Status.Ended() && t.Ended.IsZero() {
			t.Ended = modified
		}
		if !t.Status.Ended() || c.l.Recent(t.Ended) {
			_, told := x.talk.ends[t.Native]
			t.Notified = t.Notified || told
			out = append(out, t)
		}
	}
	for _, k := range x.shells {
		keep(c.shell(x, k, own, live), k.modified)
	}
	for _, h := range x.helpers {
		keep(c.helper(x, h, live), h.modified)
	}
	slices.SortFunc(out, func(a, b task.Task) int { return strings.Compare(a.ID, b.ID) })
	return out
}
