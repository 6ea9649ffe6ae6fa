package console

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// search looks through the rows that are loaded, as they are shown: a query can
// neither show nor confirm what is masked. It never claims more than that: the
// footer says that it is the loaded lines that were looked through.
type search struct {
	typing bool
	// query is what is looked for; a capital in it makes case count.
	query string
	// before is the query to go back to when typing is given up.
	before string
	rev    int
	// at is the hit that was jumped to.
	at   key
	some bool
}

// found caches in a row whether it has a hit of a query.
type found struct {
	rev int
	yes bool
}

func (m *Model) searching() bool { return m.find.query != "" && !m.find.typing }

// beginSearch opens the input in the footer.
func (m *Model) beginSearch() Action {
	if len(m.win.rows) == 0 {
		return Toast{"There is nothing to search yet"}
	}
	m.find.typing, m.find.before = true, m.find.query
	m.ask("")
	return nil
}

// ask changes the query; rows look again when they are drawn or counted.
func (m *Model) ask(q string) {
	m.find.query, m.find.some = q, false
	m.find.rev++
	m.drawRev++
}

// typed takes a key while the input is open; all of them are used.
func (m *Model) typed(k string) Action {
	q := m.find.query
	switch k {
	case "enter":
		m.find.typing = false
		if q == "" {
			return nil
		}
		return m.firstHit()
	case "esc":
		m.find.typing = false
		m.ask(m.find.before)
	case "backspace", "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(q)
		m.ask(q[:len(q)-n])
	case "ctrl+u":
		m.ask("")
	case "space":
		m.ask(q + " ")
	default:
		if utf8.RuneCountInString(k) == 1 && len(q) < 200 {
			m.ask(q + word(k))
		}
	}
	return nil
}

// hits gives the stretches of a row's own text that match.
func (m *Model) hits(r *row) []segment {
	if m.find.query == "" || r.role != output || r.own == 0 {
		return nil
	}
	text, q := fold(r.text[:r.own], m.find.query)
	var out []segment
	for at := 0; ; {
		i := strings.Index(text[at:], q)
		if i < 0 {
			return out
		}
		out = append(out, segment{start: at + i, end: at + i + len(q)})
		at += i + len(q)
	}
}

// fold makes ASCII letters lower-case in both where the query has no capital.
// Bytes keep their places.
func fold(text, q string) (string, string) {
	if strings.IndexFunc(q, unicode.IsUpper) >= 0 {
		return text, q
	}
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b), q
}

// matches is hits without the places, cached in the row.
func (m *Model) matches(r *row) bool {
	if r.found.rev != m.find.rev {
		r.found = found{m.find.rev, len(m.hits(r)) > 0}
	}
	return r.found.yes
}

// tally counts the rows with a hit and which of them was jumped to, from 1.
func (m *Model) tally() (at, of int) {
	for _, r := range m.win.rows {
		if m.matches(r) {
			of++
			if m.find.some && r.key() == m.find.at {
				at = of
			}
		}
	}
	return at, of
}

// firstHit goes to the first hit in or below the view, else to the last above.
func (m *Model) firstHit() Action {
	top := m.top().row
	if a := m.seekHit(top, 1); a == nil {
		return nil
	}
	return m.seekHit(top, -1)
}

// nextHit goes to the hit after or before the one that was jumped to.
func (m *Model) nextHit(step int) Action {
	from := m.top().row
	if m.find.some {
		from = find(m.list, m.find.at) + step
	}
	return m.seekHit(from, step)
}

// seekHit goes to the first row with a hit from a row of the list on; where
// there is none it says how far it looked.
func (m *Model) seekHit(from, step int) Action {
	for i := from; i >= 0 && i < len(m.list); i += step {
		r := m.list[i]
		if !m.matches(r) {
			continue
		}
		m.find.at, m.find.some, m.cursor = r.key(), true, r.key()
		if !m.rowInView(i) {
			m.show(r.key(), m.geo.body/3)
		} else {
			m.setFollow(false)
		}
		return nil
	}
	switch {
	case step < 0 && !m.win.top && !m.win.lost:
		return Toast{"No hit further up in what is loaded; " + m.keyFor("console.earlier") + " loads earlier lines"}
	case step < 0:
		return Toast{"No hit further up"}
	case !m.win.bottom:
		return Toast{"No hit further down in what is loaded"}
	}
	return Toast{"No hit further down"}
}

// rowInView says whether a whole row of the list is on the screen.
func (m *Model) rowInView(i int) bool {
	p := m.top()
	e := m.step(p, m.geo.body-1)
	return i > p.row && i < e.row || i == p.row && p.seg == 0 && e.row > i || i == e.row && i > p.row
}

// searchPieces are the footer while a search is on.
func (m *Model) searchPieces() []piece {
	at, of := m.tally()
	text := "/" + m.find.query
	if m.find.typing {
		text += m.set.caret
	}
	where := " in the " + count(int64(len(m.win.rows))) + " loaded lines"
	if m.win.top && m.win.bottom {
		where = ""
	}
	n := count(int64(of)) + plural(of, " hit", " hits")
	if at > 0 {
		n = count(int64(at)) + " of " + count(int64(of))
	}
	ps := []piece{{text: text, look: m.look.accent, flex: true, gap: 2}}
	if m.find.query != "" {
		ps = append(ps, piece{text: n, look: m.look.text, gap: 2}, piece{text: where, look: m.look.dim, rank: 1})
	}
	if !m.follow && !m.find.typing {
		jump := m.jumpPieces()
		for i := range jump {
			jump[i].rank += 2
		}
		jump[0].gap = 3
		ps = append(ps, jump...)
	}
	return ps
}
