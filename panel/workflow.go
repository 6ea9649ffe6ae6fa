package panel

import (
	"strconv"
	"strings"

	"offstage/task"
)

// A workflow's row has a chevron and, open, its tree under it (A9): log lines,
// phases, agents. The tree is open while the workflow runs and folded once it has
// settled, unless a person chose otherwise. Agents are selected as tasks are.

// isAgent says whether an item is an agent of a workflow.
func (it item) isAgent() bool { return it.kind == treeRow && it.tree.Kind == task.TreeAgent }

// starts says whether the cursor may come to stand on an item by itself.
func (it item) starts() bool { return it.kind != heading && it.kind != cardRow && it.rests() }

// parentOf is the workflow of an agent's id.
func parentOf(id string) string {
	if i := strings.LastIndexByte(id, '/'); i > 0 {
		return id[:i]
	}
	return ""
}

// withTrees puts the trees of open workflows under their rows.
func (m *Model) withTrees(rows []item) []item {
	var out []item
	for _, it := range rows {
		out = append(out, it)
		if it.kind == taskRow && m.treeOpen(it.task) {
			out = append(out, treeItems(it, m.filter)...)
		}
	}
	return out
}

// treeOpen says whether the tree of a workflow is shown.
func (m *Model) treeOpen(t task.Task) bool {
	if t.Workflow == nil {
		return false
	}
	if m.filter != "" && !itself(t, m.filter) {
		return true // it is listed for an agent of its
	}
	if parentOf(m.open) == t.ID && m.open != "" {
		return true
	}
	if own, chosen := m.trees[t.ID]; chosen {
		return own
	}
	return !t.Status.Ended()
}

// treeItems are the rows of a workflow's tree. Agents that a filter asks for stand
// there alone.
func treeItems(it item, filter string) []item {
	var wanted func(task.WorkflowAgent) bool
	if filter != "" && !itself(it.task, filter) {
		wanted = func(a task.WorkflowAgent) bool { return agentMatches(it.task.Workflow, a, filter) }
	}
	var out []item
	seen := map[string]bool{}
	for i, r := range task.TreeRows(it.task.Workflow, wanted) {
		n := item{kind: treeRow, tree: r, session: it.session, indent: it.indent, id: it.id + "/#" + strconv.Itoa(i)}
		if r.Kind == task.TreeAgent {
			n.task = task.AgentTask(it.task, r.Agent)
			if r.Agent.ID != "" && !seen[r.Agent.ID] {
				seen[r.Agent.ID], n.id = true, n.task.ID
			} else {
				n.task.ID = n.id // never started, or told of twice
			}
		}
		out = append(out, n)
	}
	return out
}

func anyAgent(w *task.WorkflowTree, filter string) bool {
	for _, a := range w.Agents {
		if agentMatches(w, a, filter) {
			return true
		}
	}
	return false
}

func agentMatches(w *task.WorkflowTree, a task.WorkflowAgent, filter string) bool {
	phase := ""
	if a.Phase >= 0 && a.Phase < len(w.Phases) {
		phase = w.Phases[a.Phase]
	}
	return hasWords(task.AgentLabel(a)+"\n"+phase+"\n"+a.Tool, filter)
}

// keepTrees forgets what a person chose for workflows that are no longer listed.
func (m *Model) keepTrees() {
	for id := range m.trees {
		if t, ok := task.Find(m.snap.Tasks, id); !ok || t.Workflow == nil {
			delete(m.trees, id)
		}
	}
}

// Unfold shows the tree of a workflow and puts the cursor on its row; false where
// the task has no tree.
func (m *Model) Unfold(id string) bool {
	t, ok := task.Find(m.snap.Tasks, id)
	if !ok || t.Workflow == nil {
		return false
	}
	m.Select(id)
	m.setTree(id, true)
	return true
}

func (m *Model) setTree(id string, open bool) Action {
	m.trees[id] = open
	m.rebuild()
	return Moved{}
}

// flow is the workflow under the cursor, or the one whose agent is.
func (m *Model) flow() (t task.Task, agent, ok bool) {
	for _, it := range m.items {
		switch {
		case it.id != m.sel:
		case it.kind == taskRow && it.task.Workflow != nil:
			return it.task, false, true
		case it.isAgent():
			t, ok = task.Find(m.snap.Tasks, it.task.Parent)
			return t, true, ok
		}
	}
	return task.Task{}, false, false
}

// foldFlow folds the tree of the workflow under the cursor; an agent's row goes to
// the workflow's first.
func (m *Model) foldFlow() (Action, bool) {
	t, agent, ok := m.flow()
	switch {
	case !ok || !agent && !m.treeOpen(t):
		return nil, false
	case agent:
		m.Select(t.ID)
		return Moved{}, true
	}
	return m.setTree(t.ID, false), true
}

// openFlow is Enter on a workflow, or on an agent of one.
func (m *Model) openFlow() (Action, bool) {
	t, agent, ok := m.flow()
	if !ok {
		return nil, false
	}
	if agent {
		a, _ := m.Selected()
		return openAgent(a), true
	}
	return m.setTree(t.ID, !m.treeOpen(t)), true
}

func openAgent(a task.Task) Action {
	if !a.Can.Read {
		return Say{"There is no record of this agent's steps."}
	}
	return Open{a.ID}
}

// onAgent says of an agent that something is only done to the whole workflow.
func (m *Model) onAgent(what string) Action {
	if _, agent, ok := m.flow(); ok && agent {
		return Say{"It is a part of its workflow: " + what}
	}
	return nil
}

// Steps are the ids that the keys for the next and the previous task open, from
// top to bottom: tasks, and the agents of open workflows.
func (m *Model) Steps() []string {
	var ids []string
	for _, it := range m.items {
		if it.kind == taskRow && it.task.Workflow == nil || it.isAgent() && it.task.Can.Read {
			ids = append(ids, it.id)
		}
	}
	return ids
}

// flowHints are the keys that act on a workflow or an agent of one.
func (m *Model) flowHint(b Binding) (Binding, bool) {
	t, agent, ok := m.flow()
	switch {
	case !ok:
		return b, true
	case agent:
		a, _ := m.Selected()
		return b, (b.Hint == "open" && a.Can.Read) || b.Hint == "copy"
	case b.Hint == "open" && m.treeOpen(t):
		b.Hint = "fold"
	case b.Hint == "open":
		b.Hint = "unfold"
	}
	return b, true
}
