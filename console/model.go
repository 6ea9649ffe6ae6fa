package console

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"offstage/task"
)

// Options are what the console is made with; the zero value is dark, coloured,
// wrapped and in Unicode.
type Options struct {
	Styles Styles
	// ASCII keeps our own marks within ASCII (the task's text stays as it is).
	ASCII bool
	// NoWrap starts with sideways scroll instead of wrapped rows.
	NoWrap bool
	// NoColor leaves attributes only, in our words and in the task's (NO_COLOR).
	NoColor bool
	// NoCopyOnSelect keeps a finished drag from giving a Copy action.
	NoCopyOnSelect bool
	// Remap replaces the keys of bindings by their ID.
	Remap map[string][]string
	// Zone is the time zone of the time column; nil is the local one.
	Zone *time.Location
}

// Model is the console. Make one with New; use it from one goroutine.
type Model struct {
	o     Options
	w, h  int
	look  looks
	width ansi.Method
	task  task.Task
	now   time.Time
	quiet time.Duration
	facts task.Facts
	stop  StopView
}

// New makes a console with no task; its View is blank until SetTask.
func New(o Options) *Model {
	return &Model{o: o, look: newLooks(o.Styles, o.NoColor), width: ansi.GraphemeWidth}
}

// SetSize gives the cells of the component; the anchored text stays in view.
func (m *Model) SetSize(w, h int) { m.w, m.h = w, h }

// SetStyles changes the looks (light and dark) and nothing else.
func (m *Model) SetStyles(s Styles) { m.look = newLooks(s, m.o.NoColor) }

// SetWidths says how the terminal measures text: ansi.GraphemeWidth (mode 2027,
// the default) or ansi.WcWidth.
func (m *Model) SetWidths(method ansi.Method) { m.width = method }

// SetTask shows a task as it stands at now. Another ID than before drops the
// rows, the place, the selection and the stop; toggles stay.
func (m *Model) SetTask(t task.Task, now time.Time, quietAfter time.Duration) {
	m.task, m.now, m.quiet = t, now, quietAfter
}

// SetFacts brings news of the output (task.Output.Facts, at each Changed). It
// makes no row appear; ask Want afterwards.
func (m *Model) SetFacts(f task.Facts) { m.facts = f }

// SetPage brings the answer to a request of Want. A page of an older
// generation, or one that touches neither the loaded rows nor the place asked
// for, is ignored. The root drops pages of another task itself.
func (m *Model) SetPage(p task.Page) { m.facts = p.Facts }

// SetStop shows how a stop of the task stands.
func (m *Model) SetStop(s StopView) { m.stop = s }

// Key handles a key by its Bubble Tea v2 name; the bool says it was used.
func (m *Model) Key(k string) (Action, bool) { return nil, false }

// Mouse handles an event at a cell of the component; the bool says it was used.
func (m *Model) Mouse(ev MouseEvent) (Action, bool) { return nil, false }

// View gives exactly h lines, none wider than w cells. Unchanged, it is the same
// string as before.
func (m *Model) View() string { return "" }

// Want gives the page of rows that is needed now; false when nothing is, or
// while an answer is on its way. Ask after every Update; run each answer once.
func (m *Model) Want() (task.PageRequest, bool) { return task.PageRequest{}, false }

// Failed tells that the request in flight got no answer; Want may ask again.
func (m *Model) Failed() {}

// Place is where the reader stands.
func (m *Model) Place() Place { return Place{} }

// SetPlace goes back to a place; one of another task or generation is ignored.
func (m *Model) SetPlace(p Place) {}

// Keys is the whole key table, in the order of the help overlay.
func (m *Model) Keys() []Binding { return nil }

// Hints are the bindings that act on what is there now, most useful first.
func (m *Model) Hints() []Binding { return nil }
