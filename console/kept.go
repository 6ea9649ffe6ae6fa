package console

import (
	"hash/fnv"
	"slices"

	"offstage/task"
)

// Place is where a reader stands in one task's output and how it is shown, to
// keep over closing the console and over restarts (L4, B14). As JSON it is at
// most 4 KiB.
type Place struct {
	Task string `json:"-"`
	// Gen is the generation of the file that Offset belongs to; AnyGen in a place
	// that was kept over a restart, where Sum tells whether the text is the same.
	Gen    int  `json:"-"`
	Follow bool `json:"follow,omitempty"`
	// Offset and Part name the row at the top of the view, Byte the place in its
	// text where the view starts, Sum is a hash of its masked text.
	Offset int64  `json:"offset,omitempty"`
	Part   int    `json:"part,omitempty"`
	Byte   int    `json:"byte,omitempty"`
	Sum    uint64 `json:"sum,omitempty"`
	// Column is the sideways scroll where wrap is off.
	Column int `json:"column,omitempty"`
	// The toggles: NoWrap, the time column, lines as they were written.
	NoWrap   bool `json:"no_wrap,omitempty"`
	Times    int  `json:"times,omitempty"`
	Unfolded bool `json:"unfolded,omitempty"`
	// Open are the rows that were unfolded one by one, at most mostKeptOpen.
	Open []Row `json:"open,omitempty"`
	// Filter is what was shown, as it was typed.
	Filter *task.Filter `json:"filter,omitempty"`
}

// Row names a row of the output.
type Row struct {
	Offset int64 `json:"offset"`
	Part   int   `json:"part,omitempty"`
}

// AnyGen is the Gen of a place from an earlier run of the program.
const AnyGen = -1

// mostKeptOpen bounds the unfolded rows of a place: 80 of them are under 3 KiB.
const mostKeptOpen = 80

// Place is where the reader stands.
func (m *Model) Place() Place {
	p := Place{Task: m.task.ID, Gen: m.gen, Follow: m.follow, Column: m.column,
		NoWrap: !m.wrap, Times: int(m.times), Unfolded: m.unfoldAll, Filter: m.filter}
	if g := m.goal; g.kind == goalPlace { // not there yet: where it goes is where it stands
		return g.place
	}
	for k := range m.open.rows {
		p.Open = append(p.Open, Row{k.off, k.part})
	}
	slices.SortFunc(p.Open, func(a, b Row) int {
		return int(min(max(a.Offset-b.Offset, -1), 1))*2 + min(max(a.Part-b.Part, -1), 1)
	})
	p.Open = p.Open[:min(len(p.Open), mostKeptOpen)]
	if m.follow {
		return p
	}
	k := m.anchor.key
	if k == earlierKey && len(m.win.rows) > 0 {
		k = m.win.rows[0].key()
	}
	p.Offset, p.Part, p.Byte = k.off, k.part, m.anchor.byte
	p.Sum = m.sumAt(k)
	return p
}

// Usual says that a place is the one that every output opens at: nothing to keep.
func (p Place) Usual() bool {
	return p.Follow && p.Column == 0 && !p.NoWrap && p.Times == 0 && !p.Unfolded && len(p.Open) == 0 && p.Filter == nil
}

// SetPlace goes back to a place; one of another task is ignored. Where its rows
// are not loaded, Want asks for them; where the file is another by then, the
// end is shown.
func (m *Model) SetPlace(p Place) {
	if p.Task != m.task.ID {
		return
	}
	m.column, m.wrap, m.unfoldAll = max(p.Column, 0), !p.NoWrap, p.Unfolded
	m.times = timeMode(min(max(p.Times, int(timeAuto)), int(timeOff)))
	for _, r := range p.Open[:min(len(p.Open), mostKeptOpen)] {
		m.open.rows[key{r.Offset, r.Part}] = true
	}
	if f := p.Filter; f != nil {
		if match, err := task.NewMatcher(f.Query); err == nil && f.Query.Text != "" {
			m.filter, m.filterMatch = f, match
		}
	}
	m.redraw()
	if p.Follow {
		m.toEnd()
		return
	}
	m.seek(goal{kind: goalPlace, at: max(p.Offset, 0), place: p})
}

// stands says whether the text of a place is still where it was.
func (m *Model) stands(p Place) bool {
	if p.Gen != AnyGen {
		return p.Gen == m.gen
	}
	return p.Sum != 0 && p.Sum == m.sumAt(key{p.Offset, p.Part})
}

// sumAt is a hash of the row at or before a key, 0 where there is none.
func (m *Model) sumAt(k key) uint64 {
	i := find(m.win.rows, k)
	if i < 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.win.rows[i].line.Text))
	return h.Sum64() | 1
}
