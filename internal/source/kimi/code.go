package kimi

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// How often sessions that were not written to are looked at again, and how many
// of them one Scan takes.
const (
	coldLook  = time.Minute
	coldMost  = 50
	wirePiece = 8 << 20
	// reach is how far back sessions are searched for tasks that may still run:
	// nothing else tells of them.
	reach = 14 * 24 * time.Hour
)

// sessionForm is how a session's folder is named.
var sessionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^session_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
})

// scanCode tells of Kimi Code.
func (s *Source) scanCode(l *trace.Look) {
	f := l.Open(s.code.recorded)
	if f == nil {
		clear(s.code.sessions)
		return
	}
	defer f.Close()
	list := s.lookAt(f, l)
	l.Sessions(len(s.code.sessions))
	s.code.shelf.Pinned = map[string]bool{}
	c := codeView{s: s, l: l, f: f, procs: map[*kept]task.ProcessID{}}
	c.owners(list)
	for _, x := range list {
		c.session(x)
	}
	l.Watch(f, s.code.shelf.Folders()...)
}

// lookAt reads what is new in the sessions, newest first, and gives those whose
// tasks are known.
func (s *Source) lookAt(f *trace.Folder, l *trace.Look) []*session {
	items := s.code.shelf.Scan(f, l.V.Now, l.More)
	if !s.code.shelf.Complete() {
		l.Later()
	}
	var out []*session
	here := make(map[string]bool, len(items))
	cold := 0
	for i, it := range items {
		here[it.Rel] = true
		x := s.code.sessions[it.Rel]
		if x == nil {
			if !sessionForm().MatchString(path.Base(it.Rel)) {
				continue // a copy that was put aside
			}
			x = &session{rel: it.Rel, id: path.Base(it.Rel), folders: map[string]time.Time{}, tasks: map[string]*kept{}, agents: map[string]*wire{}}
			s.code.sessions[it.Rel] = x
		}
		x.newer(it.ModTime)
		switch {
		case !x.read && !s.Deep() && l.V.Now.Sub(it.ModTime) > reach:
			continue
		case !x.read && i >= 4 && !l.More():
			l.Later()
			continue
		case !x.read, x.running(), l.V.Now.Sub(x.written) < trace.Hot:
			x.look(f, l.V.Now)
		case l.V.Now.Sub(x.looked).Abs() > coldLook && cold < coldMost:
			cold++
			x.look(f, l.V.Now)
		}
		out = append(out, x)
	}
	if s.code.shelf.Complete() {
		for rel := range s.code.sessions {
			if !here[rel] {
				delete(s.code.sessions, rel)
			}
		}
	}
	return out
}

// codeView is one Scan of Kimi Code under way.
type codeView struct {
	s *Source
	f *trace.Folder
	l *trace.Look
	// procs are the processes of the tasks that are open, or were called lost.
	procs map[*kept]task.ProcessID
	own   map[string]trace.Program
}

// owners finds the processes of the tasks, and the agents that have a session open.
func (c *codeView) owners(list []*session) {
	var candidates []trace.Candidate
	for _, x := range list {
		if !x.running() && !c.l.Recent(x.written) {
			continue
		}
		one := trace.Candidate{ID: x.id, Cwd: x.state.Cwd, Written: x.written}
		for _, k := range x.tasks {
			if k.Kind == "agent" || !k.open() && k.Status != "lost" {
				continue
			}
			id, ok := trace.Process(c.l.V.Table, k.PID, k.started, k.Command)
			if !ok {
				continue
			}
			c.procs[k] = id
			if p, ok := c.l.V.Table.Get(id.PID); ok {
				one.Parents = append(one.Parents, p.PPID)
			}
		}
		candidates = append(candidates, one)
	}
	c.own = trace.Owners(c.s.programs.Look(c.l.V.Table), candidates)
}

// session tells of one session and its tasks, if there is something to tell.
func (c *codeView) session(x *session) {
	owner, live := c.own[x.id]
	if !live && !x.running() && !c.l.Recent(x.written) {
		return
	}
	quiet := !live && !x.running() && !c.s.Deep()
	if quiet && x.kept.Good(x.written, c.l.V.Now) {
		c.l.Snap.Tasks = append(c.l.Snap.Tasks, x.kept.Tasks...)
		c.l.Snap.Sessions = append(c.l.Snap.Sessions, x.kept.Session)
		return
	}
	running := 0
	var tasks []task.Task
	for _, k := range sorted(x.tasks) {
		if k.Kind == "question" {
			continue // it asks the person; it is no background work
		}
		t := c.task(x, k, owner, live)
		if !t.Status.Ended() && !t.Foreground {
			running++
		}
		if !t.Status.Ended() || c.l.Recent(later(t.Ended, k.modified)) {
			tasks = append(tasks, t)
		}
	}
	if live || running > 0 {
		c.s.code.shelf.Pinned[x.rel] = true
	}
	c.l.Watch(c.f, x.rel, path.Join(x.rel, "agents/main"), x.tasksFolder("main"))
	if live || running > 0 || c.l.V.Now.Sub(x.written) < trace.Hot {
		c.readWires(x)
	}
	for i := range tasks {
		c.agentFacts(x, &tasks[i])
	}
	c.l.Snap.Tasks = append(c.l.Snap.Tasks, tasks...)
	row := c.sessionRow(x, tasks, running, owner, live)
	c.l.Snap.Sessions = append(c.l.Snap.Sessions, row)
	if quiet {
		x.kept.Keep(tasks, row, x.written, c.l.V.Now)
	}
}

func later(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

func sorted(m map[string]*kept) []*kept {
	out := make([]*kept, 0, len(m))
	for _, k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b *kept) int { return strings.Compare(a.rel, b.rel) })
	return out
}

// readWires reads what was added to the transcripts.
func (c *codeView) readWires(x *session) {
	for name, w := range x.agents {
		st, ok := c.f.Holds(w.rel)
		if !ok || !w.lines.Changed(st.Size(), st.ModTime()) {
			continue
		}
		if name != "main" && !c.l.More() {
			c.l.Later()
			continue
		}
		w.read(c.f, wirePiece)
		x.newer(w.lines.ModTime)
		if w.lines.Err == nil && !w.lines.Done() {
			c.l.Later()
		}
	}
}

func (c *codeView) sessionRow(x *session, tasks []task.Task, running int, owner trace.Program, live bool) task.Session {
	out := task.Session{
		ID: Name + ":" + x.id, Agent: Name, Native: x.id, Cwd: x.state.Cwd, Interactive: true,
		Title: x.state.Title, StartedAt: trace.Millis(x.state.CreatedAt), UpdatedAt: x.written, Trouble: x.trouble,
	}
	turn := false
	if w := x.agents["main"]; w != nil {
		out.Transcript = c.f.Real(w.rel)
		out.Title = trace.First(out.Title, w.prompt)
		out.Plan, turn, out.StateSince = w.plan, w.turn, w.turnAt
		if w.lines.TooLong > 0 {
			out.Trouble = "The transcript has lines of more than 16 MB; they were passed over."
		}
	}
	if live {
		out.PID, out.PIDStart = owner.PID, owner.Start
		out.Interactive = owner.TTY
	}
	if c.l.V.Table == nil {
		live = c.l.V.Now.Sub(x.written) < trace.Hot
	}
	out.State = trace.State(live, turn, running)
	out.AgentGone = c.l.V.Table != nil && !live && running > 0
	out.Cards = trace.Cards(out.ID, tasks)
	return out
}
