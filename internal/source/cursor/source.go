package cursor

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "cursor"

const (
	label = "Cursor"
	// heartbeat is how long after its last word a terminal counts as kept by Cursor,
	// which writes into it every few seconds.
	heartbeat = 30 * time.Second
)

// Source finds the terminals. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded string

	// What follows belongs to the Look under way.
	programs  trace.Programs
	shelf     trace.Shelf
	terminals map[string]*terminal
	places    map[string]string // a project's own folder, by its folder here
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, terminals: map[string]*terminal{}, places: map[string]string{}}
	s.recorded = path.Join(w.Home(), ".cursor")
	s.programs.Is = func(comm string, args []string) bool {
		return comm == "cursor" || comm == "Cursor" || len(args) > 0 && strings.Contains(args[0], "/.cursor-server/") || trace.RunsScript(args, "cursor", "Cursor", "cursor-agent")
	}
	s.shelf.Pattern = "projects/*/terminals/*.txt"
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			s.terminals = map[string]*terminal{}
			return
		}
		defer f.Close()
		c := &view{s: s, l: l, f: f, live: len(s.programs.Look(l.V.Table)) > 0}
		projects := c.gather()
		for _, p := range projects {
			c.project(p)
		}
		l.Sessions(len(projects))
		l.Watch(f, "projects")
	})
}

// view is one Scan under way.
type view struct {
	s *Source
	l *trace.Look
	f *trace.Folder
	// live: a program of Cursor runs.
	live bool
}

// project is a folder with the terminals in it that are tasks and worth telling of.
type project struct {
	rel     string
	written time.Time
	list    []*terminal
}

// gather reads the terminals that may have news and sorts them by project.
func (c *view) gather() []*project {
	items := c.s.shelf.Scan(c.f, c.l.V.Now, c.l.More)
	if !c.s.shelf.Complete() {
		c.l.Later()
	}
	here := make(map[string]bool, len(items))
	byRel := map[string]*project{}
	for i, it := range items {
		here[it.Rel] = true
		x := c.s.terminals[it.Rel]
		if !c.l.Recent(it.ModTime) && (x == nil || !x.task || x.closed) {
			continue
		}
		if x == nil {
			x = &terminal{rel: it.Rel, size: -1}
			c.s.terminals[it.Rel] = x
		}
		if x.size != it.Size || !x.modified.Equal(it.ModTime) {
			if i >= 8 && !c.l.More() {
				c.l.Later()
				continue
			}
			x.read(c.f)
			x.size, x.modified = it.Size, it.ModTime // also where it cannot be read: not again until it changes
		}
		if !x.task {
			continue
		}
		p := byRel[x.project()]
		if p == nil {
			p = &project{rel: x.project()}
			byRel[p.rel] = p
		}
		p.list = append(p.list, x)
		if x.modified.After(p.written) {
			p.written = x.modified
		}
	}
	for rel := range c.s.terminals {
		if !here[rel] && !c.l.Left() {
			delete(c.s.terminals, rel)
		}
	}
	out := make([]*project, 0, len(byRel))
	for _, p := range byRel {
		slices.SortFunc(p.list, func(a, b *terminal) int { return strings.Compare(a.rel, b.rel) })
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *project) int {
		return cmp.Or(b.written.Compare(a.written), strings.Compare(a.rel, b.rel))
	})
	return out
}

// place is the folder that a project stands for: the name here is lossy.
func (c *view) place(p *project) string {
	if got, ok := c.s.places[p.rel]; ok {
		return got
	}
	var trusted struct {
		WorkspacePath string `json:"workspacePath"`
	}
	if _, err := c.f.JSON(p.rel+"/.workspace-trusted", &trusted); err != nil || trusted.WorkspacePath == "" {
		for _, x := range p.list {
			trusted.WorkspacePath = trace.First(trusted.WorkspacePath, x.cwd)
		}
	}
	if trusted.WorkspacePath != "" {
		c.s.places[p.rel] = trusted.WorkspacePath
	}
	return trusted.WorkspacePath
}

// project tells of one project and its tasks.
func (c *view) project(p *project) {
	name := path.Base(p.rel)
	session := task.Session{
		ID: Name + ":" + name, Agent: Name, Native: name, Cwd: c.place(p), Title: trace.First(path.Base(c.place(p)), name), UpdatedAt: p.written, Interactive: true,
	}
	var rows []task.Task
	for _, x := range p.list {
		rows = c.l.Keep(rows, c.task(session, x), x.modified)
	}
	running := trace.Running(rows)
	live := c.live && c.l.V.Now.Sub(p.written) < trace.Hot || c.l.V.Table == nil && running > 0
	session.State = trace.State(live, false, running)
	session.AgentGone = c.l.V.Table != nil && !c.live && running > 0
	if len(rows) == 0 {
		return
	}
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, rows...)
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, session)
	if running > 0 {
		c.l.Watch(c.f, p.rel+"/terminals")
	}
}

// task makes a row of a terminal.
func (c *view) task(session task.Session, x *terminal) task.Task {
	t := task.Task{
		ID: session.ID + ":" + x.id(), Source: Name, Native: x.id(), Kind: task.Shell, Run: 1, Session: session.ID,
		Title: trace.First(x.title, trace.FirstLine(x.command), x.id()), Command: x.command, Cwd: trace.First(x.cwd, session.Cwd), Started: x.started,
	}
	if t.Started.IsZero() {
		t.Started = x.modified
	}
	c.l.Output(&t, c.f, x.rel, !x.closed)
	if x.broken {
		c.l.Broken(&t)
	}
	if x.closed {
		x.judge(&t)
		return t
	}
	c.open(&t, x)
	return t
}

// judge says how a command ended: completion is the foot, not the word in the head.
func (x *terminal) judge(t *task.Task) {
	v := trace.Verdict{Status: task.Lost, Source: "end of its terminal", At: x.modified, Ended: x.ended}
	switch {
	case x.failure != "":
		v.Status, t.Summary = task.Failed, x.failure
	case x.code == nil:
	case *x.code == 0:
		v.Status, t.ExitCode = task.Succeeded, x.code
	default:
		v.Status, t.ExitCode = task.Failed, x.code
	}
	v.On(t)
}

// open judges a terminal without a foot: by its process, else by the heartbeat.
func (c *view) open(t *task.Task, x *terminal) {
	kept := c.l.V.Now.Sub(x.modified) < heartbeat
	root, alive := trace.Process(c.l.V.Table, x.pid, x.started, x.command)
	if alive {
		x.lastSeen = c.l.V.Now
	}
	switch {
	case x.pid > 1:
		c.l.V.Open(trace.Opening{Alive: alive, Agent: kept, Writes: true, Started: t.Started, Written: x.modified}).On(t)
	case kept:
		trace.Verdict{Status: task.Running, Source: trace.ByRecord, At: x.modified}.On(t)
	default:
		trace.Verdict{Status: task.Lost, Source: trace.ByAgentGone, At: x.modified, Ended: x.modified}.On(t)
	}
	if t.Status.Ended() {
		return
	}
	c.l.V.Note(t, c.live || kept)
	if alive {
		t.Evidence.Roots = []task.ProcessID{root}
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(c.s.W.Recorded(), c.l.V.Table, root, label, "its terminal")
}
