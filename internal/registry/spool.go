package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/world"
)

// Where the files are, in the folder of the ledger, and how they end.
const (
	spools      = "listen"
	spoolEnding = ".out"
)

// spool is the file that one output is kept in. It is private, and holds what its
// task prints as it does, as agents' own files do. Safe for concurrent use.
type spool struct {
	path string
	w    *world.World

	mu   sync.Mutex
	file *os.File
	size int64
	last time.Time
	// missed: something may have been printed that nobody heard; it is said before
	// the next word.
	missed bool
	// open: the last line has no end yet.
	open bool
	// noted is what was said of ours since the last word of the task.
	noted string
	err   error
}

// newSpool makes the file, 0600 in a folder 0700.
func newSpool(dir, name string, w *world.World) (*spool, error) {
	if err := fsys.MkdirPrivate(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	f, err := fsys.CreatePrivate(path)
	if err != nil {
		return nil, err
	}
	return &spool{path: path, w: w, file: f}, nil
}

// begin puts what is known from before into an empty file.
func (s *spool) begin(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(b) > 0 {
		_, _ = s.put(b)
	}
}

// Write adds what was heard.
func (s *spool) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missed {
		s.missed = false
		s.say("Heard as it is printed from here on; of what came before only what is known stands above. All of it is shown when it has ended.")
	}
	s.noted = ""
	return s.put(b)
}

// gap says that something is missed until the next word.
func (s *spool) gap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = true
}

// note says something of ours, once until the task says something again.
func (s *spool) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noted != text {
		s.noted = text
		s.say(text)
	}
}

// say writes a dim row of ours. Called with the lock held.
func (s *spool) say(text string) {
	row := "\x1b[2m── " + text + " ──\x1b[0m\n"
	if s.open {
		row = "\n" + row
	}
	_, _ = s.put([]byte(row))
}

// put writes, and begins anew where too much is kept. Called with the lock held.
func (s *spool) put(b []byte) (int, error) {
	if s.err != nil || s.file == nil {
		return 0, s.failed()
	}
	if s.size+int64(len(b)) > maxHeard {
		if s.err = s.file.Truncate(0); s.err != nil {
			return 0, s.failed()
		}
		s.size, s.open = 0, false
		s.say(fmt.Sprintf("What was heard until here, %d MB, is not kept.", maxHeard>>20))
	}
	n, err := s.file.WriteAt(b, s.size)
	s.size += int64(n)
	if n > 0 {
		s.open, s.last = b[n-1] != '\n', s.w.Now()
	}
	s.err = err
	return n, s.failed()
}

func (s *spool) failed() error {
	if s.err != nil {
		return fmt.Errorf("keep an output: %w", s.err)
	}
	if s.file == nil {
		return os.ErrClosed
	}
	return nil
}

// broken says that nothing more can be kept, as on a full disk.
func (s *spool) broken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed() != nil
}

// state is how much is kept, when it came, and whether the agent broke off.
func (s *spool) state() (size int64, last time.Time, deaf bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size, s.last, s.noted != ""
}

// remove closes the file and takes it away.
func (s *spool) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.path)
		s.file = nil
	}
}

// strangeSpools are the files of a folder with the program that made each.
func strangeSpools(dir string) map[string]proc.ID {
	list, err := os.ReadDir(dir)
	if err != nil || !fsys.OwnedPrivate(dir) {
		return nil
	}
	out := map[string]proc.ID{}
	for _, e := range list {
		name, ok := strings.CutSuffix(e.Name(), spoolEnding)
		parts := strings.Split(name, "-")
		if !ok || len(parts) != 3 || !e.Type().IsRegular() {
			continue
		}
		pid, err := strconv.Atoi(parts[0])
		start, serr := strconv.ParseUint(parts[1], 10, 64)
		if err == nil && serr == nil {
			out[filepath.Join(dir, e.Name())] = proc.ID{PID: pid, Start: start}
		}
	}
	return out
}
