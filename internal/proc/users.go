package proc

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"offstage/internal/world"
)

// Writer is one descriptor through which a process holds a file.
type Writer struct {
	Proc
	// FD is its number.
	FD int
	// Write: it is open for writing; a reader's is not.
	Write bool
	// Std: fd 1 or 2, the process's own output.
	Std bool
}

// Users is who has path open, one entry per descriptor, in order of pid. A
// process that maps the file without a descriptor is not seen. It looks at all
// descriptors of all processes: 20–50 ms at 600.
// ErrCannotLook where nobody was found and the holders may be hidden from us.
func (t *Table) Users(path string) ([]Writer, error) {
	found, err := t.holders([]string{path}, false)
	if err != nil {
		return nil, err
	}
	users, ok := found[path]
	if !ok {
		return nil, ErrCannotLook
	}
	return users, nil
}

// Writers is who writes each of paths as its own output, fd 1 or 2: the proof
// that a task lives. One pass over two descriptors of each process, 5–10 ms at
// 600 processes, so: on events and every 30 s for all tasks together, never per
// row. A path with an empty list has no writer; a path WITHOUT a key could not
// be looked at. Who holds a file in any other way is told by Holders.
func (t *Table) Writers(paths []string) (map[string][]Writer, error) {
	found, err := t.holders(paths, true)
	if err != nil {
		return nil, err
	}
	for path, users := range found {
		found[path] = slices.DeleteFunc(users, func(u Writer) bool { return !u.Write })
	}
	return found, nil
}

// Holders is Users for many files in one pass, with the keys of Writers.
func (t *Table) Holders(paths []string) (map[string][]Writer, error) {
	return t.holders(paths, false)
}

func (t *Table) holders(paths []string, std bool) (map[string][]Writer, error) {
	if len(paths) == 0 {
		return map[string][]Writer{}, nil
	}
	seek := newSearch(t.host, paths)
	seek.std = std
	if err := t.host.users(t.rows, seek); err != nil {
		return nil, err
	}
	return seek.result(), nil
}

// search is what one pass looks for, and what it found.
type search struct {
	paths []string
	// std: only fd 1 and 2 are of interest.
	std bool
	// text maps what a descriptor's link says to the paths that it means.
	text map[string][]int
	// info is the file of each path, nil where it is gone.
	info  []os.FileInfo
	users [][]Writer
	// blind marks paths that could not be looked at.
	blind []bool
}

// newSearch takes paths as they are named on this machine; under a root the
// recorded names are known too.
func newSearch(h host, paths []string) *search {
	s := &search{paths: paths, text: make(map[string][]int, 2*len(paths)),
		info: make([]os.FileInfo, len(paths)), users: make([][]Writer, len(paths)), blind: make([]bool, len(paths))}
	var w *world.World
	if r, ok := h.(recording); ok {
		w = r.w
	}
	for i, path := range paths {
		for _, name := range s.names(w, i, path) {
			if s.info[i] == nil {
				s.put(name+" (deleted)", i)
			}
			if s.info[i] != nil || w != nil { // a recording need not hold every file
				s.put(name, i)
			}
		}
	}
	return s
}

func (s *search) put(name string, i int) {
	if !slices.Contains(s.text[name], i) {
		s.text[name] = append(s.text[name], i)
	}
}

// names are the texts under which a descriptor of path may show it; it fills
// in whether the file is there.
func (s *search) names(w *world.World, i int, path string) []string {
	if w == nil {
		s.info[i], _ = os.Stat(path) // nil means gone
		names := []string{filepath.Clean(path)}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			names = append(names, real)
		} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			names = append(names, filepath.Join(dir, filepath.Base(path)))
		}
		return names
	}
	recorded := w.Recover(path)
	here := w.Path(recorded)
	s.info[i], _ = os.Stat(here) // nil means gone
	return []string{recorded, w.Recover(here)}
}

func (s *search) found(i int, p Proc, fd int, write bool) {
	s.users[i] = append(s.users[i], Writer{Proc: p, FD: fd, Write: write, Std: fd == 1 || fd == 2})
}

// result has a key for every path that was looked at.
func (s *search) result() map[string][]Writer {
	out := make(map[string][]Writer, len(s.paths))
	for i, path := range s.paths {
		users := s.users[i]
		if len(users) == 0 && s.blind[i] {
			continue
		}
		slices.SortFunc(users, func(a, b Writer) int {
			return cmp.Or(a.PID-b.PID, a.FD-b.FD)
		})
		out[path] = users
	}
	return out
}
