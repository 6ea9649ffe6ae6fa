package console

import (
	"strings"
	"unicode/utf8"

	"offstage/task"
)

// A search goes over the whole output: the root carries it out (Find) and brings
// what it found (SetFound). What is loaded is looked through here as well, as it
// is shown, so that hits in view are marked while the letters are typed. Rows
// come masked: a query can neither show nor confirm what is hidden.

// purpose is what the line in the footer is typed for.
type purpose int

const (
	forSearch purpose = iota
	forFilter
	forSave
	forAnswer
)

// search is the prompt, the query and what was found.
type search struct {
	typing bool
	what   purpose
	// text is being typed, as an expression or plain.
	text string
	expr bool
	// hidden: what is typed is not shown.
	hidden bool
	// bad is why the text is no expression.
	bad string

	// before is the query to go back to when typing is given up.
	before task.Query
	// query is what is looked for, match its matcher; rev changes with them.
	query task.Query
	match *task.Matcher
	rev   int
	// at is the hit that was jumped to.
	at   key
	some bool

	// seq numbers the searches of the root, found is its last news, hits all places
	// in order; foundRev changes with them. eager: go to the first that is known.
	seq      int
	found    task.Found
	told     bool
	hits     []task.Hit
	foundRev int
	eager    bool
	from     int64
	ticks    tickCache
}

// found caches in a row whether it has a hit of a query.
type found struct {
	rev int
	yes bool
}

const (
	// longestQuery bounds what can be typed or pasted.
	longestQuery = 200
	// mostMarks bounds the marked places in one row.
	mostMarks = 200
)

func (m *Model) searching() bool { return m.find.query.Text != "" && !m.find.typing }

// beginSearch opens the input in the footer.
func (m *Model) beginSearch() Action {
	if len(m.win.rows) == 0 && m.filter == nil {
		return Toast{"There is nothing to search yet"}
	}
	m.find.before = m.find.query
	m.prompt(forSearch, "", m.find.query.Regexp)
	return m.lookFor(task.Query{})
}

// longest bounds the open input, in bytes.
func (m *Model) longest() int {
	if m.find.what == forAnswer {
		return longestAnswer
	}
	return longestQuery
}

// prompt opens the input.
func (m *Model) prompt(what purpose, text string, expr bool) {
	m.find.typing, m.find.what, m.find.text, m.find.expr, m.find.bad, m.find.hidden = true, what, text, expr, "", false
}

// lookFor changes the query that is marked, and ends the search of the one before;
// rows look again when they are drawn.
func (m *Model) lookFor(q task.Query) Action {
	f := &m.find
	f.query, f.match, f.some, f.eager, f.bad = q, nil, false, false, ""
	f.rev++
	m.drawRev++
	was := f.seq
	f.seq, f.told, f.found, f.hits = 0, false, task.Found{}, nil
	f.foundRev++
	if q.Text != "" {
		match, err := task.NewMatcher(q)
		if err != nil {
			f.bad = err.Error()
		}
		f.match = match
	}
	if was != 0 {
		return EndFind{}
	}
	return nil
}

// typed takes a key while the input is open; all of them are used.
func (m *Model) typed(k string) Action {
	f := &m.find
	switch k {
	case "enter":
		return m.entered()
	case "esc":
		f.typing, f.bad = false, ""
		if f.what == forAnswer {
			f.text = ""
		}
		if f.what == forSearch {
			m.lookFor(f.before)
			return m.search()
		}
		return nil
	case "ctrl+r":
		f.expr = !f.expr && (f.what == forSearch || f.what == forFilter)
	case "tab":
		m.saveANSI = m.saveANSI != (f.what == forSave)
		f.hidden = f.hidden != (f.what == forAnswer)
		return nil
	case "backspace", "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(f.text)
		f.text = f.text[:len(f.text)-n]
	case "ctrl+u":
		f.text = ""
	case "space":
		f.text += " "
	default:
		if utf8.RuneCountInString(k) != 1 || len(f.text) >= m.longest() {
			return nil
		}
		f.text += word(k)
	}
	return m.retyped()
}

// retyped marks what is typed so far in what is loaded.
func (m *Model) retyped() Action {
	f := &m.find
	if f.what == forSave || f.what == forAnswer {
		return nil
	}
	q := task.Query{Text: f.text, Regexp: f.expr}
	if f.what == forFilter {
		q.Text = strings.TrimPrefix(q.Text, "!")
		f.bad = ""
		if _, err := task.NewMatcher(q); err != nil {
			f.bad = err.Error()
		}
		return nil
	}
	return m.lookFor(q)
}

// Paste takes text from the terminal's clipboard into an open input; false where
// none is open.
func (m *Model) Paste(text string) (Action, bool) {
	if !m.find.typing {
		return nil, false
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text = word(text); len(m.find.text)+len(text) <= m.longest() {
		m.find.text += text
	}
	a := m.retyped()
	m.measure()
	m.touch()
	return a, true
}

// entered begins what was typed. A text that is no expression stays, with why.
func (m *Model) entered() Action {
	f := &m.find
	if f.bad != "" {
		return nil
	}
	f.typing = false
	switch f.what {
	case forFilter:
		return m.setFilter(f.text, f.expr)
	case forSave:
		return m.save(f.text)
	case forAnswer:
		return m.answer()
	}
	a := m.search()
	f.eager = a != nil && !m.firstLoaded()
	return a
}

// search asks for the search of the query, from the reader outward.
func (m *Model) search() Action {
	f := &m.find
	if f.query.Text == "" {
		return nil
	}
	m.searches++
	f.seq, f.from = m.searches, m.byteAt(m.top())
	return Find{Query: f.query, From: f.from, Seq: f.seq}
}

// marked gives the stretches of a row's own text that match the search or, where
// there is none, the filter.
func (m *Model) marked(r *row) []segment {
	match := m.find.match
	if m.find.query.Text == "" && m.filter != nil && !m.filter.Out {
		match = m.filterMatch
	}
	if match == nil || r.role != output || r.own == 0 {
		return nil
	}
	var out []segment
	for _, at := range match.Find(r.text[:r.own], mostMarks) {
		out = append(out, segment{start: at[0], end: at[1]})
	}
	return out
}

// matches says whether a loaded row has a hit, cached in the row.
func (m *Model) matches(r *row) bool {
	if m.find.match == nil || r.role != output || r.line.Mark != task.NoMark {
		return false
	}
	if r.found.rev != m.find.rev {
		r.found = found{m.find.rev, m.find.match.Match(r.line.Text)}
	}
	return r.found.yes
}
