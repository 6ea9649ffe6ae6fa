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
	set   glyphs
	width ansi.Method
	keys  keymap

	task  task.Task
	now   time.Time
	quiet time.Duration
	facts task.Facts
	stop  StopView
	fails failures
	came  arrivals

	// What is loaded, and all that can be scrolled over.
	win  window
	list []*row
	// shown are the rows of the output in the list.
	shown     []*row
	listed    listed
	open      opened
	unfoldAll bool
	gen       int

	// What is asked for.
	goal                 goal
	flight               flight
	tailAt               stamp
	startTried, endTried int64
	holdUntil            time.Time

	// Where the reader is. seenLines is Facts.Arrived when following was left.
	follow     bool
	upward     bool  // the last scroll went up
	passTried  stamp // the mark of passed bytes that was asked for last
	anchor     anchor
	seenLines  int64
	cursor     key
	cursorByte int // of the cell that was clicked, in that row's text
	sel        selection
	find       search
	saveANSI   bool
	searches   int // numbers them, over tasks too
	filter     *task.Filter
	// filterMatch finds what the filter looks for in the rows that it shows.
	filterMatch *task.Matcher
	grab        bool
	links       bool
	note        string
	// arming: the key that was pressed last asks to be pressed again; armed: so did
	// the one before.
	arming, armed bool

	// The toggles; none of them touches another.
	wrap   bool
	times  timeMode
	column int

	// What was drawn.
	geo     geometry
	drawRev int
	zones   []zone
	view    string
	fresh   bool
}

// New makes a console with no task; its View is blank until SetTask.
func New(o Options) *Model {
	m := &Model{
		o: o, look: newLooks(o.Styles, o.NoColor), set: unicodeSet, width: ansi.GraphemeWidth,
		wrap: !o.NoWrap, keys: newKeymap(o.Remap),
	}
	if o.ASCII {
		m.set = asciiSet
	}
	m.clear()
	return m
}

// clear forgets all that belongs to one task.
func (m *Model) clear() {
	m.win, m.list, m.shown, m.gen = window{}, nil, nil, 0
	m.open = newOpened()
	m.facts, m.stop, m.came = task.Facts{}, StopView{}, arrivals{}
	m.goal, m.flight, m.tailAt = goal{}, flight{}, stamp{}
	m.startTried, m.endTried, m.holdUntil = -1, -1, time.Time{}
	m.follow, m.anchor, m.seenLines, m.column = true, anchor{}, 0, 0
	m.sel, m.cursor, m.cursorByte, m.grab, m.note = selection{}, key{off: -2}, -1, false, ""
	m.find = search{rev: m.find.rev + 1}
	m.filter, m.filterMatch = nil, nil
	m.fails = failures{at: -1, rev: m.fails.rev + 1}
}

// SetSize gives the cells of the component; the anchored text stays in view.
func (m *Model) SetSize(w, h int) {
	if w == m.w && h == m.h {
		return
	}
	m.w, m.h = w, h
	m.measure()
	m.relist()
	m.touch()
}

// SetOptions takes changed settings; the place, the marks and what a key switched
// stay.
func (m *Model) SetOptions(o Options) {
	m.o, m.keys, m.look, m.set = o, newKeymap(o.Remap), newLooks(o.Styles, o.NoColor), unicodeSet
	if o.ASCII {
		m.set = asciiSet
	}
	m.redraw()
}

// SetStyles changes the looks (light and dark) and nothing else.
func (m *Model) SetStyles(s Styles) {
	m.look = newLooks(s, m.o.NoColor)
	m.redraw()
}

// SetWidths says how the terminal measures text: ansi.GraphemeWidth (mode 2027,
// the default) or ansi.WcWidth.
func (m *Model) SetWidths(method ansi.Method) {
	m.width = method
	m.redraw()
}

// redraw drops every drawn row.
func (m *Model) redraw() {
	m.drawRev++
	m.measure()
	m.relist()
	m.touch()
}

// SetTask shows a task as it stands at now. Another ID than before drops the
// rows, the place, the selection and the stop; toggles stay.
func (m *Model) SetTask(t task.Task, now time.Time, quietAfter time.Duration) {
	if t.ID != m.task.ID {
		m.clear()
	}
	m.task, m.now, m.quiet = t, now, quietAfter
	m.news()
}

// SetFacts brings news of the output (task.Output.Facts, at each Changed). It
// makes no row appear; ask Want afterwards.
func (m *Model) SetFacts(f task.Facts) {
	m.setFacts(f)
	m.news()
}

func (m *Model) setFacts(f task.Facts) {
	m.facts = f
	m.came.note(f, m.now)
}

// news takes over what follows from a changed task or changed facts.
func (m *Model) news() {
	m.endAnswer()
	rev := m.fails.rev
	m.collectFailures()
	if rev != m.fails.rev {
		m.drawRev++
	}
	m.relistEnds()
	m.touch()
}

// SetStop shows how a stop of the task stands.
func (m *Model) SetStop(s StopView) {
	m.stop = s
	m.measure()
	m.touch()
}
