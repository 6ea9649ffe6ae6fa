package kimi

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
const Name = "kimi"

// label is what people call the agent.
const label = "Kimi"

// How long one Scan reads before it says that more is to come; the first answer
// is the first frame.
const (
	firstBudget = 8 * time.Millisecond
	budget      = 50 * time.Millisecond
)

// window is how far back sessions are read without being asked for all.
const window = 25 * time.Hour

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	w     *world.World
	procs func() (*proc.Table, error)
	deep  atomic.Bool

	mu       sync.Mutex
	code     home
	cli      cliHome
	looks    trace.Looks
	programs trace.Programs
	held     trace.Held
	scans    int
	dirs     []string
	pending  bool
	broken   int // records that could not be read
	troubles []task.Trouble
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{w: w, procs: procs}
	s.programs.Is = isKimi
	s.code.init(place(w, "KIMI_CODE_HOME", ".kimi-code"))
	s.cli.init(place(w, "KIMI_SHARE_DIR", ".kimi"))
	return s
}

// place is an agent's folder: what its variable says, else in the home.
func place(w *world.World, variable, otherwise string) string {
	if dir := w.Getenv(variable); path.IsAbs(dir) && !w.Recorded() {
		return dir
	}
	return path.Join(w.Home(), otherwise)
}

// isKimi: Kimi Code calls its process kimi-code; Kimi CLI is a Python program.
func isKimi(comm string, args []string) bool {
	return comm == "kimi-code" || len(args) > 0 && args[0] == "kimi-code" || trace.RunsScript(args, "kimi", "kimi-code", "kimi-cli")
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
	snap := task.Snapshot{At: v.Now}
	s.dirs, s.pending, s.broken, s.troubles = nil, false, 0, nil
	s.scanCode(&snap, v, more)
	s.scanCLI(&snap, v, more)
	if s.broken > 0 {
		s.tell(trace.Unreadable(s.broken, label))
	}
	snap.Troubles = s.troubles
	return snap, ctx.Err()
}

// open opens one of the folders, says that it was looked at, and gives nil where
// it is not there.
func (s *Source) open(snap *task.Snapshot, recorded string) *trace.Folder {
	f, err := trace.OpenFolder(s.w, recorded)
	snap.Looked = append(snap.Looked, task.Place{Source: Name, Path: recorded, Found: err == nil})
	if err == nil {
		return f
	}
	if !errors.Is(err, fs.ErrNotExist) {
		s.tell("The folder " + recorded + " cannot be read: check who may read it.")
	}
	return nil
}

// tell notes a trouble of this Scan, each text once and not too many.
func (s *Source) tell(text string) {
	t := task.Trouble{Source: Name, Text: text}
	if len(s.troubles) < 20 && !slices.Contains(s.troubles, t) {
		s.troubles = append(s.troubles, t)
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

// recent says whether something is worth telling of without being asked for all.
func (s *Source) recent(t, now time.Time) bool { return s.deep.Load() || now.Sub(t) < window }

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}
