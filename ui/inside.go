package ui

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

// Insider looks into a running task: its processes and what they use. An Engine that
// has this method is asked once a second while a task's details are open, and never
// else: a look costs a scan of the machine now and then.
type Insider interface {
	Inside(ctx context.Context, id string) (task.Inside, error)
}

// insideEvery is how often the details look again.
const insideEvery = time.Second

// inside is the last look into the task whose details are open.
type inside struct {
	last task.Inside
	busy bool
	// asked is when, and for what, the last look was asked for.
	asked time.Time
	id    string
}

type insideMsg struct {
	id  string
	in  task.Inside
	err error
}

// needInside looks into the task whose details are open, if it is time.
func (m *Model) needInside() tea.Cmd {
	if m.over != overDetails {
		m.inside.last, m.inside.id = task.Inside{}, ""
		return nil
	}
	look, can := m.o.Engine.(Insider)
	t, ok := m.detailTask()
	switch {
	case !can || !ok || t.Status.Ended() || t.Workflow != nil || t.Parent != "" && t.Kind == task.Agent:
		return nil
	case m.inside.busy || m.inside.id == t.ID && m.now.Sub(m.inside.asked) < insideEvery:
		return nil
	}
	m.inside.busy, m.inside.asked, m.inside.id = true, m.now, t.ID
	return m.fx.inside(look, t.ID)
}

func (m *Model) gotInside(msg insideMsg) {
	m.inside.busy = false
	if msg.err == nil && msg.id == m.inside.id {
		m.inside.last = msg.in
	}
}

// mostProcesses bounds the tree of the details.
const mostProcesses = 40

// processLines are the processes of a task as a tree with what each uses.
func (m *Model) processLines(t task.Task, w int) []string {
	in, st := m.inside.last, m.theme.panel
	if in.Task != t.ID || t.Status.Ended() {
		return nil
	}
	if in.Trouble != "" {
		return field(known{"Processes", in.Trouble, st.Amber}, w, st)
	}
	if len(in.Processes) == 0 {
		return nil
	}
	sum := joined(", ", task.UseWords(in.CPU, in.Memory), count(len(in.Processes), "process", "processes"))
	out := field(known{"Uses", sum, st.Text}, w, st)
	name := "Processes"
	for i, p := range in.Processes {
		if i == mostProcesses {
			out = append(out, " "+strings.Repeat(" ", fieldColumn)+" "+st.Dim.On("+"+strconv.Itoa(len(in.Processes)-i)+" more"))
			break
		}
		row := strings.Repeat("  ", min(p.Depth, 8)) + panel.Clean(p.Name())
		out = append(out, " "+st.Dim.On(panel.Pad(name, fieldColumn))+" "+both(min(w, readable)-fieldColumn-3, row, st.Text, task.UseWords(p.CPU, p.Memory), st.Dim))
		name = ""
	}
	return out
}
