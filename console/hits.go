package console

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"offstage/task"
)

// SetFound brings news of the search that Find with this Seq asked for; that of
// another is ignored.
func (m *Model) SetFound(seq int, news task.Found) {
	f := &m.find
	if seq == 0 || seq != f.seq {
		return
	}
	if f.told && news.Gen != f.found.Gen {
		f.hits = f.hits[:0]
	}
	if news.Again {
		i := sort.Search(len(f.hits), func(i int) bool { return f.hits[i].Offset >= news.Since })
		f.hits = f.hits[:i]
	}
	f.hits = mergeHits(f.hits, news.Hits)
	f.found, f.told = news, true
	f.found.Hits = nil
	f.foundRev++
	if f.eager && len(f.hits) > 0 {
		f.eager = false
		i := sort.Search(len(f.hits), func(i int) bool { return f.hits[i].Offset >= f.from })
		m.jumpHit(f.hits[min(i, len(f.hits)-1)])
	}
	if news.Done && f.eager {
		f.eager = false
		m.note = "No row of the output matches"
	}
	m.touch()
}

// mergeHits puts fresh hits where they belong; both are in order.
func mergeHits(hits, fresh []task.Hit) []task.Hit {
	if len(fresh) == 0 {
		return hits
	}
	tidy := len(hits) == 0 || before(hits[len(hits)-1], fresh[0]) < 0
	hits = append(hits, fresh...)
	if !tidy {
		slices.SortFunc(hits, before)
	}
	return hits
}

func before(a, b task.Hit) int {
	return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Part, b.Part))
}

// FindFailed tells why the search asked for by Find came to nothing.
func (m *Model) FindFailed(seq int, why string) {
	if seq == m.find.seq {
		m.note, m.find.seq = why, 0
		m.touch()
	}
}

// firstLoaded goes to the first loaded hit in or below the view; where the end is
// loaded and has none, to the last above.
func (m *Model) firstLoaded() bool {
	top := m.top().row
	return m.seekLoaded(top, 1) || m.win.bottom && m.seekLoaded(top, -1)
}

// seekLoaded goes to the first row with a hit from a row of the list on.
func (m *Model) seekLoaded(from, step int) bool {
	for i := from; i >= 0 && i < len(m.list); i += step {
		if m.matches(m.list[i]) {
			m.toRow(i)
			return true
		}
	}
	return false
}

// toRow makes a row of the list the hit at hand and brings it into view.
func (m *Model) toRow(i int) {
	k := m.list[i].key()
	m.find.at, m.find.some, m.cursor = k, true, k
	if m.rowInView(i) {
		m.setFollow(false)
		return
	}
	m.show(k, m.geo.body/3)
}

// nextHit goes to the hit after or before the one at hand; where the search of
// the whole output knows none yet, it says how far it looked.
func (m *Model) nextHit(step int) Action {
	f := &m.find
	if !f.told || int64(len(f.hits)) < f.found.Count {
		from := m.top().row
		if f.some {
			from = find(m.list, f.at) + step
		}
		if m.seekLoaded(from, step) {
			return nil
		}
	}
	if h, ok := m.neighbourHit(step); ok {
		m.jumpHit(h)
		return nil
	}
	words := "No hit further down"
	if step < 0 {
		words = "No hit further up"
	}
	if f.seq != 0 && !f.found.Done {
		words += " so far" + m.set.dot + m.searched()
	}
	return Toast{m.set.say(words)}
}

// neighbourHit is the next known hit beyond the row at hand, or beyond the view.
func (m *Model) neighbourHit(step int) (task.Hit, bool) {
	f := &m.find
	at, past := key{off: m.byteAt(m.top()), part: -1}, key{off: m.byteAt(m.top()), part: -1}
	if f.some {
		at, past = f.at, f.at
		if i := find(m.list, f.at); i >= 0 && m.list[i].key() == f.at && times(&m.list[i].line) > 1 {
			past = key{m.list[i].line.End - 1, 1 << 30} // one row stands for all of the run
		}
	}
	if step > 0 {
		i := sort.Search(len(f.hits), func(i int) bool { return past.less(key{f.hits[i].Offset, f.hits[i].Part}) })
		for ; i < len(f.hits); i++ {
			if m.canShow(f.hits[i]) {
				return f.hits[i], true
			}
		}
		return task.Hit{}, false
	}
	i := sort.Search(len(f.hits), func(i int) bool { return !(key{f.hits[i].Offset, f.hits[i].Part}).less(at) }) - 1
	for ; i >= 0; i-- {
		if m.canShow(f.hits[i]) {
			return f.hits[i], true
		}
	}
	return task.Hit{}, false
}

// canShow: a filter may leave out the row of a hit; that of one that is not
// loaded is not known.
func (m *Model) canShow(h task.Hit) bool {
	if m.filter == nil || !m.covers(h.Offset) {
		return true
	}
	return m.rowOf(h) >= 0
}

// rowOf is the row of the list that stands for a hit, −1 where none does.
func (m *Model) rowOf(h task.Hit) int {
	i := find(m.list, key{h.Offset, h.Part})
	if i < 0 || i >= len(m.list) || m.list[i].role != output {
		return -1
	}
	l := &m.list[i].line
	if l.Offset == h.Offset && l.Part == h.Part || times(l) > 1 && h.Offset < l.End {
		return i
	}
	return -1
}

// jumpHit goes to a hit, by way of Want where it is not loaded.
func (m *Model) jumpHit(h task.Hit) {
	m.find.at, m.find.some = key{h.Offset, h.Part}, true
	m.setFollow(false)
	m.seek(goal{kind: goalHit, at: h.Offset, part: h.Part})
}

// reachHit puts the row of the goal's hit into view.
func (m *Model) reachHit(g goal) {
	i := m.rowOf(task.Hit{Offset: g.at, Part: g.part})
	if i < 0 {
		i = max(find(m.list, key{g.at, 1 << 30}), 0)
	}
	if i < len(m.list) {
		m.toRow(i)
	}
}

// rowInView says whether a whole row of the list is on the screen.
func (m *Model) rowInView(i int) bool {
	p := m.top()
	e := m.step(p, m.geo.body-1)
	return i > p.row && i < e.row || i == p.row && p.seg == 0 && e.row > i || i == e.row && i > p.row
}

// tally is the number of the hit at hand, 0 where there is none, and of how many.
func (m *Model) tally() (at, of int64) {
	f := &m.find
	if f.told {
		if f.some {
			i := sort.Search(len(f.hits), func(i int) bool { return !(key{f.hits[i].Offset, f.hits[i].Part}).less(f.at) })
			if i < len(f.hits) && f.hits[i] == (task.Hit{Offset: f.at.off, Part: f.at.part}) {
				at = int64(i) + 1
			}
		}
		return at, f.found.Count
	}
	for _, r := range m.win.rows {
		if m.matches(r) {
			of += int64(times(&r.line))
			if f.some && r.key() == f.at {
				at = of - int64(times(&r.line)) + 1
			}
		}
	}
	return at, of
}

// searched says how far the search has come: "38 % searched".
func (m *Model) searched() string {
	f := m.find.found
	if f.Size <= 0 {
		return "searching" + m.set.more
	}
	return strconv.Itoa(int(float64(f.Looked)/float64(f.Size)*100)) + " % searched"
}

// tickCache are the rows of the scrollbar that have hits.
type tickCache struct {
	rev, h int
	size   int64
	rows   []bool
}

// hitTicks says which of h rows of the scrollbar have hits, by their share of
// the bytes.
func (m *Model) hitTicks(h int, size int64) []bool {
	c := &m.find.ticks
	if c.rev == m.find.foundRev && c.h == h && c.size == size {
		return c.rows
	}
	*c = tickCache{rev: m.find.foundRev, h: h, size: size, rows: make([]bool, h)}
	for _, hit := range m.find.hits {
		if y := int(float64(hit.Offset) / float64(max(size, 1)) * float64(h)); y >= 0 && y < h {
			c.rows[y] = true
		}
	}
	return c.rows
}
