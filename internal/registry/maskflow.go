package registry

import (
	"offstage/internal/output"
	"offstage/task"
)

// maskedTree is a workflow's tree with what it was made from. A tree is never
// changed in place, so the same one under the same rules need not be masked again:
// it has hundreds of texts, and a list is made every second.
type maskedTree struct {
	from, to *task.WorkflowTree
	rules    uint64 // of the person's patterns
	rev      uint64 // of what is known of the task's secrets
}

// workflow masks what is said of a workflow and its agents (C9).
func (m *masker) workflow(id string, w *task.WorkflowTree, sec *output.Secrets) *task.WorkflowTree {
	if w == nil {
		return nil
	}
	if k, ok := m.trees[id]; ok && k.from == w && k.rules == noTask.Rev() && k.rev == sec.Rev() {
		return k.to
	}
	for _, line := range w.Log {
		sec.Learn(clean(line))
	}
	line := func(s string) string { return cut(sec.Recall(m.line(s)), maxTitle) }
	to := *w
	to.Name = line(w.Name)
	to.Phases, to.Log = mapped(w.Phases, line), mapped(w.Log, line)
	to.Agents = make([]task.WorkflowAgent, len(w.Agents))
	for i, a := range w.Agents {
		a.Label, a.Model, a.Tool, a.Error = line(a.Label), line(a.Model), line(a.Tool), line(a.Error)
		to.Agents[i] = a
	}
	if m.trees == nil || len(m.trees) > 1024 {
		m.trees = map[string]maskedTree{}
	}
	m.trees[id] = maskedTree{from: w, to: &to, rules: noTask.Rev(), rev: sec.Rev()}
	return &to
}

func mapped(list []string, f func(string) string) []string {
	if len(list) == 0 {
		return list
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}
