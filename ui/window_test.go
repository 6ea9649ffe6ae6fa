package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/panel"
	"offstage/task"
	"offstage/ui/uitest"
)

func containsBoth(s, a, b string) bool { return strings.Contains(s, a) && strings.Contains(s, b) }

func cellOf(row, text string) (int, bool) {
	at := strings.Index(row, text)
	if at < 0 {
		return -1, false
	}
	return ansi.StringWidth(row[:at]), true
}

// TestPanelIsLast is A1: the last block above the hints; one line when closed;
// the spinner steps once a second and only while something runs.
func TestPanelIsLast(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	d.press("space")
	row := d.rows()[22]
	if !strings.Contains(row, "5 background tasks running · 4 finished") {
		t.Fatalf("the row above the hints is %q", row)
	}
	d.later(time.Second)
	if next := d.rows()[22]; next == row {
		t.Fatal("the spinner stands still")
	} else if d.later(0); d.rows()[22] != next {
		t.Fatal("the spinner steps without the clock")
	}
	d.press("enter")
	d.has("npm run dev")
	_, y := d.find("background tasks running")
	d.click(5, y)
	d.lacks("npm run dev")
	s := oneSession()
	s.Tasks = s.Tasks[5:]
	d.snap(s)
	d.has("No background tasks running · 4 finished")
	if d.m.live() {
		t.Fatal("the clock runs with nothing alive")
	}
}

// TestOverflowMarks is A3.
func TestOverflowMarks(t *testing.T) {
	d := drive(t, 80, 12, sample())
	d.has("↓ ")
	d.lacks("↑ ")
	d.press("G")
	d.has("↑ 9 more", "k6 run load.js")
	d.press("g")
	d.has("npm run dev", "↓ ")
}

// TestFinishedRow is A5: the mark, the word, the duration, and × that hides;
// u brings the row back; the cursor's line stays.
func TestFinishedRow(t *testing.T) {
	d := drive(t, 80, 30, oneSession())
	_, y := d.find("eslint .")
	if row := d.rows()[y]; !containsBoth(row, "✓ eslint .", "completed") || !containsBoth(row, "41s", "×") {
		t.Fatalf("row: %s", row)
	}
	x, _ := cellOf(d.rows()[y], "×")
	d.click(x, y)
	d.lacks("eslint .")
	d.press("u")
	d.has("✓ eslint .", "? docker compose up", "ended, result unknown", "■ cargo build")
	sel, _ := d.m.panel.Selected()
	if sel.Title != "eslint ." {
		t.Fatalf("the cursor is on %s", sel.Title)
	}
	d.press("d")
	d.lacks("✓ eslint .")
	d.press("D")
	d.lacks("playwright", "docker compose")
}

// TestLayouts is B1: under 60 columns or 12 rows the console fills the window;
// from 60 it stands above; from 120 beside.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		side  bool
		panel int // lines of the panel
		upper rect
	}{
		{40, 24, false, 0, rect{0, 0, 40, 23}},
		{59, 24, false, 0, rect{0, 0, 59, 23}},
		{100, 11, false, 0, rect{0, 0, 100, 10}},
		{60, 24, false, 2, rect{0, 0, 60, 20}},
		{119, 40, false, 2, rect{0, 0, 119, 36}},
		{120, 40, true, 39, rect{37, 0, 83, 39}},
		{300, 100, true, 99, rect{49, 0, 251, 99}},
	} {
		d := drive(t, c.w, c.h, oneSession())
		d.press("enter")
		d.openOutput()
		if l := d.m.lay; l.side != c.side || l.panel.h != c.panel || l.upper != c.upper {
			t.Errorf("%d×%d: side %v, panel %+v, upper %+v", c.w, c.h, l.side, l.panel, l.upper)
		}
		if c.side {
			d.has("vitest run", "npm run dev")
		}
		d.press("esc")
		if d.m.console != nil {
			t.Errorf("%d×%d: Esc leaves the console open", c.w, c.h)
		}
	}
}

// TestClosingTheConsole is B1's other ways: the back key, a click outside.
func TestClosingTheConsole(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	d.press("enter", "q")
	if d.m.console != nil || d.m.quitting {
		t.Fatal("q with a console open should go back, not quit")
	}
	d.press("enter")
	d.click(3, d.m.lay.rule)
	if d.m.console != nil {
		t.Fatal("a click outside leaves the console open")
	}
	d.press("q")
	if !d.m.quitting {
		t.Fatal("q on the list should quit")
	}
}

// TestLateNewsIsDropped: pages and outputs of a console that was closed or
// changed are known by their number.
func TestLateNewsIsDropped(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("enter")
	late := d.m.gen
	d.press("]")
	d.openOutput()
	d.send(frameMsg{now: d.now, pages: []pageNews{{gen: late, page: task.Page{Lines: []task.Line{{Text: "from another task"}}}}}})
	d.lacks("from another task")
	d.send(openedMsg{gen: late, out: d.e.Output("claude:vite")})
	if d.m.out != d.e.Output(d.m.open) {
		t.Fatal("a late output took the place of the open one")
	}
}

// TestQuietOnRows is D1, D2 and D4 as rows show them.
func TestQuietOnRows(t *testing.T) {
	d := drive(t, 100, 45, sample())
	d.has("no output for 14 min", "waiting for input", "Do you want to continue? [Y/n]")
	d.lacks("stalled")
	amber := string(buildTheme(true, false, nil).panel.Amber)
	if !strings.Contains(d.frame(), amber+"no output for 14 min") {
		t.Fatal("past the setting the hint is not amber")
	}
	if strings.Contains(d.frame(), amber+"no output for 3 min") {
		t.Fatal("before the setting the hint is amber")
	}
	d.m.panel.Select("claude:migrate")
	d.send(tickMsg{now: d.now})
	d.has("this command pipes into tail")
}

// TestWheelGoesUnderThePointer: notches of one frame move the pane under them.
func TestWheelGoesUnderThePointer(t *testing.T) {
	d := drive(t, 160, 30, oneSession())
	d.press("enter")
	d.openOutput()
	before, _ := d.m.panel.Selected()
	d.send(frameMsg{now: d.now, wheel: &wheelNews{x: 100, y: 10, n: -2}})
	if after, _ := d.m.panel.Selected(); after.ID != before.ID {
		t.Fatal("the wheel over the console moved the list")
	}
	d.send(frameMsg{now: d.now, wheel: &wheelNews{x: 3, y: 5, n: 1}})
	if after, _ := d.m.panel.Selected(); after.ID == before.ID {
		t.Fatal("the wheel over the list moved nothing")
	}
}

// TestFilter: / leaves rows that contain every word, Esc shows all again.
func TestFilter(t *testing.T) {
	d := drive(t, 80, 24, sample())
	d.press("/", "v", "i", "t", "e", "s", "t", "enter")
	d.has("vitest run", "/vitest")
	d.lacks("npm run dev")
	d.press("esc", "g")
	d.has("npm run dev")
	d.press("/", "z", "z", "z")
	d.has("No task matches")
}

// TestMouseIsGivenBack is B16: M releases the mouse while it runs.
func TestMouseIsGivenBack(t *testing.T) {
	d := drive(t, 80, 24, sample())
	if d.m.View().MouseMode != tea.MouseModeCellMotion {
		t.Fatal("no mouse at the start")
	}
	d.press("M")
	if d.m.View().MouseMode != tea.MouseModeNone {
		t.Fatal("M does not give the mouse back")
	}
}

// TestFarewell: one line after the window, and after ^C that nothing was touched.
func TestFarewell(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	var b bytes.Buffer
	if err := d.m.farewell(&b); err != nil || b.String() != "5 tasks still running · reopen with offstage\n" {
		t.Fatalf("%q %v", b.String(), err)
	}
	d.press("ctrl+c")
	b.Reset()
	if err := d.m.farewell(&b); err != nil || b.String() != "Quitting touched no task · 5 tasks still running · reopen with offstage\n" {
		t.Fatalf("%q %v", b.String(), err)
	}
}

// TestQuitBehindEsc: Esc and ^C that arrive in one read are one key to the
// terminal's reader; it quits all the same.
func TestQuitBehindEsc(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	d.send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl | tea.ModAlt})
	if !d.m.byCtrlC {
		t.Error("the window stays open")
	}
}

// TestOpenAtStart opens the console of Options.Open with the first snapshot.
func TestOpenAtStart(t *testing.T) {
	d := drive(t, 80, 24, oneSession(), func(o *Options) { o.Open = "claude:vitest" })
	if d.m.open != "claude:vitest" || d.m.console == nil {
		t.Fatal("no console at the start")
	}
	s := oneSession()
	s.Tasks = s.Tasks[:1]
	d.snap(s)
	if d.m.console != nil {
		t.Fatal("the console of a task that is gone stays open")
	}
	d = drive(t, 80, 24, s, func(o *Options) { o.Open = "claude:vitest" })
	d.snap(oneSession())
	if d.m.open != "claude:vitest" {
		t.Fatal("a task that is listed later is not opened")
	}
}

// TestOnlyWebAddressesOpen: a task cannot have a program started.
func TestOnlyWebAddressesOpen(t *testing.T) {
	opened := ""
	d := drive(t, 80, 24, oneSession(), func(o *Options) { o.OpenURL = func(u string) error { opened = u; return nil } })
	if cmd := d.m.openURL("claude:vite", "file:///etc/passwd"); cmd != nil || opened != "" {
		t.Fatal("a file: address was opened")
	}
	if cmd := d.m.openURL("claude:vite", "http://localhost:5173/"); cmd == nil {
		t.Fatal("a web address is not opened")
	} else if cmd(); opened != "http://localhost:5173/" {
		t.Fatalf("opened %q", opened)
	}
}

// TestMailbox: many pieces of news are one message a frame, the newest of each
// kind, and turning the wheel back cancels what was not shown.
func TestMailbox(t *testing.T) {
	b := newMailbox()
	for i := range 100 {
		s := uitest.Empty(uitest.Start)
		s.Rev = uint64(i)
		b.put(func(f *frameMsg) { f.snap = &s })
		b.wheel(1, 1, 1)
	}
	b.wheel(1, 1, -1)
	b.page(pageNews{gen: 3})
	b.page(pageNews{gen: 2})
	b.page(pageNews{gen: 3})
	f, ok := b.next(t.Context())
	if !ok || f.snap.Rev != 99 || f.wheel.n != -1 || len(f.pages) != 2 || f.pages[1].gen != 3 {
		t.Fatalf("%+v", f)
	}
}

// TestCopyWhatToTellTheAgent is the end of A6.
func TestCopyWhatToTellTheAgent(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.m.panel.Select("claude:build")
	a, _ := d.m.panel.Key("y")
	if c, ok := a.(panel.Copy); !ok || !strings.Contains(c.Text, `I stopped the background task "cargo build --release" on purpose`) {
		t.Fatalf("%+v", a)
	}
	d.m.panel.Select("claude:vite")
	if a, _ := d.m.panel.Key("y"); a.(panel.Copy).Text != "npm run dev" {
		t.Fatalf("%+v", a)
	}
}

// TestFactsAloneDrawNothing: news that only leads to a page leaves the frame.
func TestFactsAloneDrawNothing(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("enter")
	d.openOutput()
	before := d.frame()
	out := d.e.Output(d.m.open)
	out.Grow("new")
	d.send(frameMsg{now: d.now, facts: &factsNews{gen: d.m.gen, facts: out.Facts()}})
	if !d.m.fresh || d.frame() != before {
		t.Fatal("a frame was drawn for facts alone")
	}
	d.pages()
	d.has("new")
}

// TestChipOpensAtTheFailure is B11 from the row: a click on a red test chip opens
// the console at the first failed test.
func TestChipOpensAtTheFailure(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	x, y := d.find("✓ 412 ✘ 2")
	d.click(x+1, y)
	if d.m.open != "claude:vitest" {
		t.Fatal("the chip opens nothing")
	}
	d.openOutput()
	d.has("vitest line 4 of the output") // the line that the sample names as failed
	d.lacks("last line so far")
}

// TestFocusNamesTheCounts is F1: the row under the cursor names the runner and
// its counts.
func TestFocusNamesTheCounts(t *testing.T) {
	d := drive(t, 80, 30, oneSession())
	d.lacks("vitest, 412 passed, 2 failed")
	d.m.panel.Select("claude:vitest")
	d.send(tickMsg{now: d.now})
	d.has("✘ src/cart.test.ts > totals keeps the cents", "vitest, 412 passed, 2 failed")
}

// TestEndInAnOpenConsoleIsSeen is A5: a failure that a person watched is none
// that nobody has looked at.
func TestEndInAnOpenConsoleIsSeen(t *testing.T) {
	fail := func(s *task.Snapshot) { s.Tasks[0].Status, s.Tasks[0].Ended = task.Failed, s.At }
	d := drive(t, 100, 30, oneSession())
	s := oneSession()
	fail(&s)
	if d.m.gotSnapshot(s) != nil {
		t.Error("a failure behind a closed console is taken for seen")
	}
	d = drive(t, 100, 30, oneSession())
	d.press("enter")
	cmd := d.m.gotSnapshot(s)
	if cmd == nil {
		t.Fatal("the end in an open console is not noted")
	}
	cmd()
	if got := d.e.Calls(); len(got) != 1 || got[0] != "seen "+s.Tasks[0].ID {
		t.Errorf("asked of the engine: %q", got)
	}
	if d.m.gotSnapshot(s) != nil {
		t.Error("noted twice")
	}
}
