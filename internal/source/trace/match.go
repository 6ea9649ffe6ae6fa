package trace

import (
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// Wanted is a command whose process is looked for among those that carry its
// agent's marks.
type Wanted struct {
	Command string
	// Started is when it was called; PID is what a list of its agent said, 0 if
	// none did.
	Started time.Time
	PID     int
}

// callSlack is how long after its call a command's process may begin.
const callSlack = 3 * time.Second

// leastWords is the shortest command line that proves anything by standing in a
// longer one.
const leastWords = 4

// Match says which of the processes is which of the commands, by index: by a pid
// that was told, by the command's own words, by its start, and last by words that
// stand in it, as of the second half of "npm ci && npm run dev". One process is one
// command's only.
func Match(t *proc.Table, roots []task.ProcessID, list []Wanted) map[int]task.ProcessID {
	out := map[int]task.ProcessID{}
	free := slices.Clone(roots)
	near := func(w Wanted, id task.ProcessID, unknown bool) bool {
		at := t.StartedAt(proc.ID{PID: id.PID, Start: id.Start})
		if at.IsZero() {
			return unknown
		}
		return at.Sub(w.Started).Abs() <= callSlack
	}
	for _, fits := range []func(w Wanted, id task.ProcessID) bool{
		func(w Wanted, id task.ProcessID) bool { return w.PID == id.PID && near(w, id, true) },
		func(w Wanted, id task.ProcessID) bool { return Runs(t, id.PID, w.Command) && near(w, id, true) },
		func(w Wanted, id task.ProcessID) bool { return near(w, id, false) },
		func(w Wanted, id task.ProcessID) bool { return within(t, w, id) },
	} {
		for i, w := range list {
			if _, has := out[i]; has {
				continue
			}
			if n := slices.IndexFunc(free, func(id task.ProcessID) bool { return fits(w, id) }); n >= 0 {
				out[i] = free[n]
				free = slices.Delete(free, n, n+1)
			}
		}
	}
	return out
}

// within: the process began after the command, and its words stand in it, quotes
// aside.
func within(t *proc.Table, w Wanted, id task.ProcessID) bool {
	at := t.StartedAt(proc.ID{PID: id.PID, Start: id.Start})
	if !at.IsZero() && at.Before(w.Started.Add(-callSlack)) {
		return false
	}
	unquoted := strings.NewReplacer(`'`, "", `"`, "", `\`, "")
	words := unquoted.Replace(strings.Join(t.Args(id.PID), " "))
	return len(words) >= leastWords && strings.Contains(unquoted.Replace(w.Command), words)
}

// Marked are the topmost processes of the marks that fit: those whose parent does
// not fit. They are in order of pid.
func Marked(t *proc.Table, marks map[int]map[string]string, fits func(p proc.Proc, marks map[string]string) bool) []task.ProcessID {
	in := map[int]bool{}
	var all []proc.Proc
	for pid, e := range marks {
		if p, ok := t.Get(pid); ok && !p.Dead() && fits(p, e) {
			in[pid], all = true, append(all, p)
		}
	}
	var out []task.ProcessID
	for _, p := range all {
		if !in[p.PPID] {
			out = append(out, task.ProcessID{PID: p.PID, Start: p.Start})
		}
	}
	slices.SortFunc(out, func(a, b task.ProcessID) int { return a.PID - b.PID })
	return out
}
