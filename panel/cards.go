package panel

import (
	"strconv"
	"strings"

	"offstage/task"
)

// Preview cards (A8) are the first rows of the list: an address that a task serves,
// whose it is, and whether it is up. Enter, o and a click open it in a browser.

// SetLinks says whether the terminal takes links (OSC 8).
func (m *Model) SetLinks(on bool) {
	if on != m.links {
		m.links = on
		m.touch()
	}
}

// cards are the rows of the preview cards that the filter leaves.
func (m *Model) cards() []item {
	var out []item
	for _, p := range m.snap.Previews {
		if !hasWords(strings.Join([]string{p.Label, p.URL, p.Owner, p.State.Words()}, "\n"), m.filter) {
			continue
		}
		it := item{kind: cardRow, id: "preview " + p.Task + " " + strconv.Itoa(p.Port), card: p, session: task.Session{ID: p.Session}}
		for _, s := range m.snap.Sessions {
			if s.ID == p.Session {
				it.session = s
			}
		}
		out = append(out, it)
	}
	return out
}

// preview is the card under the cursor.
func (m *Model) preview() (task.Preview, bool) {
	for _, it := range m.items {
		if it.id == m.sel && it.kind == cardRow {
			return it.card, true
		}
	}
	return task.Preview{}, false
}

func openCard(p task.Preview) Action { return OpenURL{Task: p.Task, URL: p.URL} }

// cardLine paints a card: its label, its address as a link, its owner, its state.
func (m *Model) cardLine(i int, c columns) painted {
	it := m.items[i]
	p, st := it.card, m.o.Styles
	focused := it.id == m.sel
	l := m.gutter(it, focused)
	l.add(st.Tone(p.State.Tone()), "↗").add("", " ")
	state := p.State.Words()
	if c.narrow && p.State == task.PreviewTaken {
		state = "taken" // the row below says it in full
	}
	right := m.w - 1 - Width(state)
	label, owner := Clean(p.Label), Clean(p.Owner)
	if c.narrow {
		label, owner = "", ""
	}
	if label != "" {
		tp := st.Text
		if focused && m.focus {
			tp = st.Strong
		}
		l.add(tp, Cut(label, c.cards)).to(3 + c.cards + 2)
	}
	m.link(l, p.URL, right-2-l.w)
	if room := right - 4 - l.w; owner != "" && room >= 8 {
		l.to(l.w+2).add(st.Dim, Cut(owner, room))
	}
	l.to(right).add(st.Tone(p.State.Tone()), state)
	l.zones = append(l.zones, zone{from: 0, to: m.w, what: hitURL})
	return l.done(i)
}

// link paints an address within room cells; where the terminal takes links it is one,
// without its query.
func (m *Model) link(l *line, url string, room int) {
	text := Cut(Clean(url), max(room, 1))
	target := ""
	if m.links {
		target = task.LinkTarget(url)
	}
	if target == "" {
		l.add(m.o.Styles.Link, text)
		return
	}
	l.b.WriteString("\x1b]8;;" + target + "\x1b\\")
	l.add(m.o.Styles.Link, text)
	l.b.WriteString("\x1b]8;;\x1b\\")
}

// cardBelow is the second row of a card in a narrow list.
func (m *Model) cardBelow(i int, c columns, d detail) []painted {
	it := m.items[i]
	if !c.narrow || d != everything && it.id != m.sel {
		return nil
	}
	state := ""
	if it.card.State == task.PreviewTaken {
		state = it.card.State.Words()
	}
	return m.text(i, m.o.Styles.Dim, joined(state, Clean(it.card.Label), Clean(it.card.Owner)), 1)
}

// cardHints are the keys that act on a card.
func (m *Model) cardHints() []Binding {
	var out []Binding
	for _, b := range m.keys {
		switch b.ID {
		case "list.open":
			b.Hint = "browser"
		case "list.copy":
		default:
			continue
		}
		out = append(out, b)
	}
	return out
}
