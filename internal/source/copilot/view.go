package copilot

import (
	"slices"
	"strconv"

	"offstage/internal/source/trace"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s      *Source
	l      *trace.Look
	f, tmp *trace.Folder
	// marks are those of processes, by pid; marked the sessions that they name.
	marks  map[int]map[string]string
	marked map[string]bool
	live   map[string]trace.Program // by session
	procs  map[*shell]task.ProcessID
}

// tell reads what is wanted and puts it into the snapshot, newest first.
func (c *view) tell() {
	c.live, c.procs, c.marked = map[string]trace.Program{}, map[*shell]task.ProcessID{}, map[string]bool{}
	c.marks = c.s.environs.Look(c.l.V.Table)
	for _, e := range c.marks {
		c.marked[e[sessionMark]] = true
	}
	list := c.s.list(c)
	c.owners(list, c.s.programs.Look(c.l.V.Table))
	for i, x := range list {
		if x.looked.IsZero() && i >= 4 && !c.marked[x.id] && !c.l.More() {
			c.l.Later()
			continue
		}
		_, live := c.live[x.id]
		if live || x.looked.IsZero() || c.marked[x.id] || x.running() || c.l.V.Now.Sub(x.written) < trace.Hot || x.looked.Before(x.modified) {
			x.look(c.f, c.l.V.Now)
		}
	}
	for i, x := range list {
		if c.told(x) {
			c.read(x, i)
		}
	}
	c.s.shelf.Pinned = map[string]bool{}
	for _, x := range list {
		if c.told(x) {
			c.session(x)
		}
	}
}

// told: the session is worth telling of. One that is open has no events yet before
// its person says something.
func (c *view) told(x *session) bool {
	_, live := c.live[x.id]
	return live || x.found && (c.marked[x.id] || x.running() || c.l.Recent(x.written))
}

// resumed is how many of the newest sessions are looked at for a program that has
// none of them open as far as is known: it may just have taken one up again.
const resumed = 100

// owners finds the programs that have sessions open.
func (c *view) owners(list []*session, programs []trace.Program) {
	for _, x := range list {
		c.owner(x, programs)
	}
	if len(c.live) >= len(programs) {
		return
	}
	for _, x := range list[:min(len(list), resumed)] {
		if st, err := c.f.Stat(x.dir); err == nil {
			x.modified = st.ModTime()
			c.owner(x, programs)
		}
	}
}

// owner finds the program that has the session open: the one of a lock that is no
// older than it, or the one that a command of the session names.
func (c *view) owner(x *session, programs []trace.Program) {
	for _, p := range programs {
		if x.openIn(c.f, p) {
			c.live[x.id] = p
			return
		}
	}
	if !c.marked[x.id] {
		return
	}
	for _, e := range c.marks {
		if e[commandMark] == "" {
			continue // an MCP server, which says nothing of who talks
		}
		pid, err := strconv.Atoi(e[loaderMark])
		i := slices.IndexFunc(programs, func(p trace.Program) bool { return p.PID == pid })
		if e[sessionMark] == x.id && err == nil && i >= 0 {
			c.live[x.id] = programs[i]
			return
		}
	}
}

// read takes what was added to the events, as long as there is time.
func (c *view) read(x *session, i int) {
	if !x.talk.lines.Changed(x.size, x.changed) {
		return
	}
	if i >= 4 && !c.marked[x.id] && !c.l.More() {
		c.l.Later()
		return
	}
	for {
		x.talk.read(c.f, x.events(), trace.Piece)
		if x.newer(x.talk.lines.ModTime); !x.unread() {
			return
		}
		if !c.l.More() {
			c.l.Later()
			return
		}
	}
}

// session tells of one session and its tasks.
func (c *view) session(x *session) {
	own, live := c.live[x.id]
	quiet := !live && !c.marked[x.id] && !x.running() && !c.s.Deep()
	if quiet && x.kept.Good(x.written, c.l.V.Now) {
		c.l.Snap.Tasks = append(c.l.Snap.Tasks, x.kept.Tasks...)
		c.l.Snap.Sessions = append(c.l.Snap.Sessions, x.kept.Session)
		return
	}
	x.readLeases(c.f, c.l.V.Now)
	c.match(x)
	rows := c.rows(x, own, live)
	row := c.row(x, own, live, rows)
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, rows...)
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, row)
	if quiet && !c.l.Left() {
		x.kept.Keep(rows, row, x.written, c.l.V.Now)
	}
	if live || x.running() {
		c.s.shelf.Pinned[x.dir] = true
		c.l.Watch(c.f, x.dir)
		if len(x.leases) > 0 {
			c.l.Watch(c.f, x.dir+"/detached-shells")
		}
	}
}

func (c *view) row(x *session, own trace.Program, live bool, rows []task.Task) task.Session {
	running := trace.Running(rows)
	out := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Version: x.talk.version, Cwd: x.talk.cwd, Branch: x.talk.branch,
		Title: trace.First(x.name, x.talk.prompt), StartedAt: x.talk.first, UpdatedAt: x.written, StateSince: x.talk.turnAt, Plan: x.talk.plan,
		Transcript: c.f.Real(x.events()), Interactive: true, PID: own.PID, PIDStart: own.Start,
	}
	if live {
		out.Interactive = !slices.Contains(own.Args, "-p") && !slices.Contains(own.Args, "--prompt")
	}
	if x.talk.lines.Err != nil {
		out.Trouble = "The events of this session cannot be read: they are no file of its agent's folder, or nobody may read them."
	} else if x.talk.lines.TooLong > 0 {
		out.Trouble = "The events have lines of more than 16 MB; they were passed over."
	}
	turn := x.talk.turn
	if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.written) < trace.Hot
	}
	out.State = trace.State(live, turn, running)
	out.AgentGone = c.l.V.Table != nil && !live && running > 0
	out.Cards = trace.Cards(out.ID, rows)
	return out
}

// rows are the tasks of a session: what runs, and what ended not long ago.
func (c *view) rows(x *session, own trace.Program, live bool) []task.Task {
	var out []task.Task
	for _, k := range x.talk.order {
		if !k.handed && (k.ended || !k.gone.IsZero()) {
			continue // it was waited for
		}
		out = c.l.Keep(out, c.shell(x, k, own, live), x.written)
	}
	for _, h := range x.talk.helped {
		out = c.l.Keep(out, c.helper(x, h, live), x.written)
	}
	return out
}
