package console

import (
	"offstage/task"
)

// In a flood the newest bytes are shown and a mark stands for those that passed
// ("… 6.1 MB passed …"). It can be scrolled: a reader who comes to it gets the rows
// behind it, from the side the reader comes from, and a smaller mark stays.

// passedIn gives the mark that is in view while the reader scrolls, −1 for none.
func (m *Model) passedIn() int {
	if m.follow || m.win.filter != nil || m.filter != nil {
		return -1
	}
	first, last := m.span()
	for i := first; i <= min(last, len(m.win.rows)-1); i++ {
		if m.win.rows[i].line.Mark == task.MarkPassed {
			return i
		}
	}
	return -1
}

// passedRequest asks for rows in the place of a mark: those next to where the
// reader comes from.
func (m *Model) passedRequest(i int) (task.PageRequest, bool) {
	l := &m.win.rows[i].line
	at := stamp{size: l.Offset, arrived: l.End, gen: m.gen}
	if at == m.passTried || l.End <= l.Offset {
		return task.PageRequest{}, false
	}
	m.passTried = at
	if m.upward {
		return task.PageRequest{At: l.End, Before: aheadRows}, true
	}
	return task.PageRequest{At: l.Offset, After: aheadRows}, true
}

// standing is a row of the output and the line of the view that it stands at.
type standing struct {
	key key
	y   int
	ok  bool
}

// belowMark is the row under a mark that a page fills from below: what the reader
// looks at, who came up to it. It is to stay at its line.
func (m *Model) belowMark(p task.Page) (s standing) {
	i := m.passedIn()
	if !m.upward || i < 0 || i+1 >= len(m.win.rows) {
		return s
	}
	if l := &m.win.rows[i].line; p.End < l.End || p.Start >= l.End {
		return s
	}
	s.key = m.win.rows[i+1].key()
	at, to := m.top(), m.posOf(anchor{key: s.key})
	for ; at != to && s.y < m.geo.body; s.y++ {
		at = m.after(at)
	}
	s.ok = at == to
	return s
}

// stand puts a row back to its line.
func (m *Model) stand(s standing) {
	if s.ok {
		m.anchor = m.anchorOf(m.step(m.posOf(anchor{key: s.key}), -s.y))
	}
}

// passedLeft are the marks for what a page leaves out of the mark r: before it and
// behind it, each with the words for its own size.
func passedLeft(r *row, p task.Page, g glyphs) (before, behind *row) {
	l := r.line
	if l.Mark != task.MarkPassed || p.End <= l.Offset || p.Start >= l.End {
		return nil, nil
	}
	if p.Start > l.Offset {
		before = passedRow(l, l.Offset, p.Start, g)
	}
	if p.End < l.End {
		behind = passedRow(l, p.End, l.End, g)
	}
	return before, behind
}

func passedRow(l task.Line, from, to int64, g glyphs) *row {
	l.Offset, l.End, l.Text = from, to, "… "+task.Size(to-from)+" passed …"
	return newRow(l, g)
}
