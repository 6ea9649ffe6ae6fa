package panel

import (
	"sort"
	"strings"

	"offstage/task"
)

// item is one entry of the list: a session heading, a task's row, the row of a
// session whose background work is not reported (G5), a row of a workflow's tree, or
// a preview card.
type item struct {
	kind    itemKind
	id      string
	task    task.Task
	session task.Session
	indent  int
	running int
	// under are the rows that a folded heading stands for.
	under []item
	// tree is the row of a workflow's tree; task is then the agent of it, as a task,
	// where it is one.
	tree task.TreeRow
	card task.Preview
}

type itemKind int

const (
	heading itemKind = iota
	taskRow
	unreported
	treeRow
	cardRow
)

// rows is how many tasks an item stands for.
func (it item) rows() int {
	switch it.kind {
	case heading:
		n := 0
		for _, u := range it.under {
			n += u.rows()
		}
		return n
	case treeRow, cardRow:
		return 0
	}
	return 1
}

// entries is rows with the agents of an open workflow and the cards, for what is out
// of sight.
func (it item) entries() int {
	if it.isAgent() || it.kind == cardRow {
		return 1
	}
	return it.rows()
}

// rests says whether the cursor can stand on an item.
func (it item) rests() bool { return it.kind != treeRow || it.isAgent() }

// group is the rows of one session.
type group struct {
	session task.Session
	known   bool
	tasks   []task.Task
	// running counts all of its open tasks, those that the filter leaves out too.
	running int
}

// arrange turns a snapshot into the items of the list: grouped by session where
// more than one is shown (A7), running before finished, children under parents;
// of a folded session the heading alone.
func (m *Model) arrange() []item {
	s, hidden, folded, filter := m.snap, m.hidden, m.folded, m.filter
	groups := gather(s, hidden, filter)
	out := m.cards()
	for _, g := range groups {
		rows := m.withTrees(groupRows(g))
		if len(groups) > 1 {
			head := item{kind: heading, id: headingID(g.session.ID), session: g.session, running: g.running}
			if folded[g.session.ID] && filter == "" {
				head.under, rows = rows, nil
			}
			out = append(out, head)
		}
		out = append(out, rows...)
	}
	return out
}

func headingID(session string) string { return "session " + session }

func gather(s task.Snapshot, hidden map[string]bool, filter string) []group {
	at := map[string]int{}
	var all []group
	for _, ses := range s.Sessions {
		at[ses.ID] = len(all)
		all = append(all, group{session: ses, known: true})
	}
	for _, t := range s.Tasks {
		if skip(t, hidden) {
			continue
		}
		i, ok := at[t.Session]
		if !ok {
			i = len(all)
			at[t.Session] = i
			all = append(all, group{session: task.Session{ID: t.Session}})
		}
		if !t.Status.Ended() {
			all[i].running++
		}
		if matches(t, filter) {
			all[i].tasks = append(all[i].tasks, t)
		}
	}
	kept := all[:0]
	for _, g := range all {
		if len(g.tasks) > 0 || (g.session.Unreported && filter == "") {
			kept = append(kept, g)
		}
	}
	return kept
}

func skip(t task.Task, hidden map[string]bool) bool {
	if t.Foreground {
		return true
	}
	if h, ok := hidden[t.ID]; ok {
		return h
	}
	return t.Hidden
}

// matches says whether every word of the filter occurs in what a person can
// read of the task.
func matches(t task.Task, filter string) bool {
	return t.Workflow != nil && anyAgent(t.Workflow, filter) || itself(t, filter)
}

// itself is matches of a workflow without its agents.
func itself(t task.Task, filter string) bool {
	return hasWords(strings.Join([]string{t.Title, t.Command, t.Kind.Label(), t.Native, task.StateWords(t), t.Cwd}, "\n"), filter)
}

func hasWords(text, filter string) bool {
	text = strings.ToLower(text)
	for _, w := range strings.Fields(strings.ToLower(filter)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func groupRows(g group) []item {
	sorted := append([]task.Task(nil), g.tasks...)
	sort.SliceStable(sorted, func(i, j int) bool { return before(sorted[i], sorted[j]) })
	here := map[string]bool{}
	for _, t := range sorted {
		here[t.ID] = true
	}
	children := map[string][]task.Task{}
	var top []task.Task
	for _, t := range sorted {
		if t.Parent != "" && t.Parent != t.ID && here[t.Parent] {
			children[t.Parent] = append(children[t.Parent], t)
		} else {
			top = append(top, t)
		}
	}
	var out []item
	if g.session.Unreported {
		out = append(out, item{kind: unreported, id: "unreported " + g.session.ID, session: g.session})
	}
	placed := map[string]bool{}
	var put func(t task.Task, depth int)
	put = func(t task.Task, depth int) {
		if placed[t.ID] {
			return
		}
		placed[t.ID] = true
		out = append(out, item{kind: taskRow, id: t.ID, task: t, session: g.session, indent: min(depth, 2)})
		for _, c := range children[t.ID] {
			put(c, depth+1)
		}
	}
	for _, t := range top {
		put(t, 0)
	}
	for _, t := range sorted { // parents that name each other in a ring
		put(t, 0)
	}
	return out
}

// before is the order of rows: open tasks as they were started, below them the
// ended ones, the latest first.
func before(a, b task.Task) bool {
	if ae, be := a.Status.Ended(), b.Status.Ended(); ae != be {
		return be
	} else if ae {
		return a.Ended.After(b.Ended)
	}
	return a.Started.Before(b.Started)
}
