package panel

import (
	"strconv"
	"strings"
)

// View is exactly h lines of at most w cells. Unchanged data gives the string
// of the last call.
func (m *Model) View() string {
	if m.fresh {
		return m.view
	}
	m.draw()
	rows := make([]string, len(m.lines))
	for i, p := range m.lines {
		rows[i] = p.text
	}
	m.view = strings.Join(rows, "\n")
	if m.o.ASCII {
		m.view = ASCII(m.view)
	}
	m.fresh = true
	return m.view
}

// Want is how many lines the panel would fill in a mode at a width, if it had
// all the room it likes.
func (m *Model) Want(mode Mode, w int) int {
	if c := m.want; c.ok && c.mode == mode && c.w == w {
		return c.n
	}
	keepMode, keepW := m.mode, m.w
	m.mode, m.w = mode, w
	n := 1
	switch mode {
	case OpenRow:
		n += len(m.openBlock())
	case List:
		if len(m.items) > tallest {
			n += len(m.items)
			break
		}
		blocks, lines := m.blocks(everything)
		n += max(lines+m.headings(blocks), 1)
	}
	m.mode, m.w = keepMode, keepW
	m.want = wanted{ok: true, mode: mode, w: w, n: n}
	return m.want.n
}

// tallest is more rows than a screen has: beyond it the list scrolls, and how
// many lines it would like does not matter.
const tallest = 400

// wanted is the last answer of Want.
type wanted struct {
	ok   bool
	mode Mode
	w, n int
}

func (m *Model) draw() {
	m.lines = m.lines[:0]
	if m.h <= 0 || m.w <= 0 {
		return
	}
	m.lines = append(m.lines, m.toggle())
	switch m.mode {
	case OpenRow:
		m.lines = append(m.lines, m.openBlock()...)
	case List:
		m.lines = append(m.lines, m.list(m.h-1)...)
	}
	m.lines = m.lines[:min(len(m.lines), m.h)]
	for len(m.lines) < m.h {
		m.lines = append(m.lines, painted{item: -1})
	}
}

func (m *Model) openBlock() []painted {
	c := m.columns(little)
	for i, it := range m.items {
		switch {
		case m.open == "" || it.id != m.open:
		case it.kind == taskRow:
			return []painted{m.row(i, c)} // what more there is to say, the console says
		case it.isAgent():
			return []painted{m.treeLine(i, c)}
		}
	}
	return nil
}

// blocks are the lines of every item, the first of each still to be painted;
// n is the count of all lines.
func (m *Model) blocks(d detail) (out [][]painted, n int) {
	c := m.columns(d)
	for i := range m.items {
		b := append([]painted{{item: i, later: true}}, m.below(i, c, d)...)
		out = append(out, b)
		n += len(b)
	}
	return out, n
}

// paintLater paints the first lines among those in sight.
func (m *Model) paintLater(lines []painted, d detail) []painted {
	c := m.columns(d)
	for at, p := range lines {
		if !p.later {
			continue
		}
		switch i := p.item; m.items[i].kind {
		case heading:
			lines[at] = m.headingRow(i)
		case unreported:
			lines[at] = m.unreportedRow(i)
		case treeRow:
			lines[at] = m.treeLine(i, c)
		case cardRow:
			lines[at] = m.cardLine(i, c)
		default:
			lines[at] = m.row(i, c)
		}
	}
	return lines
}

// list is the rows that fit into h lines, with marks of how many do not (A3).
func (m *Model) list(h int) []painted {
	if h <= 0 {
		return nil
	}
	if len(m.items) == 0 {
		return []painted{m.nothing()}
	}
	var blocks [][]painted
	n := 0
	d := everything
	if len(m.items) > h {
		d = little // every item has a line, so that no more of them fits
	}
	for {
		if blocks, n = m.blocks(d); n <= h || d == little {
			break
		}
		d++
	}
	if heads := m.headings(blocks); heads > 0 && n+heads <= h {
		blocks = spread(m.items, blocks)
	}
	var all []painted
	sel, selLen := 0, 1
	for i, b := range blocks {
		if m.items[i].id == m.sel {
			sel, selLen = len(all), len(b)
		}
		all = append(all, b...)
	}
	m.scroll(len(all), h, sel, selLen)
	return m.paintLater(m.window(all, h), d)
}

// headings counts the blank lines that set groups apart where there is room.
func (m *Model) headings(blocks [][]painted) int {
	n := 0
	for i := range blocks {
		if i > 0 && m.items[i].kind == heading {
			n++
		}
	}
	return n
}

func spread(items []item, blocks [][]painted) [][]painted {
	for i, it := range items {
		if it.kind == heading && i > 0 {
			blocks[i-1] = append(blocks[i-1], painted{item: -1})
		}
	}
	return blocks
}

// scroll keeps the selected row where it stood on the screen when rows above it
// came or went, and always in sight, clear of the overflow marks. Cards that come to
// the head of a list that stands at its head are shown.
func (m *Model) scroll(n, h, sel, selLen int) {
	cards := len(m.cards())
	switch {
	case !m.drawn:
		m.drawn = true
	case m.top > 0:
		m.top += sel - m.selLine
	default:
		m.top = max(0, sel-m.selLine-(cards-m.cardsWere))
	}
	m.selLine, m.cardsWere = sel, cards
	if n <= h {
		m.top = 0
		return
	}
	if last := sel + selLen; m.top+h-1 < last && last < n {
		m.top = last + 1 - h
	} else if m.top+h < last {
		m.top = last - h
	}
	if above := min(sel, btoi(h > 2)); m.top > sel-above { // the mark above takes a row
		m.top = sel - above
	}
	if sel == 0 {
		m.top = 0
	}
	m.top = max(0, min(m.top, n-h))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m *Model) window(all []painted, h int) []painted {
	if len(all) <= h {
		return all
	}
	shown := append([]painted(nil), all[m.top:m.top+h]...)
	if m.top > 0 && h > 2 {
		shown[0] = m.more("↑", m.rowsIn(all[:m.top+1]))
	}
	if m.top+h < len(all) && h > 1 {
		shown[h-1] = m.more("↓", m.rowsIn(all[m.top+h-1:]))
	}
	return shown
}

// rowsIn counts the tasks whose first line is among lines.
func (m *Model) rowsIn(lines []painted) int {
	n, seen := 0, map[int]bool{}
	for _, p := range lines {
		if p.item >= 0 && !seen[p.item] {
			seen[p.item] = true
			n += m.items[p.item].entries()
		}
	}
	return n
}

func (m *Model) more(arrow string, n int) painted {
	words := arrow + " more" // nothing but titles and lines of a tree
	if n > 0 {
		words = arrow + " " + strconv.Itoa(n) + " more"
	}
	return newLine(m.w).to(3).add(m.o.Styles.Dim, words).done(-1)
}

func (m *Model) nothing() painted {
	words := "No background tasks here."
	if m.filter != "" {
		words = "No task matches. Esc shows all again."
	}
	return newLine(m.w).to(3).add(m.o.Styles.Dim, words).done(-1)
}
