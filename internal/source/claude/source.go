package claude

import (
	"context"
	"os"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "claude"

// Options of a Source.
type Options struct {
	// Procs gives the process table that is shared by all sources; nil, or an
	// error, means that there is none and running is what the traces say. As long
	// as it returns the same table, files are not looked up in it again.
	Procs func() (*proc.Table, error)
	// Deep reads every transcript whole before Scan answers, ended ones too. Else
	// Scan reads for at most Budget, live sessions first, and Pending says
	// whether more is to come.
	Deep bool
	// Budget is how long one Scan may read transcripts; 0 means 50 ms.
	Budget time.Duration
}

// Source finds the sessions and tasks of Claude Code. It is safe for
// concurrent use; one Scan runs at a time.
type Source struct {
	w         *world.World
	o         Options
	deep      atomic.Bool
	namespace string

	mu       sync.Mutex
	now      time.Time
	scans    int
	places   places
	readers  map[string]*reader
	listings map[string]listing
	environs map[proc.ID]map[string]string
	// oldAgents are transcripts of sub-agents beside those of sessions, by folder.
	oldAgents   map[string]map[string]os.DirEntry
	marks       map[string]cachedMark
	metas       map[string]agentMeta
	foundOutput map[string]string
	journals    map[string]*journal
	records     map[string]*runRecord
	// trees are the workflows by the key of their task, as they were told last.
	trees map[string]*task.WorkflowTree
	// unread: a journal is longer than one Scan reads.
	unread   bool
	reals    map[string]string
	lastSeen map[string]time.Time
	writing  writerScan
	works    []*work
	troubles []string
	dirs     []string
	pending  bool
}

// New is a Source for the machine w.
func New(w *world.World, o Options) *Source {
	s := &Source{w: w, o: o, readers: map[string]*reader{}, listings: map[string]listing{},
		environs: map[proc.ID]map[string]string{}, oldAgents: map[string]map[string]os.DirEntry{}, marks: map[string]cachedMark{},
		metas: map[string]agentMeta{}, foundOutput: map[string]string{}, reals: map[string]string{}, lastSeen: map[string]time.Time{},
		journals: map[string]*journal{}, records: map[string]*runRecord{}, trees: map[string]*task.WorkflowTree{}}
	s.deep.Store(o.Deep)
	if s.o.Budget <= 0 {
		s.o.Budget = 50 * time.Millisecond
	}
	if dir := w.Proc(); dir != "" && !w.Recorded() {
		s.namespace, _ = os.Readlink(path.Join(dir, "self/ns/pid"))
	}
	return s
}

// Dirs are the folders, as they are on this machine, whose change means news:
// session files, project folders of live sessions and their task folders.
func (s *Source) Dirs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dirs)
}

// SetDeep changes Options.Deep while the source is in use, also during a Scan: from
// then on transcripts of sessions that ended long ago are read too, or no more.
func (s *Source) SetDeep(on bool) { s.deep.Store(on) }

// Pending says that the last Scan left transcripts unread: what it answered is
// true but not all, and the next Scan goes on.
func (s *Source) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending
}

// Scan is the whole truth as it can be seen now. What cannot be read is a
// trouble in the snapshot; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now, s.troubles, s.unread = s.w.Now(), nil, false
	s.scans++
	if len(s.lastSeen)+len(s.foundOutput) > 50_000 {
		clear(s.lastSeen)
		clear(s.foundOutput)
	}
	table := s.table()
	s.places = s.findPlaces(table)
	v := &view{s: s, table: table}
	v.clients = s.clients(s.places, table)
	v.files = s.transcripts(s.places)
	v.match()
	if err := v.read(ctx); err != nil {
		return task.Snapshot{}, err
	}
	v.fold()
	snap := task.Snapshot{At: s.now}
	v.owners()
	snap.Tasks = v.tasks()
	snap.Sessions = v.sessions(snap.Tasks)
	for _, text := range s.troubles {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: Name, Text: text})
	}
	snap.Looked = v.looked()
	s.dirs = v.dirs()
	s.pending = s.pending || s.unread
	return snap, nil
}

func (s *Source) table() *proc.Table {
	if s.o.Procs == nil {
		return nil
	}
	t, err := s.o.Procs()
	if err != nil {
		return nil
	}
	return t
}
