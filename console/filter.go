package console

import (
	"strings"

	"offstage/task"
)

// A filter shows only the rows that match, or only those that do not. The pages
// of it are made where the output is read (task.PageRequest.Filter); here it is
// one more thing that a page must agree with. The reader stays at the place in
// the text, whether it is set, changed or lifted, and no toggle touches it.

// beginFilter opens the input with the filter as it is.
func (m *Model) beginFilter() Action {
	if !m.win.loaded {
		return Toast{"There is nothing to filter yet"}
	}
	text, expr := "", false
	if f := m.filter; f != nil {
		text, expr = f.Query.Text, f.Query.Regexp
		if f.Out {
			text = "!" + text
		}
	}
	m.prompt(forFilter, text, expr)
	return nil
}

// setFilter takes what was typed; nothing lifts the filter.
func (m *Model) setFilter(text string, expr bool) Action {
	out := strings.HasPrefix(text, "!")
	text = strings.TrimPrefix(text, "!")
	if text == "" {
		m.lift()
		return nil
	}
	f := &task.Filter{Query: task.Query{Text: text, Regexp: expr}, Out: out}
	if m.filter != nil {
		f.Context = m.filter.Context
	}
	m.useFilter(f)
	return nil
}

func (m *Model) lift() { m.useFilter(nil) }

// useFilter asks for the rows around the reader's place anew; until they come
// the old ones stay.
func (m *Model) useFilter(f *task.Filter) {
	m.filter, m.filterMatch = f, nil
	if f != nil {
		m.filterMatch, _ = task.NewMatcher(f.Query) // the prompt took it, so it is one
	}
	m.drawRev++
	m.sel = selection{}
	m.startTried, m.endTried, m.flight = -1, -1, flight{}
	m.goal = goal{kind: goalEnd}
	if !m.follow {
		m.goal = goal{kind: goalOffset, at: max(m.byteAt(m.top()), 0)}
	}
	m.touch()
}

func (m *Model) filtering() bool { return m.filter != nil }

// widen shows n rows more around each match.
func (m *Model) widen(n int) {
	const most = 20
	f := *m.filter
	if f.Context = min(max(f.Context+n, 0), most); f.Context != m.filter.Context {
		m.useFilter(&f)
	}
}

// filterWords name the filter: "only /cart/ ±2", "without /GET/".
func (m *Model) filterWords() string {
	f := m.filter
	words := "only "
	if f.Out {
		words = "without "
	}
	words += "&" + f.Query.Text
	if f.Query.Regexp {
		words += " (regexp)"
	}
	if f.Context > 0 {
		words += " " + m.set.around + count(int64(f.Context))
	}
	return words
}

// filterPieces are the footer while a filter is on and nothing is searched for.
func (m *Model) filterPieces() []piece {
	ps := []piece{{text: m.filterWords(), look: m.look.accent, flex: true, gap: 2}}
	if s := m.filterProgress(); s != "" {
		ps = append(ps, piece{text: m.set.dot + s, look: m.look.dim, rank: 2})
	}
	ps = append(ps, piece{text: "esc all lines", look: m.look.dim, rank: 7, gap: 3})
	return append(ps, m.backPieces()...)
}

// filterProgress says which part of the output was looked at for rows so far,
// while the view has less rows than it has room for.
func (m *Model) filterProgress() string {
	w := &m.win
	size := max(m.facts.Size, w.end)
	if w.filter != m.filter {
		return "looking" + m.set.more
	}
	if w.top && w.bottom || size <= 0 || len(w.rows) >= m.geo.body {
		return ""
	}
	return count((w.end-w.start)*100/size) + " % looked through"
}
