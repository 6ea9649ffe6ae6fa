package panel

import (
	"strconv"
	"strings"

	"offstage/task"
)

// piece is a stretch of text with its paint.
type piece struct {
	p    Paint
	text string
}

// middle is what a running row says between its title and its numbers: the
// quiet hint (D1–D2), then the last activity (A4); of an ended row how it ended.
// Where no second line is drawn, a trouble or a warning stands in front.
func (m *Model) middle(t task.Task, d detail) []piece {
	st := m.o.Styles
	alarm := ""
	if d == little && t.ID != m.sel {
		if alarm = Clean(t.Trouble); alarm == "" {
			alarm = Clean(t.Warning)
		}
	}
	if t.Status.Ended() {
		out := []piece{{st.Dim, task.StateWords(t)}}
		if t.Kept {
			out = append(out, piece{st.Dim, " · kept"})
		}
		if alarm != "" {
			return append(out, piece{st.Amber, " · " + alarm})
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(t.Continuation), "\n"); first != "" {
			return append(out, piece{st.Dim, " · background continuation: " + Clean(first)}) // I4
		}
		if t.Kind != task.Shell && t.Summary != "" {
			out = append(out, piece{st.Dim, " · " + Clean(t.Summary)})
		}
		return out
	}
	if alarm != "" {
		return []piece{{st.Amber, alarm}}
	}
	var out []piece
	if t.LeftBehind {
		out = append(out, piece{st.Amber, "left behind" + leftBy(t.Session)}) // A11
	}
	if t.Awake && d != little {
		out = append(out, piece{st.Dim, "keeps awake"}) // H2
	}
	if q := task.QuietChip(t, m.now, m.o.QuietAfter); q.Text != "" {
		if len(out) > 0 {
			out = append(out, piece{st.Dim, " · "})
		}
		out = append(out, piece{st.Tone(q.Tone), Clean(q.Text)})
	}
	a := Clean(t.Activity)
	if d != little && t.Waiting != "" && a == Clean(t.WaitingLine) {
		a = "" // the line below says it
	}
	if strings.TrimSpace(a) != "" {
		if len(out) > 0 {
			a = " · " + a
		}
		out = append(out, piece{st.Dim, a})
	}
	return out
}

// chip is the short coloured word at the right: test counts, else what a narrow
// row must say of its end or its silence, else the port.
func (m *Model) chip(t task.Task, cols columns) []piece {
	st := m.o.Styles
	if c := task.TestChip(t.Tests); c.Text != "" {
		return chipPieces(c, st)
	}
	if t.Status.Ended() {
		if cols.narrow {
			return []piece{{st.Dim, shortEnd(t)}}
		}
		return nil
	}
	if cols.narrow && cols.detail == little {
		if q := m.shortQuiet(t); len(q) > 0 {
			return q
		}
	}
	if c := task.ProgressChip(t.Progress); c.Text != "" && !t.Status.Ended() {
		return []piece{{st.Tone(c.Tone), c.Text}}
	}
	if len(t.Ports) > 0 {
		return []piece{{st.Link, ":" + strconv.Itoa(t.Ports[0])}}
	}
	if p := urlPort(t.URLs); p != "" {
		return []piece{{st.Link, p}}
	}
	return nil
}

// shortQuiet is the quiet hint where a row has neither a middle nor a second
// line for its sentence.
func (m *Model) shortQuiet(t task.Task) []piece {
	q := task.QuietChip(t, m.now, m.o.QuietAfter)
	switch {
	case q.Text == "":
		return nil
	case t.Waiting != "":
		return []piece{{m.o.Styles.Amber, "waiting"}}
	}
	return []piece{{m.o.Styles.Tone(q.Tone), "quiet " + task.Rough(task.QuietFor(t, m.now))}}
}

// chipPieces paints "✓ 412 ✘ 2": the good part green, the bad part red.
func chipPieces(c task.Chip, st Styles) []piece {
	good, bad, found := strings.Cut(c.Text, " ✘")
	if !found || c.Tone != task.Bad {
		return []piece{{st.Tone(c.Tone), c.Text}}
	}
	return []piece{{st.Good, good}, {"", " "}, {st.Bad, "✘" + bad}}
}

func shortEnd(t task.Task) string {
	switch t.Status {
	case task.Failed:
		if t.ExitCode != nil {
			return "exit " + strconv.Itoa(*t.ExitCode)
		}
		return "failed"
	case task.TimedOut:
		return "timed out"
	case task.Cancelled:
		return "stopped"
	case task.Lost:
		return "unknown"
	}
	return "done"
}

// urlPort is ":5173" of the first local address in urls.
func urlPort(urls []string) string {
	for _, u := range urls {
		_, rest, ok := strings.Cut(u, "://")
		if !ok {
			continue
		}
		host, _, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, ':'); i >= 0 {
			if _, err := strconv.Atoi(host[i+1:]); err == nil {
				return host[i:]
			}
		}
	}
	return ""
}

// note is a second line that must be seen: trouble, a warning, the question
// that a task waits with, what it takes of the disk, its first failure; under the cursor also what a pointer
// would be told: the sink of a pipe, the counts of a test run. Why there is no
// Stop (A6, G6) stands there under the cursor and wherever there is room.
func (m *Model) note(t task.Task, focused, roomy bool) []piece {
	st := m.o.Styles
	switch {
	case t.Trouble != "":
		if why := noStop(t); why != "" && (focused || roomy) && why != Clean(t.Trouble) {
			return []piece{{st.Amber, Clean(t.Trouble)}, {st.Dim, " · " + why}}
		}
		return []piece{{st.Amber, Clean(t.Trouble)}}
	case t.Warning != "":
		return []piece{{st.Amber, Clean(t.Warning)}}
	case t.WaitingLine != "" && !t.Status.Ended():
		return []piece{{st.Amber, Clean(t.WaitingLine)}}
	}
	if n := task.DiskOf(t, m.now); n != nil {
		words, tone := task.DiskWords(n)
		return []piece{{st.Tone(tone), words}}
	}
	if f := firstFailure(t); f != "" {
		return []piece{{st.Bad, "✘ "}, {st.Dim, f}}
	}
	if !focused {
		if why := noStop(t); why != "" && roomy {
			return []piece{{st.Dim, why}}
		}
		return nil
	}
	if q := task.QuietChip(t, m.now, m.o.QuietAfter); q.Title != "" {
		return []piece{{st.Dim, Clean(q.Title)}}
	}
	if c := task.TestChip(t.Tests); c.Title != "" {
		return []piece{{st.Dim, Clean(c.Title)}} // F1: the runner and all its counts
	}
	if why := noStop(t); why != "" {
		return []piece{{st.Dim, why}}
	}
	return nil
}

// noStop is why a task that runs cannot be stopped from here, and what does end
// it; "" where it can.
func noStop(t task.Task) string {
	if t.Can.Stop || t.Status.Ended() {
		return ""
	}
	return Clean(t.Can.WhyNot)
}

func firstFailure(t task.Task) string {
	if t.Tests == nil {
		return ""
	}
	for _, r := range t.Tests.Runs {
		if r.First != nil && r.First.Name != "" {
			return Clean(r.First.Name)
		}
	}
	return ""
}

func piecesWidth(ps []piece) int {
	n := 0
	for _, p := range ps {
		n += Width(p.text)
	}
	return n
}

// pieces adds ps within room cells. A further piece of which next to nothing
// would fit is left out; what is cut ends in "…".
func (l *line) pieces(ps []piece, room int) {
	keep := l.max
	l.max = min(l.w+room, keep)
	for i, p := range ps {
		left := l.max - l.w
		if i > 0 && left < Width(p.text) && left < 8 {
			break
		}
		l.add(p.p, p.text)
	}
	l.max = keep
}

// leftBy names the session that left something behind: " by claude 5f6e7a80"; ""
// where the mark of a process does not say which.
func leftBy(session string) string {
	agent, native, _ := strings.Cut(session, ":")
	if native == "" || native == "left-behind" || agent == OwnSource {
		return ""
	}
	if chars := []rune(native); len(chars) > 8 {
		native = string(chars[:8])
	}
	return " by " + Clean(agent+" "+native)
}
