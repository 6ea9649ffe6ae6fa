package qwen

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "qwen"

const (
	label = "Qwen Code"
	// sessionMark names its session in the environment of a command.
	sessionMark = "QWEN_CODE_SESSION_ID"
	// firstBudget and budget are how long one Scan reads; the first answer is the
	// first frame.
	firstBudget = 8 * time.Millisecond
	budget      = 50 * time.Millisecond
	// window is how far back sessions are told of without being asked for all.
	window = 25 * time.Hour
	hotFor = time.Hour
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	w         *world.World
	procs     func() (*proc.Table, error)
	recorded  string
	namespace string
	deep      atomic.Bool

	mu       sync.Mutex
	looks    trace.Looks
	programs trace.Programs
	held     trace.Held
	environs trace.Environs
	chats    trace.Shelf
	shells   trace.Shelf
	older    trace.Shelf
	helpers  trace.Shelf
	sessions map[string]*session
	registry map[string]*entry
	// order is the list of the sessions at the shelves' revisions listed.
	order    []*session
	listed   [4]int
	scans    int
	dirs     []string
	pending  bool
	broken   int // records that could not be read
	troubles []task.Trouble
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{w: w, procs: procs, sessions: map[string]*session{}, registry: map[string]*entry{}}
	s.recorded = path.Join(w.Home(), ".qwen")
	if dir := w.Getenv("QWEN_RUNTIME_DIR"); path.IsAbs(dir) {
		s.recorded = dir
	}
	s.programs.Is = func(_ string, args []string) bool {
		return trace.RunsScript(args, "qwen") || slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool { return strings.Contains(a, "/@qwen-code/qwen-code/") })
	}
	s.environs.Names = []string{sessionMark}
	s.chats.Pattern = "projects/*/chats/*.jsonl"
	s.shells.Pattern = "tmp/*/background-shells/*"
	s.older.Pattern = "projects/*/tasks/*"
	s.helpers.Pattern = "projects/*/subagents/*"
	if dir := w.Proc(); dir != "" && !w.Recorded() {
		s.namespace, _ = os.Readlink(path.Join(dir, "self/ns/pid"))
	}
	return s
}

// Dirs are the folders whose change may be news.
func (s *Source) Dirs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dirs)
}

// Pending says that the last Scan left something unread.
func (s *Source) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending
}

// SetDeep makes Scan tell of all sessions that ever were, or of the recent ones.
func (s *Source) SetDeep(on bool) { s.deep.Store(on) }

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := budget
	if s.scans++; s.scans == 1 {
		limit = firstBudget
	}
	more, stop := trace.Within(ctx, limit)
	defer stop()
	v := s.looks.At(s.w.Now(), s.procs)
	s.dirs, s.pending, s.broken, s.troubles = nil, false, 0, nil
	snap := task.Snapshot{At: v.Now, Looked: []task.Place{{Source: Name, Path: s.recorded}}}
	f, err := trace.OpenFolder(s.w, s.recorded)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			snap.Troubles = []task.Trouble{{Source: Name, Text: "The folder " + s.recorded + " cannot be read: check who may read it."}}
		}
		return snap, ctx.Err()
	}
	defer f.Close()
	snap.Looked[0].Found = true
	s.gather(f, v, more)
	snap.Looked[0].Sessions = len(s.sessions)
	(&view{s: s, f: f, v: v, snap: &snap}).tell(more)
	s.watch(f, "sessions")
	for _, shelf := range []*trace.Shelf{&s.shells, &s.chats, &s.helpers} {
		s.watch(f, shelf.Folders()...)
	}
	if s.broken > 0 {
		s.troubles = append(s.troubles, task.Trouble{Source: Name, Text: trace.Unreadable(s.broken, label)})
	}
	snap.Troubles = s.troubles
	return snap, ctx.Err()
}

// gather finds what there is: sessions by their transcripts, their commands and
// sub-agents by their folders.
func (s *Source) gather(f *trace.Folder, v trace.View, more func() bool) {
	s.readRegistry(f)
	before := s.listed
	here := map[string]bool{}
	s.each(f, v, more, here, &s.shells, before[1], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, v, more, here, &s.older, before[2], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, v, more, here, &s.helpers, before[3], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, v, more, here, &s.chats, before[0], func(x *session, it trace.Item) { x.chat = it })
	for id := range s.sessions {
		if !here[id] && !s.pending {
			delete(s.sessions, id)
		}
	}
}

// each puts what a shelf holds into the sessions, where it differs from its
// revision before, and notes in here what there is.
func (s *Source) each(f *trace.Folder, v trace.View, more func() bool, here map[string]bool, shelf *trace.Shelf, before int, put func(x *session, it trace.Item)) {
	items := shelf.Scan(f, v.Now, more)
	s.pending = s.pending || !shelf.Complete()
	for _, it := range items {
		id := strings.TrimSuffix(path.Base(it.Rel), ".jsonl")
		here[id] = true
		if shelf.Rev == before {
			continue
		}
		x := s.sessions[id]
		if x == nil {
			x = newSession(id)
			s.sessions[id] = x
		}
		x.newer(it.ModTime)
		put(x, it)
	}
}

// maxDirs bounds the folders that are watched.
const maxDirs = 64

func (s *Source) watch(f *trace.Folder, rels ...string) {
	for _, rel := range rels {
		if len(s.dirs) < maxDirs && !slices.Contains(s.dirs, f.Real(rel)) {
			s.dirs = append(s.dirs, f.Real(rel))
		}
	}
}

func (s *Source) recent(t, now time.Time) bool { return s.deep.Load() || now.Sub(t) < window }

// entry is sessions/<pid>.json: a running agent with its exact start. The token
// that stands in it too is not taken over.
type entry struct {
	PID       int     `json:"pid"`
	ProcStart string  `json:"procStart"` // "<boot id>:<ticks since boot>"
	PIDNs     uint64  `json:"pidNs"`
	SessionID string  `json:"sessionId"`
	Cwd       string  `json:"cwd"`
	Name      string  `json:"name"`
	StartedAt float64 `json:"startedAt"` // ms
	Version   string  `json:"qwenVersion"`
	Kind      string  `json:"kind"`

	modified time.Time
}

// start is the kernel's start of the agent's process, 0 where it is not told.
func (e *entry) start() uint64 {
	n, _ := strconv.ParseUint(e.ProcStart[strings.LastIndexByte(e.ProcStart, ':')+1:], 10, 64)
	return n
}

// maxAgents bounds the entries that are read.
const maxAgents = 2000

func (s *Source) readRegistry(f *trace.Folder) {
	here := map[string]bool{}
	for _, e := range f.List("sessions") {
		name := e.Name()
		if !strings.HasSuffix(name, ".json") || len(here) >= maxAgents {
			continue
		}
		rel := path.Join("sessions", name)
		st, err := f.Stat(rel)
		if err != nil {
			continue
		}
		here[name] = true
		if old := s.registry[name]; old != nil && old.modified.Equal(st.ModTime()) {
			continue
		}
		var x entry
		if _, err := f.JSON(rel, &x); err == nil {
			x.modified = st.ModTime()
			s.registry[name] = &x
		}
	}
	for name := range s.registry {
		if !here[name] {
			delete(s.registry, name)
		}
	}
}
