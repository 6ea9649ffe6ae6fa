package files

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name and the native id of its one session.
const Name = "files"

const (
	// MaxFiles is how many logs are shown; the newest are kept.
	MaxFiles = 1000
	// maxDepth and maxSeen bound the walk below the folder.
	maxDepth = 8
	maxSeen  = 50_000
	// growing is how long after its last write a file without a visible writer
	// still counts as running.
	growing = 5 * time.Second
	// walkEvery is how often the whole folder is walked for new names; known
	// files are looked at in every Scan.
	walkEvery = 2 * time.Second
)

// Options of a Source.
type Options struct {
	// Procs gives the shared process table; nil or an error: writers cannot be
	// seen, and only growth says that a file is being written.
	Procs func() (*proc.Table, error)
}

// Source shows one folder. It is safe for concurrent use.
type Source struct {
	w   *world.World
	dir string // as the person named it
	o   Options

	mu      sync.Mutex
	walked  time.Time
	names   []string // relative to the folder
	odd     []string // names of logs that are links, pipes, devices
	left    int
	births  map[string]time.Time
	looks   map[string]look
	dirs    []string
	trouble string
	table   *proc.Table
	asked   int
	writing map[string][]proc.Writer
}

// New is a Source for the folder dir, by its recorded name.
func New(w *world.World, dir string, o Options) *Source {
	return &Source{w: w, dir: dir, o: o, births: map[string]time.Time{}, looks: map[string]look{}}
}

// Dirs are the folders that hold a shown log, at most MaxFiles.
func (s *Source) Dirs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dirs)
}

// Scan is the folder as it is now. A folder that cannot be read is a trouble
// in the snapshot; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.w.Now()
	snap := task.Snapshot{At: now}
	real := s.w.Path(s.dir)
	if err := s.walk(ctx, real); err != nil {
		return snap, err
	}
	found := s.stats(real)
	s.writers(found)
	for _, f := range found {
		snap.Tasks = append(snap.Tasks, s.task(f, now))
	}
	snap.Sessions = []task.Session{s.session(snap.Tasks)}
	if s.trouble != "" {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: Name, Text: s.trouble})
	}
	if len(s.odd) > 0 {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: Name, Text: notOpened(s.dir, s.odd)})
	}
	if s.left > 0 {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: Name, Text: tooMany(s.dir, s.left)})
	}
	snap.Looked = []task.Place{{Source: Name, Path: s.dir, Found: s.trouble == "", Sessions: 1}}
	return snap, nil
}

// session is the one that all files belong to.
func (s *Source) session(tasks []task.Task) task.Session {
	x := task.Session{ID: Name + ":" + Name, Agent: Name, Native: Name, Title: s.dir, Cwd: s.dir, State: task.Idle}
	for _, t := range tasks {
		if !t.Status.Ended() {
			x.State = task.BackgroundOnly
		}
		if t.Output.LastWrite.After(x.UpdatedAt) {
			x.UpdatedAt = t.Output.LastWrite
		}
		if !t.Started.IsZero() && (x.StartedAt.IsZero() || t.Started.Before(x.StartedAt)) {
			x.StartedAt = t.Started
		}
	}
	x.StateSince = x.UpdatedAt
	return x
}

// logFile is one log as it stands on disk.
type logFile struct {
	name string // relative, with slashes
	real string
	st   fsys.Stat
}

// stats looks at every known name, newest first, at most MaxFiles.
func (s *Source) stats(real string) []logFile {
	var out []logFile
	for _, name := range s.names {
		f := logFile{name: filepath.ToSlash(name), real: filepath.Join(real, name)}
		st, err := fsys.Lstat(f.real)
		if err != nil || !st.Mode.IsRegular() {
			continue
		}
		f.st = st
		if s.looksLikeLog(f) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b logFile) int {
		if c := b.st.ModTime.Compare(a.st.ModTime); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	s.left = max(0, len(out)-MaxFiles)
	out = out[:min(len(out), MaxFiles)]
	set := map[string]bool{}
	for _, f := range out {
		set[filepath.Dir(f.real)] = true
	}
	s.dirs = s.dirs[:0]
	for d := range set {
		s.dirs = append(s.dirs, d)
	}
	if len(out) == 0 && s.trouble == "" {
		s.dirs = append(s.dirs, real)
	}
	slices.Sort(s.dirs)
	return out
}

// writers asks who writes the files, all in one pass; again only when the
// table or the files are others.
func (s *Source) writers(found []logFile) {
	var table *proc.Table
	if s.o.Procs != nil {
		if t, err := s.o.Procs(); err == nil {
			table = t
		}
	}
	if table == nil {
		s.table, s.writing = nil, nil
		return
	}
	paths := make([]string, 0, len(found))
	same := table == s.table && s.asked == len(found)
	for _, f := range found {
		paths = append(paths, f.real)
		_, known := s.writing[f.real]
		same = same && known
	}
	if same {
		return
	}
	s.table, s.asked = table, len(found)
	w, err := table.Writers(paths)
	if err != nil {
		w = nil
	}
	s.writing = w
}

// walk gathers the names below the folder.
func (s *Source) walk(ctx context.Context, real string) error {
	now := s.w.Now()
	if d := now.Sub(s.walked); d > 0 && d < walkEvery {
		return ctx.Err()
	}
	s.names, s.odd, s.trouble, s.walked = s.names[:0], nil, "", now
	seen := 0
	_ = filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil || seen > maxSeen {
			return fs.SkipAll
		}
		seen++
		if err != nil {
			if path == real {
				s.trouble = s.dir + " cannot be read: give a folder of logs that you may read."
			}
			return fs.SkipDir
		}
		rel, errRel := filepath.Rel(real, path)
		if errRel != nil || rel == "." {
			if path == real && !d.IsDir() {
				s.trouble = s.dir + " is no folder: give a folder of logs."
			}
			return nil
		}
		if d.IsDir() {
			if strings.Count(rel, string(filepath.Separator)) >= maxDepth || skipDirs[d.Name()] {
				return fs.SkipDir
			}
			return nil
		}
		switch kind := named(d.Name()); {
		case d.Type().IsRegular() && kind != never:
			s.names = append(s.names, rel)
		case !d.Type().IsRegular() && kind == surely:
			s.odd = append(s.odd, rel)
		}
		return nil
	})
	return ctx.Err()
}

// skipDirs hold no logs of a person's work, and a great many files.
var skipDirs = map[string]bool{".git": true, "node_modules": true, ".hg": true, ".svn": true, "__pycache__": true}
