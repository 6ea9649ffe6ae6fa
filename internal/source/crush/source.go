package crush

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/sqlread"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "crush"

const (
	label = "Crush"
	// mark stands on the children of Crush's commands.
	mark     = "CRUSH"
	database = "crush.db"
	// coldLook is how long a project that nobody works in goes without a look.
	coldLook    = 30 * time.Second
	maxProjects = 2000
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded string

	// What follows belongs to the Look under way.
	programs trace.Programs
	environs trace.Environs
	projects map[string]*project // by the folder of their database
	listed   time.Time           // the time of the list of projects
	known    []place
}

// place is an entry of projects.json.
type place struct {
	Path    string `json:"path"`
	DataDir string `json:"data_dir"`
	Last    string `json:"last_accessed"` // RFC 3339
}

// project is one folder with a database.
type project struct {
	path, dir string
	follow    sqlread.Follow
	looked    time.Time
	sessions  map[string]*session
	// after is the row up to which messages count as read, from the time (s) of the
	// first that count.
	after int64
	from  float64
	deep  bool // all sessions were asked for
	odd   bool // what stands in the database's place is no plain file
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, projects: map[string]*project{}}
	s.recorded = path.Join(w.Home(), ".local/share/crush")
	if dir := w.Getenv("XDG_DATA_HOME"); path.IsAbs(dir) {
		s.recorded = path.Join(dir, "crush")
	}
	if dir := w.Getenv("CRUSH_GLOBAL_DATA"); path.IsAbs(dir) {
		s.recorded = dir
	}
	s.programs.Is = func(_ string, args []string) bool { return trace.RunsScript(args, "crush") }
	s.environs.Names = []string{mark}
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			s.known, s.projects = nil, map[string]*project{}
			return
		}
		defer f.Close()
		s.list(f)
		l.Watch(f, ".")
		c := &view{s: s, l: l, programs: s.programs.Look(l.V.Table), marks: s.environs.Look(l.V.Table)}
		n := 0
		for i, p := range s.order() {
			if s.look(ctx, l, p, i, c.busy(p)) {
				c.tell(p)
			}
			n += len(p.sessions)
		}
		l.Sessions(n)
	})
}

// list reads the list of projects where it changed; a broken one leaves the last.
func (s *Source) list(f *trace.Folder) {
	st, err := f.Stat("projects.json")
	if err != nil || st.ModTime().Equal(s.listed) {
		return
	}
	var all struct {
		Projects []place `json:"projects"`
	}
	if _, err := f.JSON("projects.json", &all); err != nil {
		return
	}
	s.listed = st.ModTime()
	slices.SortStableFunc(all.Projects, func(a, b place) int { return strings.Compare(b.Last, a.Last) })
	s.known = all.Projects[:min(len(all.Projects), maxProjects)]
}

// order is the projects, the one that was used last first.
func (s *Source) order() []*project {
	var out []*project
	here := map[string]bool{}
	for _, k := range s.known {
		dir := k.DataDir
		if !path.IsAbs(dir) {
			dir = path.Join(k.Path, trace.First(dir, ".crush"))
		}
		if !path.IsAbs(dir) || here[dir] {
			continue
		}
		p := s.projects[dir]
		if p == nil {
			p = &project{path: k.Path, dir: dir, sessions: map[string]*session{}}
			s.projects[dir] = p
		}
		here[dir] = true
		out = append(out, p)
	}
	for dir := range s.projects {
		if !here[dir] {
			delete(s.projects, dir)
		}
	}
	return out
}

// look asks a project's database where it may hold news. It is false for a project
// of which nothing is known.
func (s *Source) look(ctx context.Context, l *trace.Look, p *project, i int, busy bool) bool {
	now := l.V.Now
	hot := busy || now.Sub(p.follow.Written) < trace.Hot || p.deep != s.Deep()
	if !hot && now.Sub(p.looked).Abs() < coldLook {
		return len(p.sessions) > 0
	}
	if i >= 4 && !busy && !l.More() {
		l.Later()
		return len(p.sessions) > 0
	}
	p.looked = now
	f, err := trace.OpenFolder(s.W, p.dir)
	if err != nil {
		p.sessions = map[string]*session{}
		return false
	}
	defer f.Close()
	if busy {
		l.Watch(f, ".")
	}
	if p.odd = odd(f); p.odd {
		l.Trouble("The database of Crush in " + p.path + " is no plain file; it is not opened.")
		return false
	}
	s.ask(ctx, l, p, f.Real(database))
	return true
}

// odd: a link, or no file at all, stands in the place of the database.
func odd(f *trace.Folder) bool {
	_, err := f.Stat(database)
	_, ok := f.Holds(database)
	return err == nil && !ok
}

func (s *Source) ask(ctx context.Context, l *trace.Look, p *project, file string) {
	due := p.follow.Due(file, l.V.Now)
	if !p.follow.Found {
		p.sessions = map[string]*session{}
		return
	}
	if due || p.follow.Err == nil && p.deep != s.Deep() {
		deep, since := s.Deep(), l.V.Now.Add(-trace.Window)
		if deep {
			since = time.Time{}
		}
		p.follow.Ask(ctx, file, l.V.Now, func(d *sqlread.DB) error { return p.read(d, since) })
		if p.follow.Err == nil {
			p.deep = deep
		}
	}
	if p.follow.Err != nil {
		l.Trouble(sqlread.Sentence("Crush in "+p.path, p.follow.Err))
	}
}
