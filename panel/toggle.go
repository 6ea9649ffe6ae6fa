package panel

import (
	"slices"
	"strconv"
	"strings"

	"offstage/task"
)

// toggle is the line that opens and closes the panel (A1). Its spinner steps
// with the clock, once a second, only while something runs; it is still with
// reduced motion.
func (m *Model) toggle() painted {
	st := m.o.Styles
	c := m.counts()
	l := newLine(m.w)
	switch {
	case c.Running > 0:
		l.add("", " ").add(st.Good, m.spinner())
	default:
		l.add("", " ").add(st.Dim, "·")
	}
	p := st.Dim
	if c.Running > 0 {
		p = st.Strong
	}
	words := task.Collapsed(c)
	if c.Running == 0 && m.unreported() { // never counted as idle (G5)
		words = strings.Replace(words, "No background tasks running", "Background work, not reported", 1)
		p = st.Amber
	}
	if Width(words) > m.w-4 { // too narrow for the whole sentence
		words = strings.Replace(words, "background tasks", "tasks", 1)
	}
	running, rest, _ := strings.Cut(words, " · ")
	l.add("", " ").add(p, running)
	l.whole(st.Dim, st.Dim, rest)
	if c.Failed > 0 {
		l.whole(st.Dim, st.Bad, strconv.Itoa(c.Failed)+" failed")
	}
	if c.Waiting > 0 {
		l.whole(st.Dim, st.Amber, strconv.Itoa(c.Waiting)+" waiting")
	}
	if m.filter != "" {
		l.whole(st.Dim, st.Accent, "/"+Clean(m.filter))
	}
	if room := l.max - 1 - l.w - 3; m.scope != "" && Width(m.scope) <= room {
		l.to(l.max-1-Width(m.scope)).add(st.Dim, m.scope)
	}
	p2 := l.done(-1)
	p2.zones = []zone{{from: 0, to: m.w, what: hitToggle}}
	return p2
}

// whole adds s behind a dot if all of it fits.
func (l *line) whole(dot, p Paint, s string) {
	if s != "" && l.w+3+Width(s) < l.max {
		l.add(dot, " · ").add(p, s)
	}
}

func (m *Model) counts() task.Counts {
	var ts []task.Task
	for _, it := range m.everyRow() {
		if it.kind == taskRow {
			t := it.task
			t.Hidden = false
			ts = append(ts, t)
		}
	}
	return task.Count(ts)
}

// unreported says whether a session is listed whose work cannot be found.
func (m *Model) unreported() bool {
	return slices.ContainsFunc(m.everyRow(), func(it item) bool { return it.kind == unreported })
}

var spinnerSteps, asciiSteps = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), []rune(`|/-\`)

func (m *Model) spinner() string {
	steps := spinnerSteps
	if m.o.ASCII {
		steps = asciiSteps
	}
	if m.o.Still {
		return string(steps[0])
	}
	n := m.now.Unix() % int64(len(steps))
	return string(steps[max(n, 0)])
}
