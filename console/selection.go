package console

import (
	"strings"

	"offstage/task"
)

// point is one cell of the output: the bytes [from, to) of a row's text.
type point struct {
	key      key
	from, to int
}

// selection is text between two points, both included. It is kept by offset, so
// it stays on its text whatever arrives. In lines mode it is whole rows.
type selection struct {
	on, lines, dragging bool
	a, b                point
}

// ordered gives the points in the order of the text.
func (s selection) ordered() (lo, hi point) {
	if s.b.key.less(s.a.key) || s.a.key == s.b.key && s.b.from < s.a.from {
		return s.b, s.a
	}
	return s.a, s.b
}

// selected is the stretch of a row's text that is selected.
func (m *Model) selected(r *row) segment {
	if !m.sel.on || r.role != output || r.line.Mark != task.NoMark {
		return segment{}
	}
	lo, hi := m.sel.ordered()
	k := r.key()
	if k.less(lo.key) || hi.key.less(k) {
		return segment{}
	}
	seg := segment{end: len(r.text)}
	if !m.sel.lines {
		if k == lo.key {
			seg.start = min(lo.from, len(r.text))
		}
		if k == hi.key {
			seg.end = min(hi.to, len(r.text))
		}
	}
	return seg
}

// selectedRows counts the rows of the output in the selection.
func (m *Model) selectedRows() int {
	n := 0
	for _, r := range m.selectedOutput() {
		if r.line.Mark == task.NoMark {
			n++
		}
	}
	return n
}

// selectedOutput are the loaded rows from the first point to the last.
func (m *Model) selectedOutput() []*row {
	lo, hi := m.sel.ordered()
	from := find(m.shown, lo.key)
	if from < 0 || m.shown[from].key() != lo.key {
		from++
	}
	return m.shown[from:max(find(m.shown, hi.key)+1, from)]
}

// copySelection gives the selected text, without marks of ours, without what
// stands behind a cut, and a folded run once.
func (m *Model) copySelection() Action {
	var c Copy
	var b strings.Builder
	for _, r := range m.selectedOutput() {
		if r.line.Mark != task.NoMark || r.detail && m.sel.lines {
			continue
		}
		seg := m.selected(r)
		if c.Rows > 0 {
			b.WriteByte('\n')
		}
		c.Rows++
		c.Redacted += r.line.Redacted
		if seg.start == 0 && seg.end >= r.own {
			b.WriteString(r.written())
		} else {
			b.WriteString(r.text[min(seg.start, r.own):min(seg.end, r.own)])
		}
	}
	if c.Text = b.String(); strings.TrimSpace(c.Text) == "" {
		return Toast{"There is nothing to copy here"}
	}
	return c
}

// copyRows gives whole rows.
func copyRows(rows []*row) Action {
	var c Copy
	var lines []string
	for _, r := range rows {
		if r.role == output && r.line.Mark == task.NoMark {
			lines = append(lines, r.written())
			c.Redacted += r.line.Redacted
		}
	}
	c.Text, c.Rows = strings.Join(lines, "\n"), len(lines)
	if strings.TrimSpace(c.Text) == "" {
		return Toast{"There is nothing to copy here"}
	}
	return c
}

// written is the text of a row as the task wrote it, however it is shown.
func (r *row) written() string {
	if r.form == formWhole {
		return r.text[:r.own]
	}
	return r.line.Text
}

// copyHere copies the selection, else the row the reader is at.
func (m *Model) copyHere() Action {
	if m.sel.on {
		a := m.copySelection()
		m.unselect()
		return a
	}
	if r := m.here(); r != nil {
		return copyRows([]*row{r})
	}
	return Toast{"There is nothing to copy yet"}
}

// copyBlock copies the rows in view.
func (m *Model) copyBlock() Action { return copyRows(m.inView()) }

// inView are the rows that the body shows, whole.
func (m *Model) inView() []*row {
	p := m.top()
	e := m.step(p, m.geo.body-1)
	if len(m.list) == 0 {
		return nil
	}
	return m.list[p.row : e.row+1]
}

// here is the row that a key acts on: the one clicked last while it is in view,
// else the last that says something while following, else the first in view.
func (m *Model) here() *row {
	rows := m.inView()
	var first, last *row
	for _, r := range rows {
		if r.role != output || r.line.Mark != task.NoMark {
			continue
		}
		if r.key() == m.cursor {
			return r
		}
		if strings.TrimSpace(r.line.Text) != "" {
			last = r
			if first == nil {
				first = r
			}
		}
	}
	if m.follow {
		return last
	}
	return first
}

// selectLines begins or leaves the mode in which j and k take up whole rows.
func (m *Model) selectLines() Action {
	if m.sel.lines {
		m.unselect()
		return nil
	}
	r := m.here()
	if r == nil {
		return Toast{"There is nothing to select yet"}
	}
	m.setFollow(false)
	p := point{key: r.key(), to: len(r.text)}
	m.sel = selection{on: true, lines: true, a: p, b: p}
	return nil
}

// unselect leaves the selection; the row it ended at is where the reader is.
func (m *Model) unselect() {
	m.cursor = m.sel.b.key
	m.sel = selection{}
}

// extend moves the free end of a selection of lines by n rows and keeps it in
// view.
func (m *Model) extend(n int) {
	i := find(m.list, m.sel.b.key) + n
	i = min(max(i, m.earlier()), m.earlier()+len(m.shown)-1)
	if i < 0 || i >= len(m.list) {
		return
	}
	m.sel.b = point{key: m.list[i].key(), to: len(m.list[i].text)}
	top := m.top()
	bottom := m.step(top, m.geo.body-1)
	switch {
	case i < top.row || i == top.row && top.seg > 0:
		m.anchor = m.anchorOf(pos{i, 0})
	case i >= bottom.row:
		end := pos{i, len(m.segsOf(m.list[i])) - 1}
		m.anchor = m.anchorOf(m.step(end, -(m.geo.body - 1)))
	}
	m.touch()
}
