package trace

import (
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// startSlack is how far a record's start and the kernel's may be apart: boot time
// is a whole second, and agents write their record a moment before or after.
const startSlack = 3 * time.Second

// Process finds the process of a record that has a pid and the wall clock of its
// start: a pid alone comes back. Where clocks cannot be compared (a recording
// without a boot time), or differ because the clock was set, the command has to
// stand in the process's arguments; command "" is no proof. The identity that it
// answers with may be signalled; it has Start 0 where only a recording said so.
func Process(t *proc.Table, pid int, started time.Time, command string) (task.ProcessID, bool) {
	if t == nil || pid <= 1 {
		return task.ProcessID{}, false
	}
	p, ok := t.Get(pid)
	if !ok || p.Dead() || !t.Own(p) {
		return task.ProcessID{}, false
	}
	id := task.ProcessID{PID: p.PID, Start: p.Start}
	at := t.StartedAt(p.ID)
	switch {
	case !at.IsZero() && !started.IsZero() && at.Sub(started).Abs() <= startSlack:
		return id, true
	case Runs(t, pid, command):
		return id, true
	case at.IsZero():
		return task.ProcessID{PID: p.PID}, true // a recording: nothing in it is signalled
	}
	return task.ProcessID{}, false
}

// Runs says whether a command stands in the arguments of a process, as a shell's
// script or as its words: "bash -c 'npm run dev'", "node server.js".
func Runs(t *proc.Table, pid int, command string) bool {
	command = strings.TrimSpace(command)
	if command == "" {
		return false
	}
	return strings.Contains(strings.Join(t.Args(pid), " "), command)
}

// Exact is the process of a record with the kernel's own start, such as field 22
// of the process folder's stat: alive or not, nothing in between.
func Exact(t *proc.Table, pid int, start uint64) bool {
	return t != nil && pid > 1 && start > 0 && t.Alive(proc.ID{PID: pid, Start: start})
}

// Environs are the marks of processes, by name, and nothing else of their
// environments: those hold keys. An environment is read once: it changes only
// when a process becomes another program.
type Environs struct {
	Names []string
	known map[proc.ID]marked
}

type marked struct {
	comm string
	env  map[string]string
	// again: read once more, for it may have been a copy of its parent that was
	// just about to become the command.
	again bool
}

// Look gives the marks of every process of this user that has the first of Names.
func (e *Environs) Look(t *proc.Table) map[int]map[string]string {
	if t == nil {
		return nil
	}
	fresh := make(map[proc.ID]marked, len(e.known))
	out := map[int]map[string]string{}
	for _, p := range t.All() {
		if p.Dead() || !t.Own(p) {
			continue
		}
		k, ok := e.known[p.ID]
		if !ok || k.comm != p.Comm || k.again {
			k = marked{comm: p.Comm, again: !ok || k.comm != p.Comm}
			if env := t.Env(p.PID, e.Names...); env[e.Names[0]] != "" {
				k.env, k.again = env, false
			}
		}
		fresh[p.ID] = k
		if k.env != nil {
			out[p.PID] = k.env
		}
	}
	e.known = fresh
	return out
}
