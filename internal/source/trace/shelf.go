package trace

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/task"
)

// Item is one file, or folder, of a Shelf: a session's record.
type Item struct {
	// Rel is its path in the folder.
	Rel     string
	Size    int64
	ModTime time.Time

	looked time.Time
}

// Shelf lists what fits a pattern of path parts ("projects/*/chats/*.jsonl"), in
// which a part with a star is listed and one without is looked for. Ten thousand
// old sessions cost little: a folder is listed again only when it changed, and
// what was not written to for an hour is looked at again in turn, a few at a time.
type Shelf struct {
	Pattern string

	items   map[string]*Item
	folders map[string]*listed
	queue   []string // new ones that were not looked at yet
	turn    []string // old ones that are due, the next last
	sorted  []Item   // nil where something changed
	hot     []string // those that are looked at with every Scan, beside Pinned
	// Rev rises whenever Scan gives another list than before.
	Rev int
	// Pinned are items that every Scan looks at, however old: those of live agents.
	Pinned map[string]bool
}

type listed struct {
	modified time.Time
	looked   time.Time
	paths    []string
}

// Bounds of a look: how long an old item may go without a look, and how many of
// them one Scan looks at; how many items a shelf holds.
const (
	hotFor   = time.Hour
	coldLook = 30 * time.Second
	coldMost = 500
	maxItems = 100_000
	// atLeast is how many new items one Scan looks at whatever time is left: a
	// millisecond's work.
	atLeast = 512
)

// Complete says that everything that is known was looked at.
func (s *Shelf) Complete() bool { return s.items != nil && len(s.queue) == 0 }

// Folders are the folders, relative, in which new items appear.
func (s *Shelf) Folders() []string {
	out := make([]string, 0, len(s.folders))
	for rel := range s.folders {
		out = append(out, rel)
	}
	slices.Sort(out)
	return out
}

// Scan looks for items and gives those that are known, newest first; the slice is
// the shelf's own until the next Scan. New ones are looked at as long as more says
// so, and at least some; the rest waits for the next Scan.
func (s *Shelf) Scan(f *Folder, now time.Time, more func() bool) []Item {
	if s.items == nil {
		s.items, s.folders = map[string]*Item{}, map[string]*listed{}
	}
	s.walk(f, "", strings.Split(s.Pattern, "/"), now)
	for n := 0; len(s.queue) > 0 && (n < atLeast || n%64 != 0 || more()); n++ {
		s.look(f, s.queue[0], now)
		s.queue = s.queue[1:]
	}
	s.lookAgain(f, now)
	if s.sorted == nil {
		s.Rev++
		s.sorted, s.hot = make([]Item, 0, len(s.items)), nil
		for rel, i := range s.items {
			s.sorted = append(s.sorted, *i)
			if now.Sub(i.ModTime).Abs() < hotFor {
				s.hot = append(s.hot, rel)
			}
		}
		slices.SortFunc(s.sorted, func(a, b Item) int {
			if c := b.ModTime.Compare(a.ModTime); c != 0 {
				return c
			}
			return strings.Compare(b.Rel, a.Rel)
		})
	}
	return s.sorted
}

// walk follows the pattern through the folders.
func (s *Shelf) walk(f *Folder, at string, parts []string, now time.Time) {
	if !strings.Contains(parts[0], "*") && len(parts) > 1 {
		s.walk(f, path.Join(at, parts[0]), parts[1:], now)
		return
	}
	for _, rel := range s.list(f, at, parts[0], len(parts) == 1, now) {
		if len(parts) > 1 {
			s.walk(f, rel, parts[1:], now)
		}
	}
}

// look takes a stat; what is gone is no item, and neither is a link.
func (s *Shelf) look(f *Folder, rel string, now time.Time) {
	st, err := f.Stat(rel)
	if err != nil || st.Mode()&fs.ModeSymlink != 0 {
		delete(s.items, rel)
		s.sorted = nil
		return
	}
	i := s.items[rel]
	if i == nil {
		if len(s.items) >= maxItems {
			return
		}
		i = &Item{Rel: rel}
		s.items[rel] = i
		s.sorted = nil
	}
	if i.Size != st.Size() || !i.ModTime.Equal(st.ModTime()) {
		i.Size, i.ModTime = st.Size(), st.ModTime()
		s.sorted = nil
	}
	i.looked = now
}

// list gives the paths in a folder that fit, last name first (names that begin
// with a date are then newest first). leaf says that they are items.
func (s *Shelf) list(f *Folder, rel, pattern string, leaf bool, now time.Time) []string {
	known := s.folders[rel]
	if known != nil && now.Sub(known.modified) > hotFor && now.Sub(known.looked).Abs() < coldLook {
		return known.paths
	}
	st, err := os.Stat(f.Real(rel))
	if err != nil || !st.IsDir() {
		delete(s.folders, rel)
		return nil
	}
	// Within two seconds a change may leave the time as it was.
	if known != nil && known.modified.Equal(st.ModTime()) && known.looked.Sub(st.ModTime()) > 2*time.Second {
		known.looked = now
		return known.paths
	}
	l := &listed{modified: st.ModTime(), looked: now}
	for _, e := range f.List(rel) {
		if ok, _ := path.Match(pattern, e.Name()); ok && len(l.paths) < maxItems {
			l.paths = append(l.paths, path.Join(rel, e.Name()))
		}
	}
	slices.SortFunc(l.paths, func(a, b string) int { return strings.Compare(b, a) })
	s.folders[rel] = l
	if leaf {
		s.enqueue(l.paths)
	}
	return l.paths
}

// enqueue notes the paths that are new; those that are gone are found out by the
// next look at them.
func (s *Shelf) enqueue(paths []string) {
	waiting := make(map[string]bool, len(s.queue))
	for _, rel := range s.queue {
		waiting[rel] = true
	}
	for _, rel := range paths {
		if s.items[rel] == nil && !waiting[rel] && len(s.queue) < maxItems {
			s.queue = append(s.queue, rel)
		}
	}
}

// lookAgain renews the stats: of what is hot always, of the rest in turn.
func (s *Shelf) lookAgain(f *Folder, now time.Time) {
	for _, rel := range s.hot {
		if i := s.items[rel]; i != nil && !i.looked.Equal(now) {
			s.look(f, rel, now)
		}
	}
	for rel := range s.Pinned {
		if i := s.items[rel]; i != nil && !i.looked.Equal(now) {
			s.look(f, rel, now)
		}
	}
	if len(s.turn) == 0 {
		for rel := range s.items {
			s.turn = append(s.turn, rel)
		}
	}
	for n := 0; n < coldMost && len(s.turn) > 0; n++ {
		rel := s.turn[len(s.turn)-1]
		s.turn = s.turn[:len(s.turn)-1]
		if i := s.items[rel]; i != nil && now.Sub(i.looked).Abs() >= coldLook {
			s.look(f, rel, now)
		}
	}
}

// Within is a budget: more says whether some of the time is left. Stop frees it.
func Within(ctx context.Context, d time.Duration) (more func() bool, stop context.CancelFunc) {
	limit, cancel := context.WithTimeout(ctx, d)
	return func() bool { return limit.Err() == nil }, cancel
}

// Held remembers which files of a folder may be handed on as outputs.
type Held struct{ known map[string]held }

type held struct {
	st     fs.FileInfo
	ok     bool
	looked time.Time
}

// maxHeld bounds what is remembered.
const maxHeld = 50_000

// Look is Folder.Holds; where fresh is false an answer of the last half minute
// does, as for the output of a task that ended long ago.
func (h *Held) Look(f *Folder, rel string, fresh bool, now time.Time) (fs.FileInfo, bool) {
	if k, ok := h.known[rel]; ok && !fresh && now.Sub(k.looked).Abs() < coldLook {
		return k.st, k.ok
	}
	if h.known == nil || len(h.known) >= maxHeld {
		h.known = map[string]held{}
	}
	st, ok := f.Holds(rel)
	h.known[rel] = held{st, ok, now}
	return st, ok
}

// Kept is what a quiet session was told to be: nothing runs in it and nobody has
// it open, so it is not made anew for half a minute.
type Kept struct {
	Tasks   []task.Task
	Session task.Session

	written, made time.Time
}

// Keep notes what was told of a session that was last written at written.
func (k *Kept) Keep(tasks []task.Task, s task.Session, written, now time.Time) {
	*k = Kept{Tasks: tasks, Session: s, written: written, made: now}
}

// Good says whether that still holds.
func (k *Kept) Good(written, now time.Time) bool {
	return !k.made.IsZero() && k.written.Equal(written) && now.Sub(k.made).Abs() < coldLook && now.Sub(written) > hotFor
}
