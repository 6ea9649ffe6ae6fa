package codex

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
const Name = "codex"

const (
	label = "Codex"
	// callMark and threadMark name the call and the thread in the environment of
	// every command.
	callMark   = "CODEX_TOOL_CALL_ID"
	threadMark = "CODEX_THREAD_ID"
	// firstBudget and budget are how long one Scan reads; the first answer is the
	// first frame.
	firstBudget = 8 * time.Millisecond
	budget      = 50 * time.Millisecond
	// window is how far back sessions are told of without being asked for all.
	window = 25 * time.Hour
	hotFor = time.Hour
	// piece is how much of one rollout is read before another has its turn.
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
	windows  trace.Programs // the program that a person sees, or a headless run
	servers  trace.Programs // what runs threads for others: the daemon, an editor's server
	environs trace.Environs
	shelf    trace.Shelf
	rollouts map[string]*rollout
	names    names
	socket   socket
	// bare are threads that only the daemon tells of.
	bare map[string]*rollout
	// order is the list of the shelf at its revision listed.
	order    []*rollout
	listed   int
	scans    int
	dirs     []string
	pending  bool
	troubles []task.Trouble
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{w: w, procs: procs, recorded: path.Join(w.Home(), ".codex"), rollouts: map[string]*rollout{}}
	if dir := w.Getenv("CODEX_HOME"); path.IsAbs(dir) {
		s.recorded = dir
	}
	s.windows.Is = func(_ string, args []string) bool { return isCodex(args) && !serves(args) }
	s.servers.Is = func(_ string, args []string) bool {
		return isCodex(args) && slices.Contains(args, "app-server") && !slices.Contains(args, "pid-update-loop")
	}
	s.environs.Names = []string{callMark, threadMark}
	s.shelf.Pattern = "sessions/*/*/*/rollout-*.jsonl"
	return s
}

func isCodex(args []string) bool {
	return trace.RunsScript(args, "codex") || len(args) > 0 && path.Base(args[0]) == "codex"
}

// serves: a server or a helper of Codex, not a window of it.
func serves(args []string) bool {
	return slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool {
		return a == "app-server" || a == "mcp-server" || a == "exec-server"
	})
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
	c.tell(ctx, more)
	snap.Looked[0].Sessions = len(s.rollouts)
	s.watch(f, ".")
	for i, rel := range slices.Backward(s.shelf.Folders()) { // the newest days
		if s.watch(f, rel); i < len(s.shelf.Folders())-8 {
			break
		}
	}
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

// names are the titles that Codex gave its threads: session_index.jsonl.
type names struct {
	lines trace.Lines
	of    map[string]string
}

// maxNames bounds the titles that are kept.
const maxNames = 100_000

func (n *names) read(f *trace.Folder) {
	st, ok := f.Holds("session_index.jsonl")
	if !ok || !n.lines.Changed(st.Size(), st.ModTime()) {
		return
	}
	n.lines.Read(f, "session_index.jsonl", piece, func() { n.of = nil }, func(line []byte, _ int64) {
		var e struct {
			ID   string `json:"id"`
			Name string `json:"thread_name"`
		}
		if trace.Decode(line, &e) && e.ID != "" && len(n.of) < maxNames {
			if n.of == nil {
				n.of = map[string]string{}
			}
			n.of[e.ID] = e.Name
		}
	})
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}
