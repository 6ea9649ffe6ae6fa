package trace

import (
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
)

// Program is one running process of an agent.
type Program struct {
	proc.Proc
	Cwd     string
	Started time.Time
	Args    []string
}

// Programs finds the processes of one agent by what runs in them. A command line
// is read once for each process and name.
type Programs struct {
	// Is says whether a command line is the agent's; comm is the kernel's name.
	Is func(comm string, args []string) bool

	table *proc.Table
	list  []Program
	known map[proc.ID]program
}

type program struct {
	comm string
	args []string
	is   bool
}

// Look gives the agent's processes, without those that only started another of
// them (a launcher waits for the real one), in order of pid.
func (p *Programs) Look(t *proc.Table) []Program {
	if t == nil {
		return nil
	}
	if t == p.table {
		return p.list
	}
	fresh := make(map[proc.ID]program, len(p.known))
	all := map[int]Program{}
	for _, row := range t.All() {
		if row.Dead() || !t.Own(row) {
			continue
		}
		k, ok := p.known[row.ID]
		if !ok || k.comm != row.Comm {
			k = program{comm: row.Comm, args: t.Args(row.PID)}
			if k.is = p.Is(row.Comm, k.args); !k.is {
				k.args = nil
			}
		}
		started := time.Time{}
		if !ok || k.is {
			started = t.StartedAt(row.ID)
		}
		if ok || t.At.Sub(started) > startSlack { // a young one may be about to become another program of the same name
			fresh[row.ID] = k
		}
		if k.is {
			all[row.PID] = Program{Proc: row, Cwd: t.Cwd(row.PID), Started: started, Args: k.args}
		}
	}
	p.table, p.known, p.list = t, fresh, nil
	launchers := map[int]bool{}
	for _, one := range all {
		launchers[one.PPID] = true
	}
	for pid, one := range all {
		if !launchers[pid] {
			p.list = append(p.list, one)
		}
	}
	slices.SortFunc(p.list, func(a, b Program) int { return a.PID - b.PID })
	return p.list
}

// RunsScript says whether a command line runs a program of one of these names,
// itself or as the script of an interpreter: "kimi", "node /usr/lib/…/kimi.js".
func RunsScript(args []string, names ...string) bool {
	for i, a := range args {
		if i > 0 && strings.HasPrefix(a, "-") {
			continue // an option of the interpreter
		}
		base := strings.TrimSuffix(strings.TrimSuffix(path.Base(a), ".js"), ".exe")
		if slices.Contains(names, base) && (i == 0 || strings.Contains(a, "/")) {
			return true
		}
		if i > 0 {
			return false
		}
	}
	return false
}

// Candidate is a session that one of the programs may have open.
type Candidate struct {
	ID, Cwd string
	// Written is when its record was written last.
	Written time.Time
	// Parents are the parents of its running tasks' processes: proof.
	Parents []int
}

// Owners says which program has which session open, for agents that write no pid
// down: by the parent of a session's running task, else the session of the
// program's folder that was written last, while the program ran.
func Owners(programs []Program, list []Candidate) map[string]Program {
	out := map[string]Program{}
	taken := map[int]bool{}
	for _, c := range list {
		for _, p := range programs {
			if slices.Contains(c.Parents, p.PID) && !taken[p.PID] {
				out[c.ID], taken[p.PID] = p, true
				break
			}
		}
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Candidate) int { return b.Written.Compare(a.Written) })
	for _, p := range programs {
		if taken[p.PID] {
			continue
		}
		for _, c := range list {
			if _, has := out[c.ID]; has || c.Cwd != p.Cwd || c.Written.Before(p.Started.Add(-startSlack)) {
				continue
			}
			out[c.ID], taken[p.PID] = p, true
			break
		}
	}
	return out
}
