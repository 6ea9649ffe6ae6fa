package console

import (
	"strings"
	"time"

	"offstage/task"
)

// timeMode is what the time column shows.
type timeMode int

// timeAuto, the start, is the clock for steps of an agent, else off.
const (
	timeAuto timeMode = iota
	timeClock
	timeSince
	timeOff
)

func (m *Model) timeMode() timeMode {
	switch {
	case m.times != timeAuto:
		return m.times
	case m.task.Decoder != nil:
		return timeClock
	}
	return timeOff
}

// timeCells is the width of the time column with the space behind it.
const timeCells = 10

// drawRow gives one screen row of the output: time, gutter, text, badge; padded
// to the full width where a scrollbar stands behind it.
func (m *Model) drawRow(p pos) string {
	r := m.list[p.row]
	segs := m.segsOf(r)
	if p.seg >= len(segs) {
		return ""
	}
	if sel := m.selected(r); sel.start < sel.end {
		return m.renderRow(r, p.seg, sel)
	}
	k := drawKey{seg: r.segsFor, text: m.geo.text, bar: m.geo.bar, time: m.geo.time, column: m.column, look: m.drawRev}
	if r.drawn == nil || r.drawnFor != k {
		r.drawn, r.drawnFor = make([]string, len(segs)), k
	}
	if r.drawn[p.seg] == "" {
		r.drawn[p.seg] = m.renderRow(r, p.seg, segment{})
	}
	return r.drawn[p.seg]
}

func (m *Model) renderRow(r *row, n int, sel segment) string {
	var b strings.Builder
	b.Grow(len(r.text) + 64)
	if m.geo.time > 0 {
		b.WriteString(m.timeCell(r, n))
	}
	b.WriteString(m.gutter(r))
	used := m.renderText(&b, r, n, sel)
	badge := ""
	if n == 0 {
		badge = m.badge(r)
	}
	pad := m.geo.text - used - cells(badge, m.width)
	if pad > 0 && (badge != "" || m.geo.bar > 0) {
		b.WriteString(strings.Repeat(" ", pad))
	}
	b.WriteString(painted(m.look.dim, badge))
	return b.String()
}

// renderText writes the text of a screen row and gives its cells.
func (m *Model) renderText(b *strings.Builder, r *row, n int, sel segment) int {
	base := m.baseOf(r)
	if m.wrap {
		seg := r.segs[n]
		m.paint(b, r, seg, base, m.marksOf(r, sel), r.segsFor.width)
		return seg.cells
	}
	width := r.segsFor.width
	from, left := m.column, ""
	if r.role != output {
		from = 0
	}
	if from > 0 && r.text != "" {
		from, left, width = from+1, m.set.left, width-1
	}
	room := width
	seg, lead, _, behind := slide(r.text, from, room, m.width)
	if behind {
		room--
		seg, lead, _, _ = slide(r.text, from, room, m.width)
	}
	b.WriteString(painted(m.look.dim, left))
	b.WriteString(strings.Repeat(" ", lead))
	m.paint(b, r, seg, base, m.marksOf(r, sel), room)
	used := cells(left, m.width) + lead + seg.cells
	if behind {
		// A wide glyph may leave a blank before the mark at the edge.
		b.WriteString(strings.Repeat(" ", max(room-lead-seg.cells, 0)))
		b.WriteString(painted(m.look.dim, m.set.right))
		used = cells(left, m.width) + width
	}
	return used
}

// gutter is the margin of two cells; its bar marks the lines of a failing test.
func (m *Model) gutter(r *row) string {
	if r.line.Mark == task.NoMark && m.failing(&r.line) {
		return painted(m.look.bad, m.set.bar) + " "
	}
	return "  "
}

// timeCell is the time column of a screen row, right-aligned and dim.
func (m *Model) timeCell(r *row, n int) string {
	s, at := "", m.timeOf(r)
	switch {
	case n > 0 || r.role != output:
	case r.line.Aside != "":
		s = clip(word(r.line.Aside), timeCells-1, m.set.more, m.width)
	case at.IsZero():
	case m.timeMode() == timeClock:
		s = at.In(m.zone()).Format("15:04:05")
	case m.timeMode() == timeSince && !m.task.Started.IsZero():
		s = "+" + task.Clock(at.Sub(m.task.Started))
	}
	if s == "" {
		return strings.Repeat(" ", timeCells)
	}
	return strings.Repeat(" ", max(timeCells-1-cells(s, m.width), 0)) + painted(m.look.dim, s) + " "
}

func (m *Model) zone() *time.Location {
	if m.o.Zone != nil {
		return m.o.Zone
	}
	return time.Local
}

// hasTimes says whether any loaded row could fill the time column.
func (m *Model) hasTimes() bool {
	if m.task.Decoder == nil && len(m.came.list) > 0 && len(m.win.rows) > 0 {
		return true
	}
	for _, r := range m.win.rows {
		if !r.line.At.IsZero() || r.line.Aside != "" {
			return true
		}
	}
	return false
}

// bodyLines are the rows in view, exactly geo.body of them.
func (m *Model) bodyLines(out []string) []string {
	if m.blank() {
		return append(out, m.emptyLines(m.geo.body)...)
	}
	bar := m.scrollbar()
	p := m.top()
	for y := range m.geo.body {
		line := ""
		if p.row < len(m.list) {
			line = m.drawRow(p)
		} else if m.geo.bar > 0 && bar != nil {
			line = strings.Repeat(" ", m.w-m.geo.bar)
		}
		if bar != nil {
			line += " " + bar[y]
		}
		if m.geo.header == 0 && y == 0 && strings.HasPrefix(line, "  ") {
			// Without a header the state is the mark in column one.
			line = m.stateMark() + line[1:]
		}
		out = append(out, line)
		p = m.after(p)
	}
	return out
}

// after is the next screen row, one past the list at its end.
func (m *Model) after(p pos) pos {
	if p.row >= len(m.list) {
		return p
	}
	if p.seg+1 < len(m.segsOf(m.list[p.row])) {
		return pos{p.row, p.seg + 1}
	}
	return pos{p.row + 1, 0}
}

func (m *Model) stateMark() string {
	return painted(m.look.tone(task.StatusTone(m.task.Status)), m.set.glyph(m.task.Status))
}
