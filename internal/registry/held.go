package registry

import (
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// hold keeps an eye on the processes of running tasks, so that an end is an
// event and no scan. It says whether they were found to listen on other ports.
func (r *Registry) hold(tasks []task.Task) (news bool) {
	if r.w.Recorded() {
		return false
	}
	tasks = running(tasks)
	table, err := r.procs.Table()
	if err != nil {
		r.live.mu.Lock()
		r.live.covered = false
		r.live.mu.Unlock()
		return false
	}
	key := runningKey(tasks)
	r.live.mu.Lock()
	known := table == r.live.looked && key == r.live.lookedFor
	r.live.looked, r.live.lookedFor = table, key
	r.live.mu.Unlock()
	if known {
		return false
	}
	want := map[proc.ID]bool{}
	ids, writers := r.runningProcesses(table, tasks)
	news = r.setPorts(portsOf(table, tasks, writers))
	for _, id := range ids {
		want[id] = true
	}
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	defer func() { r.live.covered = r.allHeld(writers) }()
	if r.live.ctx.Err() != nil {
		return news
	}
	for id, h := range r.live.held {
		if !want[id] {
			h.letGo()
			delete(r.live.held, id)
		}
	}
	for id := range want {
		if _, ok := r.live.held[id]; ok || len(r.live.held) >= maxHeld {
			continue
		}
		h, err := proc.Hold(id)
		if err != nil {
			continue
		}
		m := &heldProc{Held: h, left: make(chan struct{})}
		r.live.held[id] = m
		go r.mourn(m)
	}
	return news
}

// heldProc is a process that is held, with the word for who waits for its end
// that nobody wants to know it any more: the process may live on for days.
type heldProc struct {
	*proc.Held
	left chan struct{}
}

// letGo ends the watching, once.
func (h *heldProc) letGo() {
	h.Close()
	close(h.left)
}

// covered says that the end of every running task would be an event, and that its
// growth is one too.
func (r *Registry) covered() bool {
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	return r.live.covered
}

// runningKey names the running tasks.
func runningKey(running []task.Task) string {
	var b strings.Builder
	for _, t := range running {
		b.WriteString(t.ID)
		b.WriteByte(' ')
	}
	return b.String()
}

// allHeld says whether each of a list of tasks, by its writers, has one that is
// held, and all of their outputs are followed. Called with the lock held.
func (r *Registry) allHeld(writers [][]proc.ID) bool {
	if len(writers) > maxLogs {
		return false
	}
	for _, ids := range writers {
		if !slices.ContainsFunc(ids, func(id proc.ID) bool { return r.live.held[id] != nil }) {
			return false
		}
	}
	return true
}

// runningProcesses are the roots and the writers of the running tasks' outputs, found in one
// pass, and the agents that own them; writers has one entry for each running
// task, empty where its writers are not known.
func (r *Registry) runningProcesses(table *proc.Table, running []task.Task) (ids []proc.ID, writers [][]proc.ID) {
	var paths []string
	for _, t := range running {
		if t.Evidence.AgentPID > 0 && t.Evidence.AgentStart > 0 {
			ids = append(ids, proc.ID{PID: t.Evidence.AgentPID, Start: t.Evidence.AgentStart})
		}
		path := ""
		if t.Evidence.WritersAreProof {
			path = t.Output.Path
		}
		paths = append(paths, path)
	}
	writers = make([][]proc.ID, len(paths))
	for i, t := range running {
		writers[i] = processIDs(t.Evidence.Roots)
		ids = append(ids, writers[i]...)
	}
	users, err := table.Writers(slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == "" }))
	if err != nil {
		return ids, writers
	}
	for i, path := range paths {
		for _, u := range users[path] {
			if u.Write && u.Std {
				writers[i] = append(writers[i], u.ID)
				ids = append(ids, u.ID)
			}
		}
	}
	return ids, writers
}

// settling are the times after the end of a process at which its agent may have
// written what it knows of that.
var settling = []time.Duration{0, 150 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second}

// mourn waits for the end of one process and looks again, also a little later,
// because the agent's own record follows the death.
func (r *Registry) mourn(h *heldProc) {
	select {
	case <-h.Done():
	case <-h.left:
		return
	case <-r.live.ctx.Done():
		return
	}
	for _, d := range settling {
		select {
		case <-time.After(d):
		case <-r.live.ctx.Done():
			return
		}
		r.procs.Stale(0)
		r.Wake()
	}
}
