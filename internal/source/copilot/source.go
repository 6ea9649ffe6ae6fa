package copilot

import (
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
const Name = "copilot"

const (
	label = "Copilot"
	// sessionMark names its session in the environment of all that Copilot starts,
	// commandMark stands on commands only, loaderMark names its own process.
	sessionMark = "COPILOT_AGENT_SESSION_ID"
	commandMark = "COPILOT_CLI"
	loaderMark  = "COPILOT_LOADER_PID"
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded, tmp string

	// What follows belongs to the Look under way.
	programs  trace.Programs
	environs  trace.Environs
	shelf     trace.Shelf
	sessions  map[string]*session // by their folder
	order     []*session
	listed    int
	strays    []stray
	tmpLooked time.Time
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, sessions: map[string]*session{}}
	s.recorded, s.tmp = path.Join(w.Home(), ".copilot"), "/tmp"
	if dir := w.Getenv("COPILOT_HOME"); path.IsAbs(dir) {
		s.recorded = dir
	}
	if dir := w.Getenv("TMPDIR"); path.IsAbs(dir) {
		s.tmp = path.Clean(dir)
	}
	s.programs.Is = func(_ string, args []string) bool { return trace.RunsScript(args, "copilot") }
	s.environs.Names = []string{sessionMark, commandMark, loaderMark}
	s.shelf.Pattern = "session-state/*"
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			return
		}
		defer f.Close()
		c := &view{s: s, l: l, f: f}
		if tmp, err := trace.OpenFolder(s.W, s.tmp); err == nil {
			defer tmp.Close()
			c.tmp = tmp
		}
		c.tell()
		l.Sessions(len(s.sessions))
		l.Watch(f, "session-state")
	})
}

// list is the sessions that are there, the one that was written last first.
func (s *Source) list(c *view) []*session {
	items := s.shelf.Scan(c.f, c.l.V.Now, c.l.More)
	if !s.shelf.Complete() {
		c.l.Later()
	}
	if s.shelf.Rev != s.listed {
		here := make(map[string]bool, len(items))
		s.order = make([]*session, 0, len(items))
		for _, it := range items {
			here[it.Rel] = true
			x := s.sessions[it.Rel]
			if x == nil {
				x = newSession(it.Rel)
				s.sessions[it.Rel] = x
			}
			x.modified = it.ModTime
			x.newer(it.ModTime)
			s.order = append(s.order, x)
		}
		for rel := range s.sessions {
			if !here[rel] && !c.l.Left() {
				delete(s.sessions, rel)
			}
		}
		s.listed = s.shelf.Rev
	}
	slices.SortStableFunc(s.order, func(a, b *session) int {
		if n := b.written.Compare(a.written); n != 0 {
			return n
		}
		return strings.Compare(a.id, b.id)
	})
	return s.order
}
