package console

import "offstage/task"

// What of the loaded rows is shown: steps of a progress as their last one, a run
// of equal rows once, a JSON log line in short, a cut line cut – and each unfolded
// where the reader asked for it.

// form is how the text of a row is shown.
type form int

const (
	formPlain form = iota
	formShort
	formWhole
)

const (
	// mostCopies bounds the rows that a run of equal ones unfolds to.
	mostCopies = 1000
	// mostWhole and mostOpen bound what is kept unfolded.
	mostWhole = 4
	mostOpen  = 500
)

// opened is what the reader unfolded, by the row.
type opened struct {
	rows map[key]bool
	// whole are cut lines that were fetched in full.
	whole map[key]task.Line
	// under are the rows that unfolded ones are followed by, kept for their caches.
	under map[key]under
}

type under struct {
	of   *row
	rows []*row
}

// shownRows are the rows of the output as they are shown.
func (m *Model) shownRows() []*row {
	rows := m.outputRows()
	out := m.shown[:0]
	for i := 0; i < len(rows); {
		n := m.alike(rows[i:])
		first, last := rows[i], rows[i+n-1]
		i += n
		if n > 1 {
			last.similar, last.head = n-1, first.key()
		}
		if gap := m.gapBefore(out, first); gap != nil {
			out = append(out, gap)
		} else if apart := m.apart(out, first); apart != nil {
			out = append(out, apart)
		}
		m.reform(last)
		out = append(out, last)
		out = append(out, m.under(last)...)
	}
	m.shown = out
	return out
}

// alike is how many rows from the first on are steps of one progress, at least 1.
func (m *Model) alike(rows []*row) int {
	first := rows[0]
	first.similar = 0
	if m.unfoldAll || m.filter != nil || first.step == 0 || m.open.rows[first.key()] {
		return 1
	}
	n := 1
	for n < len(rows) && rows[n].step == first.step && !m.open.rows[rows[n].key()] {
		rows[n].similar = 0
		n++
	}
	if n < fewAlike {
		return 1
	}
	return n
}

// reform gives a row the form that it is to have now.
func (m *Model) reform(r *row) {
	want := formPlain
	switch _, whole := m.open.whole[r.key()]; {
	case r.line.Cut > 0 && whole:
		want = formWhole
	case r.fields > 0 && !m.unfoldAll:
		want = formShort
	}
	if r.form == want {
		return
	}
	r.form = want
	switch want {
	case formWhole:
		l := m.open.whole[r.key()]
		r.dress(l.Text, l.Spans, l.Cut, m.set)
	case formShort:
		text, spans, _ := summary(jsonFields(r.line.Text))
		r.dress(text, spans, r.line.Cut, m.set)
	default:
		r.dress(r.line.Text, r.line.Spans, r.line.Cut, m.set)
	}
	r.segs, r.drawn, r.found = nil, nil, found{}
}

// under are the rows that follow an unfolded one: its equals, or its fields.
func (m *Model) under(r *row) []*row {
	k := r.key()
	if !m.open.rows[k] || r.line.Repeat < 2 && r.fields == 0 {
		return nil
	}
	if u, ok := m.open.under[k]; ok && u.of == r {
		return u.rows
	}
	var rows []*row
	if r.line.Repeat > 1 {
		rows = copies(r, m.set)
	} else {
		rows = fieldRows(r, m.set)
	}
	m.open.under[k] = under{r, rows}
	return rows
}

// copies are the rows that one of ×N stands for, but for the first. Equal lines
// are equally long, so their places are known.
func copies(r *row, g glyphs) []*row {
	n := min(r.line.Repeat, mostCopies)
	each := max((r.line.End-r.line.Offset)/int64(r.line.Repeat), 1)
	var out []*row
	for i := 1; i < n; i++ {
		l := r.line
		l.Repeat, l.Number = 0, 0
		if r.line.Number > 0 {
			l.Number = r.line.Number + int64(i)
		}
		l.Offset += int64(i) * each
		l.End = l.Offset + each
		c := newRow(l, g)
		c.form, c.fields = formPlain, 0
		out = append(out, c)
	}
	if rest := r.line.Repeat - n; rest > 0 {
		l := task.Line{Offset: r.line.Offset + int64(n)*each, End: r.line.End, Mark: task.MarkNote, Text: "and " + count(int64(rest)) + " more equal lines"}
		out = append(out, newRow(l, g))
	}
	return out
}

// fieldRows are the members of a JSON line, one a row.
func fieldRows(r *row, g glyphs) []*row {
	var out []*row
	for i, f := range jsonFields(r.line.Text) {
		l := task.Line{Offset: r.line.Offset, Part: i + 1, End: r.line.End, Text: "    " + f.key + ": " + f.value,
			Spans: []task.Span{{Start: 4, End: 5 + len(f.key), Style: task.Style{Attr: task.Dim}}}}
		c := newRow(l, g)
		c.detail = true
		out = append(out, c)
	}
	return out
}

// unfold opens what is folded in the row that the reader is at, or folds it.
func (m *Model) unfold() Action {
	r := m.here()
	if r == nil {
		return Toast{"There is nothing to unfold yet"}
	}
	k := r.key()
	switch {
	case r.form == formWhole:
		delete(m.open.whole, k)
	case r.line.Cut > 0:
		return Whole{Offset: k.off}
	case r.similar > 0:
		m.openAll(r.head, k)
		m.cursor = r.head
	case r.step != 0 && m.open.rows[k]:
		m.closeAlike(k)
	case r.line.Repeat > 1 || r.fields > 0:
		m.toggleOpen(k)
	case r.detail:
		m.toggleOpen(key{k.off, 0})
	default:
		return Toast{"Nothing is folded in this row"}
	}
	m.hold()
	m.relist()
	return nil
}

// hold keeps the view where it is while rows above or below change.
func (m *Model) hold() { m.setFollow(false) }

func (m *Model) toggleOpen(k key) {
	if m.open.rows[k] {
		delete(m.open.rows, k)
		delete(m.open.under, k)
		return
	}
	m.remember(k)
}

func (m *Model) remember(k key) {
	if len(m.open.rows) >= mostOpen {
		m.open = newOpened()
	}
	m.open.rows[k] = true
}

// openAll unfolds the steps of a progress from the first to the last.
func (m *Model) openAll(first, last key) {
	for _, r := range m.win.rows {
		if k := r.key(); !k.less(first) && !last.less(k) {
			m.remember(k)
		}
	}
}

// closeAlike folds the steps around one.
func (m *Model) closeAlike(k key) {
	i := find(m.win.rows, k)
	if i < 0 {
		return
	}
	step := m.win.rows[i].step
	for a := i; a >= 0 && m.win.rows[a].step == step; a-- {
		delete(m.open.rows, m.win.rows[a].key())
	}
	for b := i + 1; b < len(m.win.rows) && m.win.rows[b].step == step; b++ {
		delete(m.open.rows, m.win.rows[b].key())
	}
}

// toggleFolds shows everything as it was written, or folded again.
func (m *Model) toggleFolds() Action {
	m.unfoldAll = !m.unfoldAll
	m.relist()
	if m.unfoldAll {
		return Toast{"Lines as they were written"}
	}
	return Toast{"Progress and JSON lines in short"}
}

// SetWhole brings a cut line in full, as Whole asked for it.
func (m *Model) SetWhole(l task.Line) {
	if len(m.open.whole) >= mostWhole {
		clear(m.open.whole)
	}
	l, _ = clean(l)
	m.open.whole[key{l.Offset, l.Part}] = l
	m.hold()
	m.relist()
	m.touch()
}

func newOpened() opened {
	return opened{rows: map[key]bool{}, whole: map[key]task.Line{}, under: map[key]under{}}
}

// folded says whether the row that the reader is at has something to unfold.
func (m *Model) folded() bool {
	r := m.here()
	return r != nil && (r.line.Cut > 0 || r.similar > 0 || r.line.Repeat > 1 || r.fields > 0)
}
