package console

import (
	"strconv"
	"strings"

	"offstage/task"
)

// footer is the last line: where the reader stands at the left, how much there
// is at the right.
func (m *Model) footer(y int) string {
	right := m.footRight()
	if !m.narrow() {
		right = append(right, piece{gap: 1})
	}
	return m.bar(y, m.footLeft(), right)
}

func (m *Model) footLeft() []piece {
	switch {
	case m.find.typing:
		return m.promptPieces()
	case m.sel.lines:
		n := m.selectedRows()
		return []piece{
			{text: "select" + m.set.dot + count(int64(n)) + plural(n, " line", " lines"), look: m.look.accent, gap: 2},
			{text: m.keyFor("console.copy") + " copy", look: m.look.text, rank: 3, gap: 3},
			{text: "esc leave", look: m.look.dim, rank: 4, gap: 2},
		}
	case m.find.query.Text != "" && (m.goal.kind == noGoal || m.goal.kind == goalHit) && m.note == "":
		return m.searchPieces()
	case m.note != "":
		return []piece{{text: m.note, look: m.look.amber, flex: true, gap: 2}}
	case m.filter != nil:
		return m.filterPieces()
	case !m.win.loaded:
		return nil
	case m.goal.kind == goalEnd:
		return []piece{{text: "going to the end" + m.set.more, look: m.look.dim, gap: 2}}
	case m.goal.kind == goalLine:
		return []piece{{text: "going to line " + count(m.goal.line) + m.set.more, look: m.look.dim, gap: 2}}
	case m.goal.kind == goalHome:
		return []piece{{text: "going to the start" + m.set.more, look: m.look.dim, gap: 2}}
	case !m.follow && !(m.ended() && m.endInView()):
		return m.jumpPieces()
	case m.ended():
		return []piece{{text: "end of output", look: m.look.dim, gap: 2}}
	}
	return []piece{{text: m.set.follow + " following", look: m.look.good, gap: 2}}
}

// jumpPieces are the way back to the end, with what came since (B3).
func (m *Model) jumpPieces() []piece {
	ps := []piece{{text: strings.TrimSpace("Jump to end " + m.set.down), look: m.look.link, hit: hitEnd, gap: 2}}
	if n := m.facts.Arrived - m.seenLines; n > 0 {
		ps = append(ps, piece{text: m.set.dot + count(n) + plural(int(min(n, 2)), " new line", " new lines"), look: m.look.link, hit: hitEnd, rank: 1})
	}
	if i := m.fails.at; i >= 0 && i < len(m.fails.list) {
		ps = append(ps, piece{text: "failure " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(m.fails.list)), look: m.look.bad, rank: 4, gap: 3})
	}
	return ps
}

func (m *Model) footRight() []piece {
	var ps []piece
	if !m.wrap {
		s := "no wrap"
		if m.column > 0 {
			s += m.set.dot + "column " + strconv.Itoa(m.column+1)
		}
		ps = append(ps, piece{text: s, look: m.look.dim, rank: 6, gap: 2})
	}
	if !m.follow && m.win.loaded {
		if n := m.topNumber(); n > 0 {
			ps = append(ps, piece{text: m.ofLines(n), look: m.look.dim, rank: 3, gap: 2})
		} else if size := max(m.facts.Size, m.win.end); size > 0 {
			share := int(m.byteAt(m.top()) * 100 / size)
			ps = append(ps, piece{text: strconv.Itoa(share) + " %", look: m.look.dim, rank: 3, gap: 2})
		}
	}
	return append(ps, m.sizePieces(m.follow)...)
}

// sizePieces are bytes, lines and, while it grows, the rate.
func (m *Model) sizePieces(lines bool) []piece {
	f := m.facts
	var ps []piece
	if f.Rate >= 1000 && !m.task.Status.Ended() {
		ps = append(ps, piece{text: "+" + task.Size(int64(f.Rate)) + "/s", look: m.look.dim, rank: 7, gap: 2})
	}
	size := max(f.Size, m.task.Output.Bytes)
	if size > 0 {
		ps = append(ps, piece{text: task.Size(size), look: m.look.dim, rank: 4, gap: 2})
	}
	if lines && f.Lines > 0 {
		ps = append(ps, piece{text: m.lineCount(), look: m.look.dim, rank: 5, gap: 2})
	}
	return ps
}

// ofLines is where the reader stands among the lines: "line 7 of 1,204".
func (m *Model) ofLines(n int64) string {
	if !m.facts.LinesKnown {
		return "line " + count(n) + " of " + m.lineCount()
	}
	return "line " + count(n) + " of " + count(m.facts.Lines)
}

// lineCount is the number of lines; while not all are counted about how many, and
// the share that was: "≈ 12.3 M lines, 41 %".
func (m *Model) lineCount() string {
	f := m.facts
	if f.LinesKnown {
		return count(f.Lines) + plural(int(min(f.Lines, 2)), " line", " lines")
	}
	n := f.Lines
	if f.Counted > 0.01 && f.Counted < 1 {
		n = int64(float64(n) / f.Counted)
	}
	return m.set.about + " " + roughly(n) + " lines, " + strconv.Itoa(int(f.Counted*100)) + " %"
}

// roughly is a number to three digits: "12.3 M".
func roughly(n int64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e4, " k"}} {
		if x := float64(n); x >= u.of {
			per := u.of
			if u.name == " k" {
				per = 1e3
			}
			digits := 0
			if x/per < 100 {
				digits = 1
			}
			return strconv.FormatFloat(x/per, 'f', digits, 64) + u.name
		}
	}
	return count(n)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
