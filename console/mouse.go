package console

import (
	"strings"

	"offstage/task"
)

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3

// Mouse handles an event at a cell of the component; the bool says it was used.
func (m *Model) Mouse(ev MouseEvent) (Action, bool) {
	if m.task.ID == "" || ev.Kind != MouseDrag && ev.Kind != MouseRelease && (ev.X < 0 || ev.Y < 0 || ev.X >= m.w || ev.Y >= m.h) {
		return nil, false
	}
	m.View()
	a, used := m.mouse(ev)
	if used {
		m.measure()
		m.touch()
	}
	return a, used
}

func (m *Model) mouse(ev MouseEvent) (Action, bool) {
	switch ev.Kind {
	case WheelUp:
		m.scroll(-wheelRows * max(ev.Notches, 1))
		return nil, true
	case WheelDown:
		m.scroll(wheelRows * max(ev.Notches, 1))
		return nil, true
	case MousePress:
		if ev.Button != LeftButton {
			return nil, false
		}
		m.note, m.armed, m.arming = "", m.arming, false
		return m.press(ev)
	case MouseDrag:
		return m.drag(ev)
	}
	return m.release()
}

// press acts on the chrome at once; in the body it begins a selection.
func (m *Model) press(ev MouseEvent) (Action, bool) {
	for _, z := range m.zones {
		if z.y == ev.Y && ev.X >= z.x0 && ev.X < z.x1 {
			return m.clicked(z.hit), true
		}
	}
	y := ev.Y - m.bodyY()
	if y < 0 || y >= m.geo.body {
		return nil, false
	}
	if m.geo.bar > 0 && ev.X >= m.w-m.geo.bar {
		return m.pressBar(y), true
	}
	p, ok := m.rowAt(y)
	if !ok {
		m.sel = selection{}
		return nil, true
	}
	if m.list[p.row].role == earlierRow {
		return m.loadEarlier(), true
	}
	if ev.Clicks < 2 && m.onFold(p, ev.X) {
		m.cursor = m.list[p.row].key()
		return m.unfold(), true
	}
	m.pressText(p, ev)
	return nil, true
}

// onFold says whether a column is on the badge of a row that says what is folded
// in it, or on the words about what was cut from it.
func (m *Model) onFold(p pos, x int) bool {
	r := m.list[p.row]
	if r.role != output || r.line.Mark != task.NoMark || r.similar == 0 && r.line.Repeat < 2 && r.fields == 0 && r.line.Cut == 0 {
		return false
	}
	if b := m.badge(r); b != "" && p.seg == 0 {
		end := m.w - m.geo.bar
		return x >= end-cells(b, m.width) && x < end
	}
	at := m.pointAt(p, x)
	return r.line.Cut > 0 && at.from >= r.own && at.to > at.from
}

func (m *Model) pressText(p pos, ev MouseEvent) {
	r := m.list[p.row]
	m.cursor = r.key()
	at := m.pointAt(p, ev.X)
	m.cursorByte = at.from
	m.sel = selection{dragging: true, a: at, b: at}
	switch ev.Clicks {
	case 0, 1:
	case 2:
		w := wordAt(r, at)
		m.sel.on, m.sel.a, m.sel.b = w.from < w.to, w, w
	default:
		line := point{key: r.key(), to: len(r.text)}
		m.sel.on, m.sel.a, m.sel.b = true, line, line
	}
}

// clicked carries out what a place of the chrome stands for.
func (m *Model) clicked(h hit) Action {
	switch h {
	case hitClose:
		return Close{}
	case hitFailure:
		return m.firstFailure()
	case hitStop:
		return m.askStop()
	case hitEarlier:
		return m.loadEarlier()
	case hitEnd:
		m.goEnd()
	case hitConfirm:
		return m.confirmStop()
	case hitKill:
		return m.killNow()
	case hitKeep, hitDismiss:
		return CancelStop{}
	case hitAnswer:
		return m.beginAnswer()
	case hitFreeze:
		return m.freeze()
	case hitTrim:
		return m.trim()
	}
	return nil
}

// pressBar pages on the track and takes hold of the thumb.
func (m *Model) pressBar(y int) Action {
	from, n, ok := m.thumb()
	switch {
	case !ok:
	case y < from:
		m.scroll(-m.page())
	case y >= from+n:
		m.scroll(m.page())
	default:
		m.grab = true
	}
	return nil
}

// drag moves the thumb, or the end of the selection; over the edges of the body
// it scrolls.
func (m *Model) drag(ev MouseEvent) (Action, bool) {
	y := ev.Y - m.bodyY()
	if m.grab {
		m.toShare(float64(y) / float64(max(m.geo.body-1, 1)))
		return nil, true
	}
	if !m.sel.dragging {
		return nil, false
	}
	// Text that is being selected holds still.
	m.setFollow(false)
	switch {
	case y < 0:
		m.scroll(-1)
	case y >= m.geo.body:
		m.scroll(1)
	}
	p, ok := m.rowAt(min(max(y, 0), m.geo.body-1))
	if !ok {
		return nil, true
	}
	m.sel.b, m.sel.on = m.pointAt(p, ev.X), true
	return nil, true
}

// release ends a drag; what was selected is copied, unless it is a slip of one
// cell (which never writes the clipboard).
func (m *Model) release() (Action, bool) {
	if m.grab {
		m.grab = false
		return nil, true
	}
	if !m.sel.dragging {
		return nil, false
	}
	m.sel.dragging = false
	lo, hi := m.sel.ordered()
	if !m.sel.on || lo.key == hi.key && m.cellsOf(lo.key, lo.from, hi.to) < 2 {
		m.sel = selection{}
		return nil, true
	}
	if m.o.NoCopyOnSelect {
		return nil, true
	}
	return m.copySelection(), true
}

func (m *Model) cellsOf(k key, from, to int) int {
	i := find(m.list, k)
	if i < 0 || from >= to || to > len(m.list[i].text) {
		return 0
	}
	return cells(m.list[i].text[from:to], m.width)
}

// rowAt is the row at line y of the body; false below the last.
func (m *Model) rowAt(y int) (pos, bool) {
	p := m.top()
	for ; y > 0; y-- {
		p = m.after(p)
	}
	return p, p.row < len(m.list)
}

// pointAt is the cell of the output under column x.
func (m *Model) pointAt(p pos, x int) point {
	r := m.list[p.row]
	at := point{key: r.key()}
	col := x - m.geo.time - 2
	i, end := 0, len(r.text)
	if segs := m.segsOf(r); m.wrap && p.seg < len(segs) {
		i, end = segs[p.seg].start, segs[p.seg].end
	} else {
		col += m.column
	}
	at.from, at.to = i, i
	for i < end {
		n, w := next(r.text, i, m.width)
		if col < w {
			if col >= 0 {
				at.from, at.to = i, i+n
			}
			return at
		}
		i, col = i+n, col-w
		at.from, at.to = i, i
	}
	return at
}

// wordAt widens a cell to the word under it; paths and addresses are one word.
func wordAt(r *row, at point) point {
	const ends = " \t\"'`<>()[]{}|,;"
	isEnd := func(b byte) bool { return strings.IndexByte(ends, b) >= 0 }
	from, to := at.from, at.to
	if from >= to || isEnd(r.text[from]) {
		return at
	}
	for from > 0 && !isEnd(r.text[from-1]) {
		from--
	}
	for to < len(r.text) && !isEnd(r.text[to]) {
		to++
	}
	return point{key: at.key, from: from, to: to}
}
