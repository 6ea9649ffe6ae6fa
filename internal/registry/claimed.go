package registry

import (
	"slices"

	"offstage/internal/proc"
	"offstage/task"
)

// claims remembers which left-behind rows are a task's own, for as long as the
// processes and the running tasks are the same: a look costs up to 50 ms a task.
type claims struct {
	table *proc.Table
	key   string
	own   map[string]bool
}

// unclaimed leaves out what was found by its marks alone and belongs to a running
// task of another source (A11), and the sessions that such rows name and another
// source knows better. While a source has not told all it knows, nothing counts
// as left behind: its task may be the next that it tells of.
func (r *Registry) unclaimed(raw task.Snapshot) task.Snapshot {
	left := func(t task.Task) bool { return t.LeftBehind }
	if !slices.ContainsFunc(raw.Tasks, left) {
		return raw
	}
	own := map[string]bool{}
	told := r.Settled()
	if told {
		own = r.claimedRows(raw.Tasks)
	}
	raw.Tasks = slices.DeleteFunc(raw.Tasks, func(t task.Task) bool { return t.LeftBehind && (!told || own[t.ID]) })
	raw.Sessions = oneOfEach(raw.Sessions, raw.Tasks)
	return raw
}

// Settled says that every source has answered and has no more to read: until
// then a list is true and may not be all.
func (r *Registry) Settled() bool {
	return !slices.ContainsFunc(r.feeds, func(f *feed) bool { return !f.settled() })
}

// claimedRows are the left-behind rows whose processes belong to a running task.
func (r *Registry) claimedRows(tasks []task.Task) map[string]bool {
	table, err := r.procs.Table()
	if err != nil {
		return nil
	}
	open := running(tasks)
	key := runningKey(open)
	r.mu.Lock()
	known := r.claims
	r.mu.Unlock()
	if known.table == table && known.key == key {
		return known.own
	}
	owned := r.ownedPIDs(table, slices.DeleteFunc(slices.Clone(open), func(t task.Task) bool { return t.LeftBehind }))
	own := map[string]bool{}
	for _, t := range open {
		if t.LeftBehind && slices.ContainsFunc(t.Evidence.Roots, func(p task.ProcessID) bool { return owned[p.PID] }) {
			own[t.ID] = true
		}
	}
	r.mu.Lock()
	r.claims = claims{table, key, own}
	r.mu.Unlock()
	return own
}

// ownedPIDs are the processes of the running tasks: by who writes the output, all
// tasks in one pass, and one by one where nobody does.
func (r *Registry) ownedPIDs(table *proc.Table, open []task.Task) map[int]bool {
	owned := map[int]bool{}
	_, writers := r.runningProcesses(table, open)
	for i, t := range open {
		for _, id := range writers[i] {
			for _, pid := range below(table, id.PID, t.Evidence.AgentPID) {
				owned[pid] = true
			}
		}
		if len(writers[i]) > 0 {
			continue
		}
		of, _, err := table.Members(target(t))
		if err != nil {
			continue
		}
		for _, m := range of {
			owned[m.PID] = true
		}
	}
	return owned
}

// oneOfEach keeps one session of each id, the one that its own source told before
// one that only a mark named, and drops marks' sessions without a row.
func oneOfEach(list []task.Session, tasks []task.Task) []task.Session {
	has, seen := map[string]bool{}, map[string]bool{}
	for _, t := range tasks {
		has[t.Session] = true
	}
	var out []task.Session
	for _, s := range list {
		if !byMark(s) {
			seen[s.ID] = true
		}
	}
	for _, s := range list {
		if byMark(s) && (seen[s.ID] || !has[s.ID]) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// byMark says that nothing of a session is known but that a process, or a task of
// our own, names it.
func byMark(s task.Session) bool {
	return s.Transcript == "" && s.Cwd == "" && s.PID == 0 && (s.State == task.EndedSession || s.State == task.BackgroundOnly)
}
