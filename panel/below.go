package panel

import (
	"strings"

	"offstage/task"
)

// detail is how many second lines are drawn. Few rows show all of them; the
// more rows there are, the more a second line must have to say.
type detail int

const (
	everything detail = iota // activity too
	important                // notes, stops, and all of the selected row
	little                   // stops, and the selected row's note
)

// below paints what stands under the first line of item i: the strip of a stop,
// a note, or in a narrow list what has no room on the row itself.
func (m *Model) below(i int, c columns, d detail) []painted {
	it := m.items[i]
	focused := it.id == m.sel
	if it.kind == unreported {
		if d == everything || focused {
			return m.text(i, m.o.Styles.Dim, UnreportedWhy, 3)
		}
		return nil
	}
	switch {
	case it.isAgent():
		return m.agentLines(i, c)
	case it.kind == cardRow:
		return m.cardBelow(i, c, d)
	}
	if it.kind != taskRow {
		return nil
	}
	if s, ok := m.stops[it.id]; ok {
		if out := m.stopLines(i, s, c); len(out) > 0 {
			return out
		}
	}
	if d == little && !focused {
		return nil
	}
	if n := m.note(it.task, focused && m.focus, d == everything && m.firstWhy(i)); len(n) > 0 {
		if focused && len(n) == 1 {
			return m.text(i, n[0].p, n[0].text, 3)
		}
		out := []painted{m.elbow(i, n)}
		if focused && m.focus && firstFailure(it.task) != "" {
			out = append(out, m.plain(i, m.o.Styles.Dim, Clean(task.TestChip(it.task.Tests).Title), 2)...)
		}
		return out
	}
	if c.narrow && !it.task.Status.Ended() && (d == everything || (d == important && focused)) {
		if mid := m.middle(it.task, d); len(mid) > 0 {
			return []painted{m.elbow(i, mid)}
		}
	}
	return nil
}

// UnreportedWhy says why, and what shows and ends it.
const UnreportedWhy = "Its agent says that work goes on in the background, but left no record of it here. " +
	"The agent's own task list shows it and ends it."

func (m *Model) elbow(i int, ps []piece) painted {
	l := newLine(m.w).to(3 + 2*m.items[i].indent)
	l.add(m.o.Styles.Rule, "└ ")
	l.pieces(ps, m.w-1-l.w)
	return l.done(i)
}

// text is a note in full, on up to rows rows: the selected row has the room.
func (m *Model) text(i int, p Paint, s string, rows int) []painted {
	indent := 5 + 2*m.items[i].indent
	var out []painted
	for n, row := range Wrap(s, max(m.w-1-indent, 8), rows) {
		l := newLine(m.w).to(indent - 2)
		if n == 0 {
			l.add(m.o.Styles.Rule, "└ ")
		}
		out = append(out, l.to(indent).add(p, row).done(i))
	}
	return out
}

// stopLines is the strip of a stop in place on the row (A6): the question with
// its keys, what is left after five seconds, the proof.
func (m *Model) stopLines(i int, s Stop, c columns) []painted {
	st := m.o.Styles
	switch s.Phase {
	case Planning:
		return m.text(i, st.Dim, "Looking at what would end…", 1)
	case Asking:
		if s.Plan.Refused != "" {
			return append(m.text(i, st.Amber, Clean(s.Plan.Refused), 4), m.buttons(i, zoneText{hitNo, "n", "close"}))
		}
		return m.question(i, s)
	case Stopping:
		if s.Overdue() {
			return m.text(i, st.Amber, overdueWords(s), 3)
		}
		if c.narrow && s.Elapsed >= SayAfter {
			return m.text(i, st.Amber, s.Button(), 2)
		}
	case Stopped:
		p := st.Good
		if len(s.Report.Left) > 0 || len(s.Report.PortsHeld) > 0 {
			p = st.Amber
		}
		return m.text(i, p, s.Proof(), 3)
	case StopFailed:
		return m.text(i, st.Amber, Clean(s.Err), 3)
	}
	return nil
}

func overdueWords(s Stop) string {
	if len(s.Left) == 0 {
		return "Not confirmed after " + task.Rough(s.Elapsed) + ": the end could not be seen yet. Stop tries again."
	}
	return "Still alive after " + task.Rough(s.Elapsed) + ": " + names(s.Left, 4, ", ") + ". Stop tries again."
}

func (m *Model) question(i int, s Stop) []painted {
	st := m.o.Styles
	out := m.text(i, st.Strong, s.Question(), 5)
	if s.Plan.Note != "" {
		out = append(out, m.plain(i, st.Amber, Clean(s.Plan.Note), 2)...)
	}
	for n, p := range s.Plan.Spared {
		if n == 2 {
			break
		}
		out = append(out, m.plain(i, st.Dim, "stays: "+Clean(strings.TrimSuffix(p.Name()+", "+p.Why, ", ")), 1)...)
	}
	return append(out, m.buttons(i, zoneText{hitYes, "y", "stop"}, zoneText{hitNo, "n", "keep"}))
}

func (m *Model) plain(i int, p Paint, s string, rows int) []painted {
	indent := 5 + 2*m.items[i].indent
	var out []painted
	for _, row := range Wrap(s, max(m.w-1-indent, 8), rows) {
		out = append(out, newLine(m.w).to(indent).add(p, row).done(i))
	}
	return out
}

// zoneText is a button of a strip: its key and its word.
type zoneText struct {
	what      hit
	key, word string
}

func (m *Model) buttons(i int, bs ...zoneText) painted {
	l := newLine(m.w).to(5 + 2*m.items[i].indent)
	for n, b := range bs {
		if n > 0 {
			l.add("", "   ")
		}
		from := l.w
		l.add(m.o.Styles.Accent, b.key).add("", " ").add(m.o.Styles.Text, b.word)
		l.zones = append(l.zones, zone{from: from, to: l.w, what: b.what})
	}
	return l.done(i)
}

// firstWhy: no row above says the same about its missing Stop. One sentence says it
// for all of a folder of files.
func (m *Model) firstWhy(i int) bool {
	why := noStop(m.items[i].task)
	for _, it := range m.items[:i] {
		if it.kind == taskRow && why != "" && noStop(it.task) == why {
			return false
		}
	}
	return true
}
