package task

import (
	"strconv"
	"time"
)

// TreeKind is what a row of a workflow's tree is.
type TreeKind int

// The four kinds of row, in the order in which they first stand.
const (
	// TreeLog is a line that the script logged; the last ones stand above all else.
	TreeLog TreeKind = iota
	// TreePhase is the title of a phase, a heading.
	TreePhase
	// TreeAgent is an agent.
	TreeAgent
	// TreeMore ends a tree that is longer than is shown: "+20 more agents".
	TreeMore
)

// TreeRow is one row of a workflow's tree (A9): words, or an agent.
type TreeRow struct {
	Kind  TreeKind
	Text  string
	Agent WorkflowAgent
}

// TreeRows are the rows of a workflow's tree: its last log lines, then its phases
// with their agents, at most WorkflowAgentsShown of them. Where there are more,
// those that run are among them wherever they stand. With wanted set the tree is
// of those agents alone that it says yes to.
func TreeRows(w *WorkflowTree, wanted func(WorkflowAgent) bool) []TreeRow {
	if w == nil {
		return nil
	}
	var out []TreeRow
	if wanted == nil {
		for _, line := range w.Log[max(0, len(w.Log)-WorkflowLogLines):] {
			out = append(out, TreeRow{Kind: TreeLog, Text: line})
		}
	}
	all := byPhase(w, wanted)
	pick := picked(w, all)
	for phase := -1; phase < len(w.Phases); phase++ {
		var rows []TreeRow
		for _, i := range all[phase] {
			if pick[i] {
				rows = append(rows, TreeRow{Kind: TreeAgent, Agent: w.Agents[i]})
			}
		}
		// Where all of its agents are beyond the bound a phase is a part of "more"; one
		// that never had any is told by the settled tree.
		if phase >= 0 && (len(rows) > 0 || wanted == nil && len(all[phase]) == 0) {
			out = append(out, TreeRow{Kind: TreePhase, Text: w.Phases[phase]})
		}
		out = append(out, rows...)
	}
	if n := max(w.Total, len(w.Agents)) - len(pick); wanted == nil && n > 0 {
		out = append(out, TreeRow{Kind: TreeMore, Text: moreAgents(n)})
	}
	return out
}

// TreeWords is a row of a tree as one line of plain text.
func TreeWords(r TreeRow, now time.Time) string {
	if r.Kind != TreeAgent {
		return r.Text
	}
	out := AgentGlyph(r.Agent.Status) + " " + AgentLabel(r.Agent)
	for _, words := range []string{AgentWords(r.Agent, now), AgentNow(r.Agent)} {
		if words != "" {
			out += " · " + words
		}
	}
	return out
}

func moreAgents(n int) string {
	if n == 1 {
		return "+1 more agent"
	}
	return "+" + strconv.Itoa(n) + " more agents"
}

// byPhase are the wanted agents, by index, under their phases; −1 has those of none.
func byPhase(w *WorkflowTree, wanted func(WorkflowAgent) bool) map[int][]int {
	out := map[int][]int{}
	for i, a := range w.Agents {
		if wanted != nil && !wanted(a) {
			continue
		}
		phase := a.Phase
		if phase < 0 || phase >= len(w.Phases) {
			phase = -1
		}
		out[phase] = append(out[phase], i)
	}
	return out
}

// picked are the agents that are shown: first those that run, then the others in
// the order of the tree.
func picked(w *WorkflowTree, all map[int][]int) map[int]bool {
	out := map[int]bool{}
	for _, running := range []bool{true, false} {
		for phase := -1; phase < len(w.Phases); phase++ {
			for _, i := range all[phase] {
				if len(out) < WorkflowAgentsShown && (w.Agents[i].Status == Running) == running {
					out[i] = true
				}
			}
		}
	}
	return out
}
