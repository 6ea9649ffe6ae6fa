package proc

import (
	"strings"
	"time"
)

// Own says which task of our own the processes are wanted of (K2). All of them
// descend from its supervisor, which the kernel makes the parent of whoever
// leaves (a subreaper, Linux); where it is dead or the system has no such thing,
// the session of the command and a mark in the environment find them.
type Own struct {
	// Mark ("NAME=value") stands in the environment of the task's processes; one
	// with the same name and another value belongs to another task.
	Mark string
	// Inner is the name of a variable that only supervisors carry.
	Inner string
	// Supervisor is never signalled; Leader leads the session of the command. Zero
	// where they are not known.
	Supervisor, Leader ID
	// Except are helpers of the supervisor: they stay, with what is below them.
	Except []ID
	// WithInner ends the tasks too that this one started.
	WithInner bool
}

const whyInner = "another task of its own"

// PlanOwn is what a stop of the task would end, in tree order, and which inner
// tasks it would leave. Like Plan it signals nothing.
func (t *Table) PlanOwn(o Own) Plan {
	if t.recorded {
		return Plan{Refused: "This is a recording of a machine: nothing can be stopped in it."}
	}
	k := t.pickOwn(o, true)
	plan := Plan{Processes: k.members(), Spared: k.spares()}
	switch {
	case k.self:
		plan.Processes = nil
		plan.Refused = "Offstage itself runs inside this task: stop it from another terminal."
	case len(plan.Processes) == 0:
		plan.Refused = "No process of it can be found: it may have ended already."
	default:
		var err error
		if plan.Ports, err = t.Ports(pids(plan.Processes)); err != nil {
			plan.Note = "Which ports it holds cannot be seen from here."
		}
	}
	return plan
}

// OwnMembers are the living processes of the task, in tree order.
func (t *Table) OwnMembers(o Own) []Member { return t.pickOwn(o, true).members() }

// OwnBelow is OwnMembers by descent and session alone, where the supervisor
// lives: it reads no environments but those of what it finds.
func (t *Table) OwnBelow(o Own) []Member { return t.pickOwn(o, false).members() }

// InnerTasks are the values of Own.Inner below the task's supervisor: the tasks
// that it started and that still have their own supervisor.
func (t *Table) InnerTasks(o Own) []string {
	var out []string
	for _, m := range t.pickOwn(Own{Mark: o.Mark, Inner: o.Inner, Supervisor: o.Supervisor, Leader: o.Leader}, false).spares() {
		if v := t.Env(m.PID, o.Inner)[o.Inner]; v != "" {
			out = append(out, v)
		}
	}
	return out
}

// ownPicker chooses the processes of a task of our own.
type ownPicker struct {
	*picker
	o          Own
	name, mark string // both sides of Own.Mark
}

// pickOwn chooses by descent and session, and with marks also by the mark of
// every process of the machine, which costs a read of each environment.
func (t *Table) pickOwn(o Own, marks bool) *ownPicker {
	k := &ownPicker{picker: &picker{t: t, guard: newGuard(t, Target{}), in: map[int]string{}, out: map[int]string{}}, o: o}
	k.name, k.mark, _ = strings.Cut(o.Mark, "=")
	alive := o.Supervisor.PID > 0 && o.Supervisor.Start > 0 && t.Alive(o.Supervisor)
	if alive {
		for _, c := range t.Children(o.Supervisor.PID) {
			k.walk(c, "was started for it")
		}
	}
	if o.Leader.PID > 0 && o.Leader.Start > 0 && t.Alive(o.Leader) {
		for _, p := range t.rows {
			if p.SID == o.Leader.PID {
				k.walk(p, "in its session")
			}
		}
	}
	if marks || !alive {
		k.marked()
	}
	return k
}

// walk takes p and all below it, and stops where another task begins.
func (k *ownPicker) walk(p Proc, why string) {
	switch {
	case k.in[p.PID] != "" || k.out[p.PID] != "" || k.excepted(p) || p.Dead():
		return
	case k.fixed(p):
		k.out[p.PID] = k.guard.fixed[p.PID]
		return
	case k.inner(p):
		k.out[p.PID] = whyInner
		return
	}
	k.in[p.PID] = why
	for _, c := range k.t.Children(p.PID) {
		k.walk(c, "descends from it")
	}
}

func (k *ownPicker) excepted(p Proc) bool {
	for _, id := range k.o.Except {
		if id == p.ID {
			return true
		}
	}
	return p.ID == k.o.Supervisor
}

// fixed: the first process, ourselves and those that we run in. To meet one of
// ours on the way means that we run inside the task.
func (k *ownPicker) fixed(p Proc) bool {
	why := k.guard.fixed[p.PID]
	k.self = k.self || why == whyUs || why == whyAncestor
	return why != ""
}

// inner: a supervisor, or a process that carries the mark of another task.
func (k *ownPicker) inner(p Proc) bool {
	if k.o.WithInner || k.name == "" {
		return false
	}
	env := k.env(p, k.name, k.o.Inner)
	if env[k.o.Inner] != "" && env[k.o.Inner] != k.mark {
		return true
	}
	v, ok := env[k.name]
	return ok && v != k.mark
}

// has says whether p carries the mark of the task.
func (k *ownPicker) has(p Proc) bool {
	v, ok := k.env(p, k.name)[k.name]
	return ok && v == k.mark
}

// A process that is just being replaced by execve has neither arguments nor
// environment for some microseconds; it is looked at again so often.
const (
	execTries = 10
	execPause = time.Millisecond
)

// env is Table.Env, but not of a process in the middle of execve.
func (k *ownPicker) env(p Proc, names ...string) map[string]string {
	for try := 0; ; try++ {
		got := k.t.Env(p.PID, names...)
		if len(got) > 0 || try == execTries || p.Kernel() || !k.own(p) || len(k.t.Args(p.PID)) > 0 {
			return got
		}
		if id, err := Identify(p.PID); err != nil || id != p.ID {
			return got
		}
		time.Sleep(execPause)
	}
}

// own: it may be signalled by us, so that its environment can be read.
func (k *ownPicker) own(p Proc) bool { return k.guard.uid <= 0 || p.UID == k.guard.uid }

// marked looks at every process of the user. Who is known by the mark alone may
// have been adopted by somebody's terminal meanwhile, so all the rules for
// strangers hold for it.
func (k *ownPicker) marked() {
	if k.name == "" {
		return
	}
	for _, p := range k.t.rows {
		if p.Dead() || k.in[p.PID] != "" || k.out[p.PID] != "" || !k.own(p) || p.Kernel() || !k.has(p) {
			continue
		}
		if why := k.guard.why(p); why != "" {
			k.self = k.self || why == whyUs || why == whyAncestor
			k.out[p.PID] = why
			continue
		}
		k.walk(p, "carries its mark")
	}
}
