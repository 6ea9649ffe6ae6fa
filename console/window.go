package console

import (
	"slices"
	"sort"

	"offstage/task"
)

// The bounds of what is held: rows and their bytes. A screen of rows around the
// reader stays whatever it weighs.
const (
	maxRows  = 6000
	maxBytes = 8 << 20
)

// window is the run of rows that is loaded: neighbours without a gap, covering
// the bytes [start, end) of the output.
type window struct {
	rows       []*row
	start, end int64
	// top and bottom: nothing stands before or behind; lost: the head was cut.
	top, bottom, lost bool
	loaded            bool
	size              int
	// filter that the rows were chosen by; rows of different ones never mix.
	filter *task.Filter
	// masked is Facts.Masked of the rows; of different ones they never mix.
	masked uint64
}

// touches says whether a page overlaps the window or stands right beside it.
func (w *window) touches(p task.Page) bool {
	return w.loaded && p.Start <= w.end && p.End >= w.start
}

// replace forgets the rows and takes the page as it is.
func (w *window) replace(p task.Page, g glyphs) {
	old := w.rows
	*w = window{start: p.Start, end: p.End, top: p.Top, bottom: p.Bottom, lost: p.Lost, loaded: true, filter: p.Filter, masked: p.Facts.Masked}
	w.rows = adopt(old, p.Lines, g)
	w.weigh()
}

// merge lays a page that touches the window over it: what the page covers is
// taken from the page, unchanged rows keep their caches.
func (w *window) merge(p task.Page, g glyphs) {
	head, tail := w.outside(p)
	covered := w.rows[head:tail]
	fresh := adopt(covered, p.Lines, g)
	first, before, behind := w.splitPassed(p, head, tail, g)
	if behind != nil {
		fresh = append(fresh, behind)
	}
	rows := make([]*row, 0, head+len(fresh)+len(w.rows)-tail+1)
	rows = append(rows, w.rows[:first]...)
	if before != nil {
		rows = append(rows, before)
	}
	if w.filter == nil {
		rows = joinRuns(rows, fresh, p.Start, g)
		rows = joinRuns(rows, w.rows[tail:], p.End, g)
	} else { // rows that are equal may stand far apart
		rows = append(append(rows, fresh...), w.rows[tail:]...)
	}
	if p.Start <= w.start {
		w.start, w.top, w.lost = p.Start, p.Top, p.Lost
	}
	if p.End >= w.end {
		w.end, w.bottom = p.End, p.Bottom
	}
	w.rows = rows
	w.weigh()
}

// splitPassed looks for the mark of passed bytes that a page fills in part: its
// rows begin at first with what is left of it before the page; behind is the rest.
func (w *window) splitPassed(p task.Page, head, tail int, g glyphs) (first int, before, behind *row) {
	for i := max(head-1, 0); i < tail; i++ {
		if before, behind = passedLeft(w.rows[i], p, g); before == nil && behind == nil {
			continue
		}
		if n := len(p.Lines); n > 0 && p.Lines[n-1].Mark == task.MarkPassed {
			behind = nil // the page brings its own
		}
		if i < head {
			return i, before, behind
		}
		return head, before, behind
	}
	return head, nil, nil
}

// outside gives how many rows stand before the page and the first that stands
// behind it.
func (w *window) outside(p task.Page) (head, tail int) {
	if len(p.Lines) == 0 {
		head = sort.Search(len(w.rows), func(i int) bool { return w.rows[i].line.Offset >= p.Start })
		tail = sort.Search(len(w.rows), func(i int) bool { return w.rows[i].line.Offset >= p.End })
		return head, max(head, tail)
	}
	first := key{p.Lines[0].Offset, p.Lines[0].Part}
	last := p.Lines[len(p.Lines)-1]
	head = sort.Search(len(w.rows), func(i int) bool { return !w.rows[i].key().less(first) })
	tail = sort.Search(len(w.rows), func(i int) bool {
		l := &w.rows[i].line
		return l.Offset == last.Offset && l.Part > last.Part || l.Offset > last.Offset && l.Offset >= p.End
	})
	return head, max(head, tail)
}

// adopt makes rows of lines and keeps those of old that are the same.
func adopt(old []*row, lines []task.Line, g glyphs) []*row {
	rows := make([]*row, len(lines))
	at := 0
	var slab []row
	for i := range lines {
		k := key{lines[i].Offset, lines[i].Part}
		for at < len(old) && old[at].key().less(k) {
			at++
		}
		if at < len(old) && old[at].same(lines[i]) {
			rows[i] = old[at]
			continue
		}
		// Rows are made a few dozen at a time: neighbours live and die together.
		if len(slab) == 0 {
			slab = make([]row, min(len(lines)-i, 64))
		}
		rows[i], slab = &slab[0], slab[1:]
		rows[i].set(lines[i], g)
	}
	return rows
}

func (w *window) weigh() {
	w.size = 0
	for _, r := range w.rows {
		w.size += r.size
	}
}

// prune drops rows until the bounds hold: from the head where the reader
// follows, else from the side that is farther from the rows [first, last] that
// are in view. The view and keep rows on each side of it stay. It says whether any
// were dropped.
func (w *window) prune(first, last, keep, most int, follow bool) (less bool) {
	lo, hi := 0, len(w.rows)
	floor, ceil := max(first-keep, 0), min(last+keep+1, len(w.rows))
	for (hi-lo > most || w.size > maxBytes) && (lo < floor || hi > ceil) {
		if lo < floor && (follow || hi <= ceil || first-lo > hi-last) {
			w.size -= w.rows[lo].size
			lo++
			continue
		}
		hi--
		w.size -= w.rows[hi].size
	}
	less = lo > 0 || hi < len(w.rows)
	w.cut(lo, hi)
	return less
}

// cut keeps the rows [lo, hi); what is dropped can be asked for again.
func (w *window) cut(lo, hi int) {
	if hi < len(w.rows) {
		w.end, w.bottom = w.rows[hi].line.Offset, false
	}
	if lo > 0 {
		w.start, w.top = w.rows[lo].line.Offset, false
	}
	if lo > 0 || hi < len(w.rows) {
		w.rows = slices.Clone(w.rows[lo:hi])
	}
}

// find gives the row at or before a key, -1 where all stand behind it.
func find(rows []*row, k key) int {
	return sort.Search(len(rows), func(i int) bool { return k.less(rows[i].key()) }) - 1
}
