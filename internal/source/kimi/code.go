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
	hotFor    = time.Hour
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
func (s *Source) scanCode(snap *task.Snapshot, v trace.View, more func() bool) {
	f := s.open(snap, s.code.recorded)
	if f == nil {
		clear(s.code.sessions)
		return
	}
	defer f.Close()
	list := s.lookAt(f, v, more)
	snap.Looked[len(snap.Looked)-1].Sessions = len(s.code.sessions)
	s.code.shelf.Pinned = map[string]bool{}
	c := codeView{s: s, f: f, v: v, snap: snap, procs: map[*kept]task.ProcessID{}}
	c.owners(list)
	for _, x := range list {
		c.session(x, more)
	}
	s.watch(f, s.code.shelf.Folders()...)
}

// lookAt reads what is new in the sessions, newest first, and gives those whose
// tasks are known.
func (s *Source) lookAt(f *trace.Folder, v trace.View, more func() bool) []*session {
	items := s.code.shelf.Scan(f, v.Now, more)
	s.pending = s.pending || !s.code.shelf.Complete()
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
		case !x.read && !s.deep.Load() && v.Now.Sub(it.ModTime) > reach:
			continue
		case !x.read && i >= 4 && !more():
			s.pending = true
			continue
		case !x.read, x.running(), v.Now.Sub(x.written) < hotFor:
			x.look(f, v.Now)
		case v.Now.Sub(x.looked).Abs() > coldLook && cold < coldMost:
			cold++
			x.look(f, v.Now)
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
	s    *Source
	f    *trace.Folder
	v    trace.View
	snap *task.Snapshot
	// procs are the processes of the tasks that are open, or were called lost.
	procs map[*kept]task.ProcessID
	own   map[string]trace.Program
}

// owners finds the processes of the tasks, and the agents that have a session open.
func (c *codeView) owners(list []*session) {
	var candidates []trace.Candidate
	for _, x := range list {
		if !x.running() && !c.s.recent(x.written, c.v.Now) {
			continue
		}
		one := trace.Candidate{ID: x.id, Cwd: x.state.Cwd, Written: x.written}
		for _, k := range x.tasks {
			if k.Kind == "agent" || !k.open() && k.Status != "lost" {
				continue
			}
			id, ok := trace.Process(c.v.Table, k.PID, k.started, k.Command)
			if !ok {
				continue
			}
			c.procs[k] = id
			if p, ok := c.v.Table.Get(id.PID); ok {
				one.Parents = append(one.Parents, p.PPID)
			}
		}
		candidates = append(candidates, one)
	}
	c.own = trace.Owners(c.s.programs.Look(c.v.Table), candidates)
}

// session tells of one session and its tasks, if there is something to tell.
func (c *codeView) session(x *session, more func() bool) {
	owner, live := c.own[x.id]
	if !live && !x.running() && !c.s.recent(x.written, c.v.Now) {
		return
	}
	quiet := !live && !x.running() && !c.s.deep.Load()
	if quiet && x.kept.Good(x.written, c.v.Now) {
		c.snap.Tasks = append(c.snap.Tasks, x.kept.Tasks...)
		c.snap.Sessions = append(c.snap.Sessions, x.kept.Session)
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
		if !t.Status.Ended() || c.s.recent(later(t.Ended, k.modified), c.v.Now) {
			tasks = append(tasks, t)
		}
	}
	if live || running > 0 {
		c.s.code.shelf.Pinned[x.rel] = true
	}
	c.s.watch(c.f, x.rel, path.Join(x.rel, "agents/main"), x.tasksFolder("main"))
	if live || running > 0 || c.v.Now.Sub(x.written) < hotFor {
		c.readWires(x, more)
	}
	for i := range tasks {
		c.agentFacts(x, &tasks[i])
	}
	c.snap.Tasks = append(c.snap.Tasks, tasks...)
	row := c.sessionRow(x, tasks, running, owner, live)
	c.snap.Sessions = append(c.snap.Sessions, row)
	if quiet {
		x.kept.Keep(tasks, row, x.written, c.v.Now)
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
func (c *codeView) readWires(x *session, more func() bool) {
	for name, w := range x.agents {
		st, ok := c.f.Holds(w.rel)
		if !ok || !w.lines.Changed(st.Size(), st.ModTime()) {
			continue
		}
		if name != "main" && !more() {
			c.s.pending = true
			continue
		}
		w.read(c.f, wirePiece)
		x.newer(w.lines.ModTime)
		if w.lines.Err == nil && !w.lines.Done() {
			c.s.pending = true
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
		out.Title = firstOf(out.Title, w.prompt)
		out.Plan, turn, out.StateSince = w.plan, w.turn, w.turnAt
		if w.lines.TooLong > 0 {
			out.Trouble = "The transcript has lines of more than 16 MB; they were passed over."
		}
	}
	if live {
		out.PID, out.PIDStart = owner.PID, owner.Start
		out.Interactive = owner.TTY
	}
	if c.v.Table == nil {
		live = c.v.Now.Sub(x.written) < hotFor
	}
	out.State = trace.State(live, turn, running)
	out.AgentGone = c.v.Table != nil && !live && running > 0
	out.Cards = trace.Cards(out.ID, tasks)
	return out
}
