package registry

import (
	"strings"

	"offstage/task"
)

// SessionOfProcess is the agent session in whose process, or below it, pid runs:
// the nearest ancestor that is the agent of a session that is known. So a server
// that an agent started finds its session again when the agent begins another
// (M3, /clear).
func (r *Registry) SessionOfProcess(pid int) (task.Session, bool) {
	table, err := r.procs.Table()
	if err != nil {
		return task.Session{}, false
	}
	r.mu.Lock()
	sessions := r.raw.Sessions
	r.mu.Unlock()
	by := map[int]task.Session{}
	for _, s := range sessions {
		if s.PID > 0 && s.State != task.EndedSession {
			if have, ok := by[s.PID]; !ok || s.UpdatedAt.After(have.UpdatedAt) {
				by[s.PID] = s
			}
		}
	}
	if s, ok := by[pid]; ok {
		return s, true
	}
	for _, p := range table.Ancestors(pid) {
		if s, ok := by[p.PID]; ok {
			return s, true
		}
	}
	return task.Session{}, false
}

// SessionByID is the session with an id, as it was seen last.
func (r *Registry) SessionByID(id string) (task.Session, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.raw.Sessions {
		if s.ID == id {
			return r.mask.session(s), true
		}
	}
	return task.Session{}, false
}

// SplitSession is the agent and its own id of a session's id ("claude:abc").
func SplitSession(id string) (agent, native string) {
	agent, native, _ = strings.Cut(id, ":")
	return agent, native
}

// Sessions are those that were seen last.
func (r *Registry) Sessions() []task.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.raw.Sessions
}

// TaskByID is a task as it was shown last, whatever the scope.
func (r *Registry) TaskByID(id string) (task.Task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return byID(r.last.Tasks, id)
}

// SessionInPane is the agent session that a terminal pane shows: its record names
// the pane ("%3" of tmux), or the agent runs at or below the pane's own process.
// Of several the one that was active last.
func (r *Registry) SessionInPane(pane string, pid int) (task.Session, bool) {
	table, err := r.procs.Table()
	r.mu.Lock()
	sessions := r.raw.Sessions
	r.mu.Unlock()
	var best task.Session
	for _, s := range sessions {
		if s.PID <= 0 || s.State == task.EndedSession || best.ID != "" && !s.UpdatedAt.After(best.UpdatedAt) {
			continue
		}
		under := s.PID == pid
		if err == nil && pid > 0 {
			for _, p := range table.Ancestors(s.PID) {
				under = under || p.PID == pid
			}
		}
		if under || pid <= 0 && pane != "" && strings.HasSuffix(s.Pane, "."+pane) {
			best = s
		}
	}
	return best, best.ID != ""
}
