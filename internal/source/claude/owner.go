package claude

import (
	"slices"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// owners finds, for every open task, its output, the processes that write it
// and the session that it belongs to now: after /clear a task stays with its
// client, not with the id of the session that launched it.
func (v *view) owners() {
	v.next = map[string]string{}
	for _, f := range v.chosen {
		x := v.s.readers[f.real].x
		if x.continued.set && x.continued.value != f.session {
			v.next[f.session] = x.continued.value
		}
	}
	v.outputs = map[*work]outFile{}
	var ask []string
	for _, w := range v.s.works {
		if w.launch.kind == task.Agent || w.launch.kind == task.Remote {
			continue
		}
		o := v.s.shellOutput(w, v.s.places)
		v.outputs[w] = o
		if best, ok := w.best(); o.exists && !w.inside() && (!ok || best.rank > rankRecord) {
			ask = append(ask, o.ref.Path)
		}
	}
	v.written = v.s.writers(v.table, ask)
	v.byProcess()
	v.cleared()
}

// byProcess learns which client runs a task from the task's own environment.
func (v *view) byProcess() {
	for _, w := range v.s.works {
		p, ok := writer(v.written[v.outputs[w].ref.Path])
		if !ok || v.by[w.from.session] != nil || v.next[w.from.session] != "" {
			continue
		}
		pid := startedBy(v.table, p.PID)
		for session, c := range v.by {
			if pid > 0 && c.id.PID == pid && !v.startedBefore(p, c) {
				v.next[w.from.session] = session
			}
		}
	}
}

// startedBefore: a process that is older than the client of the same pid was
// started by another one.
func (v *view) startedBefore(p proc.Writer, c *client) bool {
	return c.id.Start != 0 && p.Start < c.id.Start
}

// cleared joins a session that began with /clear to the one that its client
// ran before: of the same project, last written between the client's start and
// the clear, and the only one that no client claims.
func (v *view) cleared() {
	for _, f := range v.chosen {
		x, c := v.s.readers[f.real].x, v.by[f.session]
		if c == nil || x.clearedAt.IsZero() {
			continue
		}
		var before []*found
		for _, g := range v.chosen {
			y := v.s.readers[g.real].x
			if g == f || g.project != f.project || v.by[g.session] != nil || v.next[g.session] == f.session {
				continue
			}
			if last := y.lastAt.value; last.Before(x.clearedAt.Add(time.Second)) && last.After(c.startedAt) {
				before = append(before, g)
			}
		}
		if len(before) == 1 && v.next[before[0].session] == "" {
			v.next[before[0].session] = f.session
		}
	}
}

// maxHops bounds a chain of sessions that took over from each other.
const maxHops = 100

// session is where a task belongs now, and the client that runs it, if one
// lives.
func (v *view) session(w *work) (string, *client) {
	for _, at := range slices.Backward(w.launchedIn) {
		if c := v.by[at]; c != nil {
			return at, c
		}
	}
	at := w.from.session
	for range maxHops {
		if c := v.by[at]; c != nil {
			return at, c
		}
		next := v.next[at]
		if next == "" {
			break
		}
		at = next
	}
	return at, v.by[at]
}
