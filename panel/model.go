package panel

import (
	"time"

	"offstage/task"
)

// Mode is how much of the panel is drawn.
type Mode int

const (
	// List is the toggle line and every row that fits.
	List Mode = iota
	// Collapsed is the toggle line alone (A1).
	Collapsed
	// OpenRow is the toggle line and the row of the open task (B1).
	OpenRow
)

// Options are what the person's settings say.
type Options struct {
	Styles Styles
	// ASCII writes every mark as an ASCII character.
	ASCII bool
	// Still stops the spinner (A1).
	Still bool
	// QuietAfter is when a quiet hint turns amber (D2); zero is task.QuietAfter.
	QuietAfter time.Duration
	// Remap replaces the keys of bindings by their ID.
	Remap map[string][]string
}

// Model is the panel. The zero value is not usable: see New.
type Model struct {
	o       Options
	keys    []Binding
	w, h    int
	mode    Mode
	focus   bool
	snap    task.Snapshot
	now     time.Time
	filter  string
	links   bool
	scope   string
	hidden  map[string]bool
	folded  map[string]bool // sessions whose rows are folded under their heading
	trees   map[string]bool // workflows that a person opened (true) or folded
	stops   map[string]Stop
	open    string
	sel     string
	selLast int // index that the selection had, for when its row goes
	top     int // first painted line of the list that is shown
	selLine int // where the selected row stands in the list's lines
	// cardsWere is how many cards stood above it.
	cardsWere int
	drawn     bool

	items []item
	lines []painted
	want  wanted
	view  string
	fresh bool
}

// New gives an empty panel in List mode.
func New(o Options) *Model {
	if o.QuietAfter <= 0 {
		o.QuietAfter = task.QuietAfter
	}
	return &Model{o: o, keys: remapped(o.Remap), hidden: map[string]bool{}, folded: map[string]bool{}, trees: map[string]bool{}, stops: map[string]Stop{}, focus: true}
}

// SetStyles takes new paints, as when the terminal's background became known.
func (m *Model) SetStyles(s Styles) { m.o.Styles = s; m.touch() }

// SetOptions takes changed settings; what is selected and folded stays.
func (m *Model) SetOptions(o Options) {
	m.o, m.keys = o, remapped(o.Remap)
	m.touch()
}

// SetSize sets the cells that View may fill.
func (m *Model) SetSize(w, h int) {
	if w != m.w || h != m.h {
		m.w, m.h, m.fresh = w, h, false
	}
}

// SetMode sets how much is drawn.
func (m *Model) SetMode(mode Mode) {
	if mode != m.mode {
		m.mode, m.fresh = mode, false
	}
}

// SetFocus says whether keys go to the list; it is drawn in the selection bar.
func (m *Model) SetFocus(on bool) {
	if on != m.focus {
		m.focus = on
		m.touch()
	}
}

// SetOpen names the task whose console is open; "" for none.
func (m *Model) SetOpen(id string) {
	if id != m.open {
		m.open = id
		m.rebuild() // the tree of an open agent stays open
		m.reveal(id)
	}
}

// SetSnapshot takes the whole truth as it is now. The selection stays on its
// task; when that is gone it goes to the row that took its place.
func (m *Model) SetSnapshot(s task.Snapshot, now time.Time) {
	m.snap, m.now = s, now
	pending := make(map[string]bool, len(m.hidden))
	for _, t := range s.Tasks {
		if h, ok := m.hidden[t.ID]; ok && h != t.Hidden {
			pending[t.ID] = h
		}
	}
	m.hidden = pending
	m.keepTrees()
	m.rebuild()
}

// SetNow moves the clock of the ages.
func (m *Model) SetNow(now time.Time) {
	m.now = now
	m.touch()
}

// SetFilter leaves only rows that contain every word of text.
func (m *Model) SetFilter(text string) {
	if text != m.filter {
		m.filter = text
		m.rebuild()
	}
}

// SetScope sets the words at the right end of the toggle line: whose tasks are
// listed, or how many are not.
func (m *Model) SetScope(words string) {
	if words != m.scope {
		m.scope, m.fresh = words, false
	}
}

// SetHidden hides or shows a row at once, ahead of the engine's own news.
func (m *Model) SetHidden(id string, hidden bool) {
	m.hidden[id] = hidden
	m.rebuild()
}

// SetStop says how the stop of a task stands; the zero Stop takes it away.
func (m *Model) SetStop(id string, s Stop) {
	if s.Phase == NoStop {
		delete(m.stops, id)
	} else {
		m.stops[id] = s
	}
	m.touch()
}

// Select puts the cursor on a task's row; an id that is not listed is ignored.
func (m *Model) Select(id string) {
	m.reveal(id)
	for i, it := range m.items {
		if it.id == id && it.rests() {
			m.sel, m.selLast = id, i
			m.touch()
		}
	}
}

// Selected is the task under the cursor, or an agent of a workflow as one; false
// where the cursor is on none.
func (m *Model) Selected() (task.Task, bool) {
	for _, it := range m.items {
		if it.id == m.sel && (it.kind == taskRow || it.isAgent()) {
			return it.task, true
		}
	}
	return task.Task{}, false
}

// Session is the session of the selected row; "" where there is no row.
func (m *Model) Session() string {
	for _, it := range m.items {
		if it.id == m.sel {
			return it.session.ID
		}
	}
	return ""
}

// Rows is how many rows are listed, without headings.
func (m *Model) Rows() int {
	n := 0
	for _, it := range m.items {
		n += it.rows()
	}
	return n
}

// IDs are the listed tasks from top to bottom.
func (m *Model) IDs() []string {
	var ids []string
	for _, it := range m.items {
		if it.kind == taskRow {
			ids = append(ids, it.id)
		}
	}
	return ids
}

func (m *Model) rebuild() {
	m.items = m.arrange()
	m.touch()
	for _, id := range []string{m.sel, parentOf(m.sel)} {
		for i, it := range m.items {
			if id != "" && it.id == id {
				m.sel, m.selLast = id, i
				return
			}
		}
	}
	m.sel = ""
	m.settle(m.selLast)
}

// settle puts the cursor on the row at index i or the nearest one: below it
// first, so that hiding row after row goes down the list.
func (m *Model) settle(i int) {
	for j := max(i, 0); j < len(m.items); j++ {
		if m.items[j].starts() {
			m.sel, m.selLast = m.items[j].id, j
			return
		}
	}
	for j := min(i, len(m.items)) - 1; j >= 0; j-- {
		if m.items[j].starts() {
			m.sel, m.selLast = m.items[j].id, j
			return
		}
	}
	if len(m.items) > 0 { // every session is folded, or only cards are left
		m.sel, m.selLast = m.items[0].id, 0
	}
}

// touch says that what is drawn is out of date.
func (m *Model) touch() { m.fresh, m.want.ok = false, false }
