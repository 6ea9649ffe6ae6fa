package panel

import "offstage/task"

// Styles are the paints of the panel, made by ui's theme. The panel names no
// colour.
type Styles struct {
	Text, Dim, Strong, Good, Alive, Bad, Amber, Link, Accent, Rule Paint
}

// Tone is the paint for a meaning of package task.
func (s Styles) Tone(t task.Tone) Paint {
	switch t {
	case task.Good:
		return s.Good
	case task.Bad:
		return s.Bad
	case task.Amber:
		return s.Amber
	case task.Quiet:
		return s.Dim
	case task.Link:
		return s.Link
	case task.Accent:
		return s.Accent
	}
	return s.Text
}

// kindMarks stand in front of a running row: its shape says what it is, being
// there says that it runs (A4). A finished row has the mark of its end instead.
var kindMarks = map[task.Kind]string{
	task.Shell:    "●",
	task.Monitor:  "◉",
	task.Agent:    "◆",
	task.Remote:   "▲",
	task.MCP:      "◇",
	task.Teammate: "◈",
	task.Workflow: "▣",
	task.Dream:    "○",
}

// Mark is the glyph in front of a task's row.
func Mark(t task.Task) string {
	if t.Status == task.Running {
		if m, ok := kindMarks[t.Kind]; ok {
			return m
		}
	}
	return task.Glyph(t.Status)
}

func (m *Model) markPaint(t task.Task) Paint {
	if t.Status == task.Running && (t.Waiting != "" || t.Trouble != "") {
		return m.o.Styles.Amber
	}
	return m.o.Styles.Tone(task.StatusTone(t.Status))
}
