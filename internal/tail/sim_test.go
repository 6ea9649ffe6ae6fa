package tail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// sim is a folder in which everything happens to a log that happens to logs, and
// the reference: what is in each file, and which of them is at the path.
type sim struct {
	t      testing.TB
	r      *rand.Rand
	dir    string // the log and its old files
	path   string
	within bool  // links into dir may be followed
	at     *node // what has the path; nil is nothing
	link   bool  // at is reached by a link
	out    bool  // the path is a link to where nothing may be read
	old    []*node
	serial int
	ops    int
	bytes  int64
}

// node is one file, with the handle of its writer: it outlives its name.
type node struct {
	w    *os.File
	name string
	data []byte
}

func newSim(t testing.TB, r *rand.Rand, within bool) *sim {
	s := &sim{t: t, r: r, dir: t.TempDir(), within: within}
	s.path = filepath.Join(s.dir, "log")
	must(t, os.Mkdir(filepath.Join(s.dir, "old"), 0o700))
	s.at = s.create(s.path)
	s.write(s.at)
	return s
}

// seen is the file that a follower may read at the path.
func (s *sim) seen() *node {
	if s.out || s.link && !s.within {
		return nil
	}
	return s.at
}

func (s *sim) create(path string) *node {
	w, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
	must(s.t, err)
	return &node{w: w, name: path}
}

// text is like no other text, so that a lost or doubled piece is seen.
func (s *sim) text() []byte {
	var b bytes.Buffer
	for range 1 + s.r.IntN(4) {
		s.serial++
		fmt.Fprintf(&b, "%d:", s.serial)
		n := s.r.IntN(60)
		switch s.r.IntN(60) {
		case 0:
			n = s.r.IntN(20_000)
		case 1:
			n = s.r.IntN(BlockSize / 8 * 3)
		}
		for range n {
			fmt.Fprintf(&b, "%08x", s.r.Uint32())
		}
		if s.r.IntN(4) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func (s *sim) write(n *node) {
	b := s.text()
	_, err := n.w.Write(b)
	must(s.t, err)
	n.data = append(n.data, b...)
	s.bytes += int64(len(b))
}

func (s *sim) cut(n *node, to int) {
	must(s.t, n.w.Truncate(int64(to)))
	n.data = bytes.Clone(n.data[:to])
}

// retire gives up the path: its file goes on under another name, or none.
func (s *sim) retire() {
	if s.at == nil && !s.out {
		return
	}
	switch {
	case s.out || s.link:
		must(s.t, os.Remove(s.path))
	case s.r.IntN(3) == 0:
		must(s.t, os.Remove(s.path))
		s.at.name = ""
	default:
		s.serial++
		s.at.name = filepath.Join(s.dir, "old", fmt.Sprint(s.serial))
		must(s.t, os.Rename(s.path, s.at.name))
	}
	if s.at != nil {
		s.keep(s.at)
	}
	s.at, s.link, s.out = nil, false, false
}

// keep remembers an old file; the oldest goes.
func (s *sim) keep(n *node) {
	s.old = append(s.old, n)
	if len(s.old) > 4 {
		s.drop(s.old[0])
		s.old = s.old[1:]
	}
}

func (s *sim) drop(n *node) {
	_ = n.w.Close()
	if n.name != "" {
		must(s.t, os.Remove(n.name))
	}
}

func (s *sim) end() {
	for _, n := range s.old {
		_ = n.w.Close()
	}
	if s.at != nil {
		_ = s.at.w.Close()
	}
}

// step does one thing.
func (s *sim) step() {
	s.ops++
	switch k := s.r.IntN(40); {
	case k < 18:
		if s.at != nil {
			s.write(s.at)
		}
	case k < 23: // last words of a file that lost its name
		if len(s.old) > 0 {
			s.write(s.old[s.r.IntN(len(s.old))])
		}
	case k < 25: // truncate
		if s.at != nil && len(s.at.data) > 0 {
			s.cut(s.at, s.r.IntN(len(s.at.data)))
		}
	case k < 27: // copytruncate, and the writer goes on
		if s.at != nil {
			s.cut(s.at, 0)
			for range s.r.IntN(4) {
				s.write(s.at)
			}
		}
	case k < 31: // rename or unlink
		s.retire()
	case k < 36: // recreate
		if s.at == nil && !s.out {
			s.at = s.create(s.path)
			if s.r.IntN(2) == 0 {
				s.write(s.at)
			}
		}
	case k < 38: // another file is renamed over it
		s.replace()
	case k < 39:
		s.swapLink()
	default:
		s.comeBack()
	}
}

func (s *sim) replace() {
	tmp := filepath.Join(s.dir, "tmp")
	n := s.create(tmp)
	s.write(n)
	must(s.t, os.Rename(tmp, s.path))
	if s.at != nil {
		if !s.link {
			s.at.name = ""
		}
		s.keep(s.at)
	}
	n.name = s.path
	s.at, s.link, s.out = n, false, false
}

// swapLink puts a link in the place of the file: to an old file, or to a file
// outside.
func (s *sim) swapLink() {
	s.retire()
	target := "/etc/passwd"
	if len(s.old) > 0 && s.r.IntN(2) == 0 {
		i := s.r.IntN(len(s.old))
		if n := s.old[i]; n.name != "" {
			target = n.name
			s.old = append(s.old[:i:i], s.old[i+1:]...)
			s.at, s.link = n, true
		}
	}
	s.out = !s.link
	must(s.t, os.Symlink(target, s.path))
}

// comeBack renames an old file to the path again.
func (s *sim) comeBack() {
	if s.at != nil || s.out || len(s.old) == 0 {
		return
	}
	i := s.r.IntN(len(s.old))
	n := s.old[i]
	if n.name == "" {
		return
	}
	must(s.t, os.Rename(n.name, s.path))
	s.old = append(s.old[:i:i], s.old[i+1:]...)
	n.name = s.path
	s.at = n
}
