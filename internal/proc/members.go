package proc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Members are the processes of a task in tree order, and those that have to do
// with it and are not its own, each with why (K3). They belong to it when they
//
//   - write its output file as fd 1 or 2 (or are among Target.Roots), or
//   - where nobody does: carry its markers, run its command in their wrapper's
//     arguments and stand under its agent;
//   - are in a session whose leader belongs to it; are a child of one of these.
//
// Who writes through another descriptor (the agent, an editor, a relay) or only
// reads is spared. A session alone proves nothing: the leader has to be one.
// An error means that it could not be looked at.
func (t *Table) Members(tg Target) (of, spared []Member, err error) {
	pick, err := t.pick(tg, nil)
	if err != nil {
		return nil, nil, err
	}
	return pick.members(), pick.spares(), nil
}

// ErrAmbiguous: two processes fit a task that can have but one.
var ErrAmbiguous = errors.New("several processes run this very command, and which one is meant cannot be told from here")

// picker chooses in one table.
type picker struct {
	t     *Table
	tg    Target
	guard *guard
	in    map[int]string // pid → why it belongs
	out   map[int]string // pid → why it is spared
	queue []Proc
	// self: one of the very writers is one of our own ancestors or ourselves.
	self bool
}

// pick runs the whole choice; past is what earlier rounds of a stop knew.
func (t *Table) pick(tg Target, past *history) (*picker, error) {
	k := &picker{t: t, tg: tg, guard: newGuard(t, tg), in: map[int]string{}, out: map[int]string{}}
	if err := k.writers(past); err != nil {
		return nil, err
	}
	for _, id := range tg.Roots {
		k.root(id, "was started for it")
	}
	past.seed(k)
	if len(k.in) == 0 && past == nil {
		if err := k.monitor(); err != nil {
			return nil, err
		}
	}
	k.spread()
	if k.guard.agent.PID > 0 && len(k.in) > 0 {
		k.out[k.guard.agent.PID] = whyAgent
	}
	return k, nil
}

// writers asks who holds the output. A stop under way wants new writers only,
// and goes on with what it knows where they cannot be seen any more.
func (k *picker) writers(past *history) error {
	if k.tg.Output == "" {
		return nil
	}
	found, err := k.t.holders([]string{k.tg.Output}, past != nil)
	if err != nil {
		return err
	}
	users, looked := found[k.tg.Output]
	if !looked && past == nil {
		return ErrCannotLook
	}
	for _, u := range users {
		switch {
		case u.Write && u.Std:
			k.seed(u.Proc, "writes its output")
		case u.Write:
			k.spare(u.PID, "holds its output through descriptor "+strconv.Itoa(u.FD))
		default:
			k.spare(u.PID, "only reads its output")
		}
	}
	return nil
}

// root adds a process that is known by its identity.
func (k *picker) root(id ID, why string) {
	if p, ok := k.t.Get(id.PID); ok && p.ID == id {
		k.seed(p, why)
	}
}

// seed is add for what the task is known by.
func (k *picker) seed(p Proc, why string) {
	if why := k.guard.fixed[p.PID]; why == whyUs || why == whyAncestor {
		k.self = true
	}
	k.add(p, why)
}

func (k *picker) add(p Proc, why string) {
	if p.Dead() || k.in[p.PID] != "" {
		return
	}
	if not := k.guard.why(p); not != "" {
		k.out[p.PID] = not
		return
	}
	k.in[p.PID] = why
	delete(k.out, p.PID)
	k.queue = append(k.queue, p)
}

// spare notes a bystander, unless a stronger word stands already.
func (k *picker) spare(pid int, why string) {
	if k.in[pid] != "" || k.out[pid] != "" {
		return
	}
	if fixed := k.guard.fixed[pid]; fixed != "" {
		why = fixed
	}
	k.out[pid] = why
}

// spread takes sessions and children to the fixed point.
func (k *picker) spread() {
	for len(k.queue) > 0 {
		p := k.queue[0]
		k.queue = k.queue[1:]
		if p.SID == p.PID {
			k.session(p.SID, p.PID)
		}
		for _, c := range k.t.Children(p.PID) {
			k.add(c, "child of "+strconv.Itoa(p.PID))
		}
	}
}

func (k *picker) session(sid, leader int) {
	for _, p := range k.t.rows {
		if p.SID == sid && p.PID != leader {
			k.add(p, "in the session of "+strconv.Itoa(leader))
		}
	}
}

// members are in tree order: roots by pid, below each its children.
func (k *picker) members() []Member {
	out := make([]Member, 0, len(k.in))
	seen := make(map[int]bool, len(k.in))
	var walk func(p Proc, depth int)
	walk = func(p Proc, depth int) {
		if seen[p.PID] {
			return
		}
		seen[p.PID] = true
		args := k.t.Args(p.PID)
		out = append(out, Member{Proc: p, Depth: depth, Why: k.in[p.PID],
			Command: shortCommand(p, args), Wrapper: depth == 0 && k.wrapper(p, args)})
		for _, c := range k.t.Children(p.PID) {
			if k.in[c.PID] != "" {
				walk(c, depth+1)
			}
		}
	}
	for _, p := range k.t.rows {
		if parent, ok := k.t.Get(p.PPID); k.in[p.PID] != "" && (!ok || k.in[p.PPID] == "" || parent.Start > p.Start) {
			walk(p, 0)
		}
	}
	return out
}

func (k *picker) spares() []Member {
	var out []Member
	for _, p := range k.t.rows {
		if why := k.out[p.PID]; why != "" {
			out = append(out, Member{Proc: p, Command: shortCommand(p, k.t.Args(p.PID)), Why: why})
		}
	}
	return out
}

// wrapper: the top of the tree is the shell that the agent put around the
// command; where the agent is gone or unknown, the shell that leads the session.
func (k *picker) wrapper(p Proc, args []string) bool {
	if !isShell(p, args) || !slices.ContainsFunc(args, commandFlag) {
		return false
	}
	if agent := k.guard.agent.PID; agent > 0 && p.PPID == agent {
		return true
	}
	return p.SID == p.PID
}

// history is what a stop under way knows from its earlier rounds: a process
// once found stays found when its parent, its leader or its files are gone.
type history struct {
	known    map[ID]Member
	sessions map[int]bool
}

func (h *history) seed(k *picker) {
	if h == nil {
		return
	}
	for id, m := range h.known {
		if p, ok := k.t.Get(id.PID); ok && p.ID == id {
			k.add(p, m.Why)
		}
	}
	for sid := range h.sessions {
		leader, ok := k.t.Get(sid)
		if _, same := h.known[leader.ID]; ok && !same {
			continue // the number came back as another session
		}
		k.session(sid, sid)
	}
}

func (h *history) add(members []Member) (fresh []Member) {
	for _, m := range members {
		if _, old := h.known[m.ID]; !old {
			h.known[m.ID] = m
			fresh = append(fresh, m)
		}
		if m.SID == m.PID {
			h.sessions[m.SID] = true
		}
	}
	return fresh
}

func (m Member) String() string { return fmt.Sprintf("%s %d", m.Command, m.PID) }
