package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/console"
	"offstage/panel"
	"offstage/task"
)

// Model is the window. It is the only tea.Model of the program.
type Model struct {
	keys  keymaps
	rest  rest
	o     Options
	fx    *effects
	w, h  int
	dark  bool
	theme theme

	snap   task.Snapshot
	loaded bool
	now    time.Time
	// trouble is one sentence when the engine could not be asked.
	trouble string

	panel     *panel.Model
	collapsed bool
	console   *console.Model
	// open is the task of the console, gen the number of its opening: news of an
	// earlier one is late and dropped.
	open   string
	gen    int
	out    task.Output
	ctx    context.Context
	cancel context.CancelFunc
	// endFind ends the search of the open output.
	endFind context.CancelFunc
	// wish is the page that the console needs, asked the one on its way.
	wish, asked *task.PageRequest
	second      int64 // of the time that is shown
	// openFirst is a task to open once it is listed.
	openFirst string
	// atFailure is the opening that is to start at the first failed test; 0: none.
	atFailure int
	stuck     bool // a page failed; asked again at the next news
	places    map[string]keptPlace
	placeAt   time.Time // when a place was saved last

	focus   focus
	over    overlay
	scroll  int // of the page on top
	card    int // selected card of the session view
	session string
	stops   map[string]*stop
	seq     int
	undo    []string
	inside  inside

	typing            bool
	filter            string
	everywhere, ended bool
	mouse             bool
	widths            ansi.Method // how the terminal measures text
	links             bool        // the terminal takes links (OSC 8)
	ticking           bool
	toast             string
	toastUntil        time.Time
	clicks            clicks
	quitting, byCtrlC bool

	lay   layout
	frame string
	fresh bool
}

// focus is which pane the keys go to.
type focus int

const (
	onList focus = iota
	onUpper
)

// overlay is a page on top of the upper pane.
type overlay int

const (
	noOverlay overlay = iota
	overHelp
	overDetails
	overCard
)

// New makes the window's model. It does nothing until a tea.Program runs it.
func New(o Options) *Model {
	o = o.withDefaults()
	m := &Model{
		o: o, fx: newEffects(o), dark: o.Theme != "light", mouse: o.Mouse,
		everywhere: o.Everywhere, ended: o.Ended, openFirst: o.Open,
		widths: ansi.GraphemeWidth, stops: map[string]*stop{}, places: map[string]keptPlace{},
	}
	m.theme = buildTheme(m.dark, o.NoColor, o.Colours)
	m.panel = panel.New(m.panelOptions())
	m.keys = newKeymaps(o.Keys)
	return m
}

// setTerminal takes up what the terminal is called. Links are sent to all that
// swallow what they do not know; the kernel's own console and old ones print it.
func (m *Model) setTerminal(term string) {
	m.links = term != ""
	for _, old := range []string{"linux", "dumb", "vt", "cons", "ansi", "unknown"} {
		if strings.HasPrefix(term, old) {
			m.links = false
		}
	}
	m.panel.SetLinks(m.links)
	if m.console != nil {
		m.console.SetLinks(m.links)
	}
}

// setMode takes up whether the terminal measures text by grapheme, as the library
// does: until it says so, each rune has its own width.
func (m *Model) setMode(msg tea.ModeReportMsg) {
	if msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
		m.setWidths(ansi.GraphemeWidth)
	}
}

func (m *Model) setWidths(method ansi.Method) {
	m.widths = method
	panel.SetWidths(method)
	m.panel.SetNow(m.now) // what was drawn is drawn anew
	if m.console != nil {
		m.console.SetWidths(method)
	}
}

func (m *Model) setDark(dark bool) {
	if m.o.Theme == "dark" || m.o.Theme == "light" {
		dark = m.o.Theme == "dark"
	}
	m.dark = dark
	m.theme = buildTheme(dark, m.o.NoColor, m.o.Colours)
	m.panel.SetStyles(m.theme.panel)
	if m.console != nil {
		m.console.SetStyles(m.theme.console)
	}
}

// Init starts the engine's watch, the frame pump and the question for the
// terminal's background.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.fx.watch(), m.fx.nextFrame(), m.fx.nextLook()}
	if m.o.asks() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// task finds a task of the snapshot, or an agent of a workflow, by its ID.
func (m *Model) task(id string) (task.Task, bool) { return task.Find(m.snap.Tasks, id) }

// say shows one sentence at the right end of the hint line for three seconds.
func (m *Model) say(text string) {
	m.toast, m.toastUntil = panel.Clean(text), m.now.Add(3*time.Second)
}

// live says whether anything on the screen changes with the clock.
func (m *Model) live() bool {
	if m.toast != "" || len(m.stops) > 0 {
		return true
	}
	for _, t := range m.snap.Tasks {
		if !t.Status.Ended() && !t.Foreground {
			return true
		}
	}
	return false
}

// empty says that there is no row to show, so the panel is hidden (A2). A preview
// card keeps it open (A8).
func (m *Model) empty() bool {
	return m.panel.Rows() == 0 && len(m.snap.Previews) == 0 && m.filter == "" && !m.typing
}
