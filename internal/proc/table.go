package proc

import (
	"errors"
	"slices"
	"sync"
	"time"

	"offstage/internal/world"
)

// ErrNoProcs: there is no process table to read here (a root without a recorded
// one, a system that shows none). It says "cannot look", never "nobody".
var ErrNoProcs = errors.New("the processes of this machine cannot be seen from here")

// ErrCannotLook: the processes that could hold a file belong to somebody else
// or are hidden (hidepid, another user, a system without such a list).
var ErrCannotLook = errors.New("cannot see who holds the file: its processes belong to another user or are hidden")

// ID is one process for good: a pid alone comes back within seconds on a busy
// machine. Start is ticks since boot on Linux (field 22 of stat), microseconds
// since the epoch on macOS, a FILETIME on Windows; 0 is unknown.
type ID struct {
	PID   int
	Start uint64
}

// Proc is the light row of one process.
type Proc struct {
	ID
	PPID, PGID, SID int
	// TTY: it has a controlling terminal.
	TTY bool
	// UID owns it; -1 where owners mean nothing (under a root, on Windows).
	UID int
	// State is the letter of ps: R, S, D, T, Z …
	State byte
	// Comm is the kernel's short name, at most 15 bytes on Linux.
	Comm string
}

// Dead says that only the entry is left: a zombie waits for its parent.
func (p Proc) Dead() bool { return p.State == 'Z' || p.State == 'X' || p.State == 'x' }

// Kernel says that it is a thread of the kernel's own, not a program (Linux):
// those are in no group, and children of the second process.
func (p Proc) Kernel() bool { return p.PGID == 0 && (p.PPID == 2 || p.PID == 2) }

// Table is the process table as it stood at one moment. It is safe for
// concurrent use; Args, Cwd, Env, Users and Ports read the machine when called.
type Table struct {
	// At is when the look began: what was started since does not stand in it.
	At       time.Time
	host     host
	recorded bool
	rows     []Proc // by pid
	index    map[int]int
	kids     map[int][]int

	// lines are the command lines that were asked for: every source asks for all of
	// them. Long ones are read each time.
	reading sync.Mutex
	lines   map[int][]string
}

// longLine is from how many bytes on a command line is not kept.
const longLine = 4 << 10

// host is one way to see processes: a process folder, macOS, Windows.
type host interface {
	rows() ([]Proc, error)
	args(pid int) []string
	cwd(pid int) string
	env(pid int, names []string) map[string]string
	link(pid, fd int) string
	// users fills seek with who holds its files.
	users(rows []Proc, seek *search) error
	listeners(pids []int) ([]Listener, error)
	// fed are those of pids that read what another of them writes, through a pipe.
	fed(pids []int) map[int]bool
	// startedAt is the wall clock of a start, zero if unknown.
	startedAt(start uint64) time.Time
}

// Scan reads the light rows of all processes once: 3–10 ms at 600 processes.
// ErrNoProcs where there is no table to read.
func Scan(w *world.World) (*Table, error) {
	h, err := hostOf(w)
	if err != nil {
		return nil, err
	}
	at := w.Now()
	rows, err := h.rows()
	if err != nil {
		return nil, err
	}
	t := newTable(h, w.Recorded(), rows)
	t.At = at
	return t, nil
}

// hostOf picks the way to look: a recorded folder wins over the system's own.
func hostOf(w *world.World) (host, error) {
	if !w.Recorded() {
		return systemHost(w)
	}
	dir := w.Proc()
	if dir == "" {
		return nil, ErrNoProcs
	}
	return recording{dir: dir, w: w}, nil
}

func newTable(h host, recorded bool, rows []Proc) *Table {
	slices.SortFunc(rows, func(a, b Proc) int { return a.PID - b.PID })
	t := &Table{host: h, recorded: recorded, rows: rows,
		index: make(map[int]int, len(rows)), kids: make(map[int][]int)}
	for i, p := range rows {
		t.index[p.PID] = i
		t.kids[p.PPID] = append(t.kids[p.PPID], i)
	}
	return t
}

// Get is the row of pid.
func (t *Table) Get(pid int) (Proc, bool) {
	i, ok := t.index[pid]
	if !ok {
		return Proc{}, false
	}
	return t.rows[i], true
}

// All are all rows, in order of pid; the slice is the caller's.
func (t *Table) All() []Proc { return slices.Clone(t.rows) }

// Children are the direct children of pid. A row that started before its
// parent is none: there the parent's pid came back while the table was read.
func (t *Table) Children(pid int) []Proc {
	parent, known := t.Get(pid)
	var kids []Proc
	for _, i := range t.kids[pid] {
		if p := t.rows[i]; p.PID != pid && (!known || p.Start >= parent.Start) {
			kids = append(kids, p)
		}
	}
	return kids
}

// Ancestors are the parent of pid, its parent, and so on to the top.
func (t *Table) Ancestors(pid int) []Proc {
	var up []Proc
	p, ok := t.Get(pid)
	for ok && len(up) < len(t.rows) {
		if p, ok = t.Get(p.PPID); ok {
			up = append(up, p)
		}
	}
	return up
}

// Alive says whether id was running when the table was read; a zombie is not.
// With a Start of 0 the pid alone is compared: good enough to show, never to
// signal.
func (t *Table) Alive(id ID) bool {
	p, ok := t.Get(id.PID)
	return ok && !p.Dead() && (id.Start == 0 || id.Start == p.Start)
}

// Args is the command line of pid; nil for a zombie, a kernel thread, or where
// it cannot be read. It is raw and may hold secrets. The slice is the table's.
func (t *Table) Args(pid int) []string {
	t.reading.Lock()
	defer t.reading.Unlock()
	if args, ok := t.lines[pid]; ok {
		return args
	}
	args, long := t.host.args(pid), 0
	for _, a := range args {
		long += len(a)
	}
	if p, ok := t.Get(pid); ok && long < longLine && (len(args) > 0 || p.Kernel()) { // an empty one is about to be another
		if t.lines == nil {
			t.lines = make(map[int][]string, len(t.rows))
		}
		t.lines[pid] = args
	}
	return args
}

// Cwd is the working folder of pid, "" where it cannot be read.
func (t *Table) Cwd(pid int) string { return t.host.cwd(pid) }

// Env gives the named entries of the environment of pid as it started; what is
// not named is never kept. Missing names have no key.
func (t *Table) Env(pid int, names ...string) map[string]string {
	if len(names) == 0 {
		return nil
	}
	return t.host.env(pid, names)
}

// Link is what a descriptor of pid points at: a path (with " (deleted)" behind
// it where the file is gone), "socket:[…]", or "" where it cannot be read.
func (t *Table) Link(pid, fd int) string { return t.host.link(pid, fd) }

// StartedAt is the wall clock time at which id started, zero where unknown;
// on Linux exact to about a second (boot time is a whole second).
func (t *Table) StartedAt(id ID) time.Time {
	if id.Start == 0 {
		return time.Time{}
	}
	return t.host.startedAt(id.Start)
}
