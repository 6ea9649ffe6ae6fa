package registry

import (
	"offstage/task"
)

// reads says whether a process of a task of ours that has a terminal is seen
// reading it (D4): then it waits for a person, whatever its last line is. It looks
// at a few processes of one task, and only of tasks that can be answered.
func (r *Registry) reads(t task.Task) bool {
	if !t.Can.Answer || t.Status.Ended() || r.w.Recorded() {
		return false
	}
	table, err := r.procs.Table()
	if err != nil {
		return false
	}
	for _, root := range processIDs(t.Evidence.Roots) {
		for _, pid := range below(table, root.PID, t.Evidence.AgentPID) {
			if table.ReadsTerminal(pid) {
				return true
			}
		}
	}
	return false
}
