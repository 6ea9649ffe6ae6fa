package registry

import (
	"maps"
	"slices"

	"offstage/internal/proc"
	"offstage/task"
)

// running are the tasks that have not ended, in the order of tasks.
func running(tasks []task.Task) []task.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t task.Task) bool { return t.Status.Ended() })
}

// portsOf are the TCP ports that each of the running tasks listens on (spec 5):
// those of the processes that write its output as their own, given in writers
// task by task, and of all below them. The agent itself is none of them.
func portsOf(table *proc.Table, running []task.Task, writers [][]proc.ID) map[string][]int {
	owner := map[int]string{}
	var pids []int
	for i, t := range running {
		for _, id := range writers[i] {
			for _, pid := range below(table, id.PID, t.Evidence.AgentPID) {
				if owner[pid] == "" {
					owner[pid] = t.ID
					pids = append(pids, pid)
				}
			}
		}
	}
	listeners, err := table.Listeners(pids)
	if err != nil {
		return nil // which ports are open cannot be seen: none is told
	}
	out := map[string][]int{}
	for _, l := range listeners {
		id := owner[l.PID]
		out[id] = append(out[id], l.Port)
	}
	for id, list := range out {
		slices.Sort(list)
		out[id] = slices.Compact(list)
	}
	return out
}

// below is pid and all that descends from it, without the agent.
func below(table *proc.Table, pid, agent int) []int {
	seen, queue := map[int]bool{agent: true}, []int{pid}
	var out []int
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		out = append(out, at)
		for _, c := range table.Children(at) {
			queue = append(queue, c.PID)
		}
	}
	return out
}

// setPorts takes up what was found and says whether that is news.
func (r *Registry) setPorts(ports map[string][]int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if maps.EqualFunc(r.ports, ports, slices.Equal) {
		return false
	}
	r.ports = ports
	return true
}

// lookForPorts is the look of a one-shot question, which holds no process.
func (r *Registry) lookForPorts(tasks []task.Task) {
	open := running(tasks)
	table, err := r.procs.Table()
	if err != nil || len(open) == 0 {
		return
	}
	_, writers := r.runningProcesses(table, open)
	r.setPorts(portsOf(table, open, writers))
}
