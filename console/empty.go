package console

import (
	"strings"

	"offstage/task"
)

// emptyLines fill the body where there is no row: one clear sentence instead of
// a blank, and why.
func (m *Model) emptyLines(n int) []string {
	width := max(min(m.w-4, 72), 1)
	var out []string
	add := func(s, look string) {
		for _, line := range flow(m.set.say(word(s)), width, m.width) {
			out = append(out, "  "+painted(look, line))
		}
	}
	if n > 6 {
		out = append(out, "")
	}
	head, why, look := m.emptyWords()
	add(head, m.look.text)
	if why != "" {
		if n > 5 {
			out = append(out, "")
		}
		add(why, look)
	}
	if path := m.task.Output.Recorded; path != "" && n > 8 && m.win.loaded {
		out = append(out, "", "  "+painted(m.look.dim, clip(word(path), width, m.set.more, m.width)))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out[:n]
}

// emptyWords are the sentence, the reason and its look.
func (m *Model) emptyWords() (head, why, look string) {
	t, dim := m.task, m.look.dim
	switch trouble := m.troubleWords(); {
	case t.ID == "":
		return "", "", ""
	case trouble != "":
		return "The output cannot be shown.", trouble, m.look.amber
	case m.unreadable():
		return "This task keeps no output that can be read from here.", "", dim
	case !m.win.loaded:
		return "Reading the output…", "", dim
	case m.filter != nil && m.win.top && m.win.bottom:
		return "No row of the output passes the filter.", m.filterWords(), dim
	case m.filter != nil:
		return "Looking for rows that pass the filter…", m.filterProgress(), dim
	case t.Status == task.Queued:
		return "Not started yet.", "Its output shows here as soon as it runs.", dim
	case m.ended():
		return "This task ended without writing anything.", capital(m.endWords()) + ".", dim
	case t.Pipe.Name != "":
		return "No output yet.", task.PipeNote(t.Pipe), m.look.amber
	}
	return "No output yet.", "What the task writes shows here at once.", dim
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// blank says whether there is nothing of the output to show.
func (m *Model) blank() bool {
	return m.earlier() == 0 && len(m.outputRows()) == 0
}
