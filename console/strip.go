package console

import (
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// The strips stand between the header and the hairline: a stop (stopstrip.go)
// and what is wrong with the task or its output.

// strip is one line: words, and keys at its right end.
type strip struct {
	text, look string
	keys       []piece
	dot        string
	dotLook    string
}

// strips are all lines that want to be said, most urgent first.
func (m *Model) strips() []strip {
	out := append(m.stopStrips(), m.answerStrips()...)
	out = append(out, m.diskStrips()...)
	if len(m.win.rows) > 0 {
		out = append(out, m.sentence(m.troubleWords(), m.look.amber, m.set.warn)...)
	}
	if !m.task.Status.Ended() && m.task.Warning != task.WaitingForWorker { // the state says it
		out = append(out, m.sentence(m.task.Warning, m.look.amber, m.set.warn)...)
	}
	if m.facts.Gone && m.win.loaded && !m.narrow() {
		out = append(out, m.sentence("The output file is gone from the disk; what is shown comes from the file that is still open.", m.look.dim, m.set.warn)...)
	}
	return out
}

func (m *Model) troubleWords() string {
	if m.facts.Trouble != "" {
		return m.facts.Trouble
	}
	return m.task.Trouble
}

func (m *Model) withNote(out []strip, s string) []strip {
	if s == "" {
		return out
	}
	return append(out, m.sentence(s, m.look.dim, "")...)
}

func (m *Model) heldPorts(p []int) string {
	if len(p) == 0 {
		return ""
	}
	return m.set.dot + ports(p) + " still taken"
}

// sentence is a text over as many lines as it needs.
func (m *Model) sentence(s, look, dot string) []strip {
	var out []strip
	for i, line := range flow(m.set.say(word(s)), max(m.w-5, 8), m.width) {
		st := strip{text: line, look: look}
		if i == 0 && dot != "" {
			st.dot, st.dotLook = dot, look
		}
		out = append(out, st)
	}
	return out
}

// atMost cuts to n lines and marks the cut.
func (m *Model) atMost(n int, ss []strip) []strip {
	if len(ss) <= n {
		return ss
	}
	ss[n-1].text += m.set.more
	return ss[:n]
}

// withKeys puts the keys at the right end of the last line, or on a line of
// their own where they do not fit.
func (m *Model) withKeys(out []strip, keys []piece) []strip {
	if len(keys) == 0 || len(out) == 0 {
		return out
	}
	last := &out[len(out)-1]
	if 6+cells(last.text, m.width)+m.piecesCells(keys) <= m.w {
		last.keys = keys
		return out
	}
	if m.stopOf().Phase == StopDone {
		return out
	}
	return append(out, strip{keys: keys})
}

// stripLines draws the strips from line y on, at most n of them. A line of keys
// is never the one that is left out.
func (m *Model) stripLines(y, n int, ss []strip) []string {
	if len(ss) > n {
		ss = keepKeys(ss, n)
	}
	var lines []string
	for i, s := range ss {
		left := []piece{{text: s.dot, look: s.dotLook, gap: 2}, {text: s.text, look: s.look, flex: true, gap: 1}}
		if s.dot == "" {
			left = []piece{{text: s.text, look: s.look, flex: true, gap: 4}}
		}
		if s.text == "" {
			left, s.keys = append([]piece{{gap: 2}}, s.keys...), nil
		}
		lines = append(lines, m.bar(y+i, left, s.keys))
	}
	return lines
}

// keepKeys cuts to n strips and keeps the first line and that of the keys.
func keepKeys(ss []strip, n int) []strip {
	for i := n; i < len(ss) && n > 1; i++ {
		if len(ss[i].keys) > 0 {
			return append(append([]strip{}, ss[:n-1]...), ss[i])
		}
	}
	return ss[:n]
}

// tree draws processes in tree order on one line: "npm 1 ─ node 2 ─ esbuild 3".
func (m *Model) tree(ps []task.Process) string {
	var b strings.Builder
	for i, p := range ps {
		switch {
		case i == 0:
		case p.Depth > ps[i-1].Depth:
			b.WriteString(m.set.join)
		default:
			b.WriteString(", ")
		}
		b.WriteString(word(p.Name()))
	}
	return b.String()
}

func (m *Model) spared(ps []task.Process) string {
	var parts []string
	for _, p := range ps {
		s := word(p.Name())
		if p.Why != "" {
			s += " (" + word(p.Why) + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func names(ps []task.Process) string {
	var parts []string
	for _, p := range ps {
		parts = append(parts, word(p.Name()))
	}
	return strings.Join(parts, ", ")
}

func ports(ps []int) string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = strconv.Itoa(p)
	}
	if len(ps) == 1 {
		return "port " + parts[0]
	}
	return "ports " + strings.Join(parts, ", ")
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d/time.Second)) + " s" }
