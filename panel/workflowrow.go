package panel

import (
	"slices"
	"strings"

	"offstage/task"
)

// How the rows of a workflow's tree are painted.

// chevron stands before the title of a workflow that has a tree: its state, and
// where to click.
func (m *Model) chevron(l *line, t task.Task) {
	if t.Workflow == nil {
		return
	}
	mark := "▸"
	if m.treeOpen(t) {
		mark = "▾"
	}
	l.act(hitFold, m.o.Styles.Dim, mark).add("", " ")
}

// chevronWidth is what a chevron takes of a title's room.
func chevronWidth(t task.Task) int {
	if t.Workflow == nil {
		return 0
	}
	return 2
}

// treeIndent is where the rows of a tree begin: under the title of the workflow.
func treeIndent(it item) int { return 5 + 2*it.indent }

// treeLine paints one row of a tree.
func (m *Model) treeLine(i int, c columns) painted {
	it := m.items[i]
	st := m.o.Styles
	focused := it.id == m.sel
	l := m.gutter(it, focused)
	l.to(treeIndent(it))
	room := m.w - 1 - l.w
	switch it.tree.Kind {
	case task.TreeLog:
		l.add(st.Rule, "│ ").add(st.Dim, Cut(Clean(it.tree.Text), room-2))
	case task.TreePhase:
		l.add(st.Strong, Cut(Clean(it.tree.Text), room))
	case task.TreeMore:
		l.add(st.Dim, Cut(it.tree.Text, room))
	default:
		m.agentLine(l, it, c)
	}
	return l.done(i)
}

func (m *Model) agentLine(l *line, it item, c columns) {
	st, a := m.o.Styles, it.tree.Agent
	l.add(agentPaint(a.Status, st), task.AgentGlyph(a.Status)).add("", " ")
	label, facts, now := Clean(task.AgentLabel(a)), Clean(task.AgentWords(a, m.now)), Clean(task.AgentNow(a))
	if m.agentBelow(it, c) {
		now = ""
		if c.narrow {
			facts = ""
		}
	}
	room := m.w - 1 - l.w
	if c.narrow {
		l.add(m.agentTitle(it), Cut(label, room))
		l.to(l.w + 2)
	} else {
		room = treeIndent(it) + 2 + c.label
		l.add(m.agentTitle(it), Cut(label, c.label)).to(room + 2)
	}
	if left := m.w - 1 - l.w; left >= 10 {
		l.pieces(m.agentPieces(a, facts, now), left)
	}
}

// agentPieces are the line about an agent and what it does now, or why it failed.
func (m *Model) agentPieces(a task.WorkflowAgent, facts, now string) []piece {
	p := m.o.Styles.Dim
	if a.Status == task.Running || a.Status == task.Failed || a.Status == task.TimedOut {
		p = m.o.Styles.Text
	}
	out := []piece{{m.o.Styles.Dim, facts}}
	if facts != "" && now != "" {
		out[0].text += " · "
	}
	return append(out, piece{p, now})
}

func (m *Model) agentTitle(it item) Paint {
	st := m.o.Styles
	switch {
	case it.id == m.open && m.open != "":
		return st.Accent
	case it.id == m.sel && m.focus:
		return st.Strong
	case it.tree.Agent.Status != task.Running:
		return st.Dim
	}
	return st.Text
}

func agentPaint(s task.Status, st Styles) Paint {
	if s == task.Running {
		return st.Good
	}
	return st.Tone(task.StatusTone(s))
}

// agentBelow says whether an agent has a row of its own for what does not fit on
// the first: under the cursor, and of those that run or failed where there is room.
func (m *Model) agentBelow(it item, c columns) bool {
	a := it.tree.Agent
	need := Width(task.AgentWords(a, m.now))
	if c.narrow {
		need += 4 + Width(task.AgentLabel(a))
	} else {
		need += 4 + c.label
	}
	if n := Width(task.AgentNow(a)); n > 0 {
		need += 3 + n
	}
	if need <= m.w-1-treeIndent(it) {
		return false
	}
	if it.id == m.sel || c.detail == everything {
		return true
	}
	return c.detail == important && (a.Status == task.Running || a.Status == task.Failed)
}

// agentLines is that row.
func (m *Model) agentLines(i int, c columns) []painted {
	it := m.items[i]
	if !m.agentBelow(it, c) {
		return nil
	}
	a := it.tree.Agent
	words := task.AgentNow(a)
	if c.narrow {
		words = joined(task.AgentWords(a, m.now), words)
	}
	indent, rows := treeIndent(it)+2, 1
	if it.id == m.sel {
		rows = 3
	}
	var out []painted
	for _, row := range Wrap(Clean(words), max(m.w-1-indent, 8), rows) {
		out = append(out, newLine(m.w).to(indent).add(m.o.Styles.Dim, strings.TrimSpace(row)).done(i))
	}
	return out
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
