package gemini

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
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
const Name = "gemini"

const (
	label = "Gemini"
	// commandMark stands in the environment of every command.
	commandMark = "GEMINI_CLI"
	// firstBudget and budget are how long one Scan reads; the first answer is the
	// first frame.
	firstBudget = 8 * time.Millisecond
	budget      = 50 * time.Millisecond
	// window is how far back sessions are told of without being asked for all.
	window = 25 * time.Hour
	hotFor = time.Hour
	// logs is the folder of all logs, of all projects.
	logs = "tmp/background-processes"
	// piece is how much of one chat is read before another has its turn.
	piece = 8 << 20
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	w        *world.World
	procs    func() (*proc.Table, error)
	recorded string
	deep     atomic.Bool

	mu       sync.Mutex
	looks    trace.Looks
	programs trace.Programs
	held     trace.Held
	shelf    trace.Shelf
	chats    map[string]*chat
	// roots are the folders that projects stand for, by the project's own folder.
	roots map[string]string
	// order is the list of the shelf at its revision listed.
	order    []*chat
	listed   int
	scans    int
	dirs     []string
	pending  bool
	troubles []task.Trouble
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{w: w, procs: procs, recorded: path.Join(w.Home(), ".gemini"), chats: map[string]*chat{}, roots: map[string]string{}}
	s.programs.Is = func(_ string, args []string) bool {
		return trace.RunsScript(args, "gemini") || slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool { return strings.Contains(a, "/@google/gemini-cli/") })
	}
	s.shelf.Pattern = "tmp/*/chats/session-*.jsonl"
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
	s.dirs, s.pending, s.troubles = nil, false, nil
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
	c := &view{s: s, f: f, v: v, snap: &snap}
	c.tell(more)
	snap.Looked[0].Sessions = len(s.chats)
	s.watch(f, logs)
	s.watch(f, s.shelf.Folders()...)
	snap.Troubles = s.troubles
	return snap, ctx.Err()
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

// root is the folder that a project stands for: its name is only a short one.
func (s *Source) root(f *trace.Folder, rel string) string {
	project := path.Dir(path.Dir(rel))
	if cwd, ok := s.roots[project]; ok && cwd != "" {
		return cwd
	}
	b, _, err := f.Read(path.Join(project, ".project_root"), 8<<10)
	cwd := strings.TrimSpace(string(b))
	if err != nil || !path.IsAbs(cwd) {
		cwd = ""
	}
	if len(s.roots) < 10_000 {
		s.roots[project] = cwd
	}
	return cwd
}
