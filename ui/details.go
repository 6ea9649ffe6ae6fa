package ui

import (
	"strconv"
	"strings"

	"offstage/panel"
	"offstage/task"
)

// detailTask is the task that i tells about: that of the open console, else the
// one under the cursor.
func (m *Model) detailTask() (task.Task, bool) {
	if m.open != "" {
		return m.task(m.open)
	}
	return m.panel.Selected()
}

// detailLines is all that is known of a task, with where it is known from and
// how old that is (K7).
func (m *Model) detailLines(w int) []string {
	t, ok := m.detailTask()
	if s, title := m.panel.OnHeading(); !ok && title {
		return m.sessionDetails(s, w)
	}
	if !ok {
		return []string{" " + m.theme.panel.Dim.On("This task is no longer listed.")}
	}
	st := m.theme.panel
	out := []string{" " + both(w-2, panel.Clean(t.Title), st.Strong, t.Kind.Label(), st.Dim), ""}
	for _, f := range m.detailFields(t) {
		out = append(out, field(f, w, st)...)
		if f.name == "Output" {
			out = append(out, m.processLines(t, w)...)
		}
	}
	return out
}

// known is one field of the card; paint colours its value.
type known struct {
	name, value string
	paint       panel.Paint
}

// fieldColumn is the width of a field's name.
const fieldColumn = 11

func field(f known, w int, st panel.Styles) []string {
	if f.value == "" {
		return nil
	}
	const col = fieldColumn
	var out []string
	name := f.name
	for _, para := range strings.Split(f.value, "\n") {
		for _, row := range panel.Wrap(panel.Clean(para), max(w-col-4, 10), 40) {
			out = append(out, " "+st.Dim.On(panel.Pad(name, col))+" "+f.paint.On(row))
			name = ""
		}
	}
	return out
}

func (m *Model) detailFields(t task.Task) []known {
	st := m.theme.panel
	state := task.StateWords(t)
	if d := task.Elapsed(t, m.now); d > 0 {
		state += " · " + task.Clock(d)
	}
	source := t.StatusSource
	if a := ago(t.StatusAt, m.now); a != "" && source != "" {
		source += ", " + a
	}
	fs := []known{
		{"State", state, st.Tone(task.StatusTone(t.Status))},
		{"Says so", source, st.Text},
		{"Trouble", t.Trouble, st.Amber},
		{"Warning", t.Warning, st.Amber},
		{"Waiting", joined(": ", t.Waiting, t.WaitingLine), st.Amber},
		{"Quiet", m.quietWords(t), st.Text},
		{"Tests", task.TestChip(t.Tests).Title, st.Text},
		{"Agents", task.WorkflowCounts(t.Workflow), st.Text},
		{"Command", t.Command, st.Text},
		{"Folder", m.home(t.Cwd), st.Text},
		{"Output", m.outputWords(t), st.Text},
		{"Addresses", strings.Join(t.URLs, "\n"), st.Link},
		{"Ports", numbers(t.Ports), st.Text},
		{"Session", m.sessionName(t.Session), st.Text},
		{"Result", joined("\n", t.Summary, t.Result), st.Text},
		{"Tokens", tokenWords(t), st.Text},
		{"ID", joined(", run ", t.ID, runNumber(t.Run)), st.Text},
		{"Launched by", t.ToolCall, st.Text},
		{"Parent", t.Parent, st.Text},
		{"Kept", keptWords(t), st.Text},
		{"Sleep", awakeWords(t), st.Text},
	}
	if n := task.DiskOf(t, m.now); n != nil {
		words, tone := task.DiskWords(n)
		fs = append(fs, known{"Disk", words, st.Tone(tone)})
	}
	if !t.Status.Ended() && !t.Can.Stop {
		fs = append(fs, known{"No Stop", t.Can.WhyNot, st.Amber})
	}
	if !t.Timeout.IsZero() && !t.Status.Ended() {
		fs = append(fs, known{"Times out", "in " + task.Rough(max(t.Timeout.Sub(m.now), 0)), st.Text})
	}
	return fs
}

func joined(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

func runNumber(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n)
}

func numbers(ns []int) string {
	var out []string
	for _, n := range ns {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}

func (m *Model) quietWords(t task.Task) string {
	c := task.QuietChip(t, m.now, m.o.QuietAfter)
	if t.Waiting != "" {
		return ""
	}
	return joined(". ", c.Text, c.Title)
}

func (m *Model) outputWords(t task.Task) string {
	path := t.Output.Recorded
	if path == "" {
		path = t.Output.Path
	}
	if path == "" {
		return "none"
	}
	words := m.home(path) + "\n" + task.Size(t.Output.Bytes)
	if a := ago(t.Output.LastWrite, m.now); a != "" {
		words += ", written " + a
	}
	if in := m.inside.last; in.Task == t.ID && in.Rate >= 1 {
		words += ", grows by " + task.Size(int64(in.Rate)) + " a second"
	}
	return words
}

func (m *Model) sessionName(id string) string {
	for _, s := range m.snap.Sessions {
		if s.ID == id {
			return joined(" · ", agentName(s.Agent), s.Title) + "\n" + id
		}
	}
	return id
}

func tokenWords(t task.Task) string {
	if t.Tokens == nil {
		return ""
	}
	w := strconv.FormatInt(t.Tokens.Input, 10) + " in, " + strconv.FormatInt(t.Tokens.Output, 10) + " out"
	if t.ToolCalls > 0 {
		w += ", " + count(t.ToolCalls, "tool call", "tool calls")
	}
	return w
}

// keptWords say that the retention spares a task.
func keptWords(t task.Task) string {
	if t.Kept {
		return "beyond seven days"
	}
	return ""
}

// awakeWords say that the machine does not sleep because of a task.
func awakeWords(t task.Task) string {
	if t.Awake {
		return "the machine stays awake while it runs"
	}
	return ""
}
