package trace

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
	"offstage/internal/world"
	"offstage/task"
)

// What sources have in common in how they look.
const (
	// Window is how far back sessions are told of without being asked for all.
	Window = 25 * time.Hour
	// Hot is for how long after it was written to a session is looked at each time.
	Hot = time.Hour
	// Piece is how much of one transcript is read before another has its turn.
	Piece = 8 << 20

	// The first answer of a source is the first frame.
	firstBudget = 8 * time.Millisecond
	budget      = 50 * time.Millisecond
	maxDirs     = 64
	maxTroubles = 20
)

// Base is the part of a source that is the same for every agent: how long a Scan
// may read, what it found out of reach, which folders are watched. A source embeds
// it and tells of its agent inside Look.
type Base struct {
	// Name is the source's name, Label what people call its agent.
	Name, Label string
	W           *world.World
	// Procs shares one process table; nil means that processes cannot be seen.
	Procs func() (*proc.Table, error)
	// Agents find the programs of the agent. Where none of them runs nothing of it is
	// live: its first answer is then only that there is more to read, so that what is
	// live of others need not wait for sessions that ended (first frame).
	Agents []*Programs

	deep atomic.Bool

	mu      sync.Mutex
	looks   Looks
	held    Held
	scans   int
	dirs    []string
	pending bool
}

// Look is one Scan under way.
type Look struct {
	V    View
	Snap *task.Snapshot
	// More says whether some of the time is left.
	More func() bool

	b      *Base
	broken int
}

// Dirs are the folders whose change may be news.
func (b *Base) Dirs() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.dirs)
}

// Pending says that the last Scan left something unread.
func (b *Base) Pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pending
}

// SetDeep makes Scan tell of all sessions that ever were, or of the recent ones.
func (b *Base) SetDeep(on bool) { b.deep.Store(on) }

// Deep says that all sessions are asked for.
func (b *Base) Deep() bool { return b.deep.Load() }

// Look makes one snapshot by tell, one at a time; the error is that of ctx.
func (b *Base) Look(ctx context.Context, tell func(l *Look)) (task.Snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit := budget
	if b.scans++; b.scans == 1 {
		limit = firstBudget
	}
	more, stop := Within(ctx, limit)
	defer stop()
	v := b.looks.At(b.W.Now(), b.Procs)
	snap := task.Snapshot{At: v.Now}
	b.dirs, b.pending = nil, false
	if b.scans == 1 && b.quiet(v) {
		b.pending = true
		return snap, ctx.Err()
	}
	l := &Look{V: v, Snap: &snap, More: more, b: b}
	tell(l)
	if l.broken > 0 {
		l.Trouble(Unreadable(l.broken, b.Label))
	}
	return snap, ctx.Err()
}

// quiet says that processes can be seen and none is the agent's.
func (b *Base) quiet(v View) bool {
	for _, p := range b.Agents {
		if len(p.Look(v.Table)) > 0 {
			return false
		}
	}
	return v.Table != nil && len(b.Agents) > 0
}

// Open opens one of the agent's folders and notes that it was looked for; nil where
// there is none, or nobody may read it, which is said.
func (l *Look) Open(recorded string) *Folder {
	f, err := OpenFolder(l.b.W, recorded)
	l.Snap.Looked = append(l.Snap.Looked, task.Place{Source: l.b.Name, Path: recorded, Found: err == nil})
	if err == nil {
		return f
	}
	if !errors.Is(err, fs.ErrNotExist) {
		l.Trouble("The folder " + recorded + " cannot be read: check who may read it.")
	}
	return nil
}

// Sessions notes how many sessions the place that was opened last holds.
func (l *Look) Sessions(n int) {
	if k := len(l.Snap.Looked); k > 0 {
		l.Snap.Looked[k-1].Sessions += n
	}
}

// Later says that something was left unread.
func (l *Look) Later() { l.b.pending = true }

// Left says whether something was.
func (l *Look) Left() bool { return l.b.pending }

// Broken counts a record that cannot be read and says so on its row.
func (l *Look) Broken(t *task.Task) {
	l.broken++
	t.Trouble = "Its record cannot be read: it is half-written, broken, or of a newer version."
}

// Trouble tells a person one sentence, at most twenty a Scan.
func (l *Look) Trouble(text string) {
	if len(l.Snap.Troubles) < maxTroubles {
		l.Snap.Troubles = append(l.Snap.Troubles, task.Trouble{Source: l.b.Name, Text: text})
	}
}

// Watch asks for word when one of the folders changes.
func (l *Look) Watch(f *Folder, rels ...string) {
	for _, rel := range rels {
		if real := f.Real(rel); len(l.b.dirs) < maxDirs && !slices.Contains(l.b.dirs, real) {
			l.b.dirs = append(l.b.dirs, real)
		}
	}
}

// Recent: what was last heard of at t is told of.
func (l *Look) Recent(t time.Time) bool { return l.b.Deep() || l.V.Now.Sub(t) < Window }

// Keep is the task's row if it runs or ended not long ago; one whose end has no
// time ended when its record was written.
func (l *Look) Keep(list []task.Task, t task.Task, written time.Time) []task.Task {
	if t.Status.Ended() && t.Ended.IsZero() {
		t.Ended = written
	}
	if t.Status.Ended() && !l.Recent(t.Ended) {
		return list
	}
	return append(list, t)
}

// Output makes rel the file of a task's output, if it is a regular one of the
// agent's folder; fresh asks the disk again.
func (l *Look) Output(t *task.Task, f *Folder, rel string, fresh bool) bool {
	st, ok := l.b.held.Look(f, rel, fresh, l.V.Now)
	if !ok {
		if _, err := f.Stat(rel); err == nil {
			t.Trouble = "Its output, " + path.Base(rel) + ", is no file of its agent's folder; it is not opened."
		}
		return false
	}
	t.Output = task.OutputRef{Path: f.Real(rel), Recorded: f.Recorded(rel), Bytes: st.Size(), LastWrite: st.ModTime()}
	t.Can.Read = true
	return true
}

// Running counts the rows that run in the background.
func Running(rows []task.Task) int {
	n := 0
	for _, t := range rows {
		if !t.Status.Ended() && !t.Foreground {
			n++
		}
	}
	return n
}

// First is the first of the words that says something, "" for none.
func First(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}
