package copilot

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// lease is detached-shells/<shell>.lease.json: there while the command runs.
type lease struct {
	SessionID  string `json:"sessionId"`
	ShellID    string `json:"shellId"`
	LogPath    string `json:"logPath"`
	Supervisor struct {
		PID        int    `json:"pid"`
		StartTicks uint64 `json:"startTicks"` // as the kernel counts, field 22
	} `json:"supervisor"`
	State     string  `json:"state"`
	CreatedMs float64 `json:"createdUnixMs"`

	broken bool
}

// files are those of one detached command in the temporary folder: the same name
// with .log, .pid and at the end .exit.
type files struct {
	base string // without its ending
	// ended: the code was read; nothing changes any more.
	ended bool
	code  *int
	at    time.Time
	pid   int
}

// readLeases lists them where their folder changed.
func (x *session) readLeases(f *trace.Folder, now time.Time) {
	dir := x.dir + "/detached-shells"
	st, err := f.Stat(dir)
	if err != nil {
		x.leases = nil
		return
	}
	if x.leases != nil && x.leased.After(st.ModTime().Add(2*time.Second)) {
		return
	}
	x.leased, x.leases = now, map[string]*lease{}
	for _, e := range f.List(dir) {
		name, ok := strings.CutSuffix(e.Name(), ".lease.json")
		if !ok || len(x.leases) >= maxLeases {
			continue
		}
		l := &lease{}
		if _, err := f.JSON(dir+"/"+e.Name(), l); err != nil || l.LogPath == "" {
			l = &lease{broken: true}
		}
		x.leases[name] = l
	}
}

var logName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^copilot-detached-([A-Za-z0-9_-]+?)-(\d{10,16})-[0-9a-fA-F-]{8,64}\.log$`)
})

// logOf says whose log a file name is: the number of the shell, and when it began.
func logOf(name string) (shell string, at time.Time, ok bool) {
	m := logName().FindStringSubmatch(name)
	if m == nil {
		return "", time.Time{}, false
	}
	ms, err := strconv.ParseFloat(m[2], 64)
	return m[1], trace.Millis(ms), err == nil
}

// stray are the logs that lie in the temporary folder, listed once a Scan at most.
type stray struct {
	name, shell string
	at          time.Time
}

// logs lists the detached logs of the temporary folder where it changed.
func (s *Source) logs(tmp *trace.Folder, now time.Time) []stray {
	if tmp == nil {
		return nil
	}
	st, err := tmp.Stat(".")
	if err != nil || s.tmpLooked.After(st.ModTime().Add(2*time.Second)) || s.tmpLooked.Equal(now) {
		return s.strays
	}
	s.tmpLooked, s.strays = now, nil
	for _, e := range tmp.List(".") {
		if shell, at, ok := logOf(e.Name()); ok && len(s.strays) < maxKnown {
			s.strays = append(s.strays, stray{e.Name(), shell, at})
		}
	}
	return s.strays
}

// startedWithin is how long after the call a detached command's log is made.
const startedWithin = 10 * time.Second

// find looks for the files of a detached command: its lease names them while it
// runs; later only their name tells, by the shell's number and the time.
func (c *view) find(x *session, k *shell) *files {
	if got := x.logs[k.call]; got != nil {
		return got
	}
	if c.tmp == nil || k.number == "" {
		return nil
	}
	if l := x.leases[k.number]; l != nil && !l.broken && trace.Millis(l.CreatedMs).Sub(k.at).Abs() < startedWithin {
		if rel, ok := c.tmp.Rel(l.LogPath); ok && !strings.Contains(rel, "/") {
			if _, _, ok := logOf(rel); ok {
				return x.keep(k, rel)
			}
		}
		return nil
	}
	best, name := startedWithin, ""
	for _, l := range c.s.logs(c.tmp, c.l.V.Now) {
		if off := l.at.Sub(k.at); l.shell == k.number && off > -time.Second && off.Abs() < best {
			best, name = off.Abs(), l.name
		}
	}
	if name == "" {
		return nil
	}
	return x.keep(k, name)
}

func (x *session) keep(k *shell, log string) *files {
	got := &files{base: strings.TrimSuffix(log, ".log")}
	x.logs[k.call] = got
	return got
}

// read takes the pid and the code that stand beside the log.
func (fl *files) read(tmp *trace.Folder) {
	if fl.ended {
		return
	}
	if n, _, ok := number(tmp, fl.base+".pid"); ok && n > 1 {
		fl.pid = n
	}
	if n, at, ok := number(tmp, fl.base+".exit"); ok {
		fl.ended, fl.code, fl.at = true, &n, at
	}
}

// number is a file that holds one: small, a person's own, no link.
func number(f *trace.Folder, rel string) (int, time.Time, bool) {
	b, st, err := f.Read(rel, 64)
	if err != nil {
		return 0, time.Time{}, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	return n, st.ModTime(), err == nil
}

// detached puts the log and the end of a detached command on its row; it gives its
// processes.
func (c *view) detached(t *task.Task, x *session, k *shell) []task.ProcessID {
	fl := c.find(x, k)
	if l := x.leases[k.number]; k.open() && l != nil && l.broken {
		c.l.Broken(t)
	}
	if fl == nil {
		return nil
	}
	fl.read(c.tmp)
	c.l.Output(t, c.tmp, fl.base+".log", k.open())
	t.Output.Recorded = path.Join(c.s.tmp, fl.base+".log")
	if fl.ended {
		k.end(fl.code, fl.at)
		return nil
	}
	return c.supervised(x, k, fl)
}

// supervised are the processes of a detached command that runs: the pid beside its
// log, proven by the supervisor above it, of which the lease has the exact start,
// and that supervisor, which ends by itself and writes the code down.
func (c *view) supervised(x *session, k *shell, fl *files) []task.ProcessID {
	l, table := x.leases[k.number], c.l.V.Table
	if l == nil || l.broken || !trace.Exact(table, l.Supervisor.PID, l.Supervisor.StartTicks) {
		if id, ok := trace.Process(table, fl.pid, k.at, ""); ok && c.marks[fl.pid][sessionMark] == x.id {
			return []task.ProcessID{id}
		}
		return nil
	}
	above := task.ProcessID{PID: l.Supervisor.PID, Start: l.Supervisor.StartTicks}
	for _, p := range table.Children(l.Supervisor.PID) {
		if p.PID == fl.pid && !p.Dead() {
			return []task.ProcessID{{PID: p.PID, Start: p.Start}, above}
		}
	}
	return []task.ProcessID{above}
}
