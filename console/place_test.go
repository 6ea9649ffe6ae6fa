package console

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"offstage/task"
)

// B14: resize, wrap, time column and growth keep the anchored text on screen.
func TestAnchorStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &fakeLog{}
		for i := range 300 {
			f.add(task.Line{Text: fmt.Sprintf("%03d ", i) + strings.Repeat(rapid.SampledFrom(texts[:14]).Draw(t, "text"), i%7), At: testNow})
		}
		m := New(Options{Zone: time.UTC})
		m.SetSize(80, 24)
		m.SetTask(shellTask(), testNow, task.QuietAfter)
		f.settle(nil2(t), m)
		m.scroll(-rapid.IntRange(30, 200).Draw(t, "up"))
		want := firstRow(m)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				m.SetSize(rapid.IntRange(20, 150).Draw(t, "w"), rapid.IntRange(6, 30).Draw(t, "h"))
			case 1:
				m.Key("w")
			case 2:
				m.Key("t")
			case 3:
				f.text("grown")
			}
			f.settle(nil2(t), m)
			if got := firstRow(m); got != want {
				t.Fatalf("the view moved from %q to %q", want, got)
			}
		}
	})
}

// B14: no toggle resets another: all pairs, both orders.
func TestTogglesAreOrthogonal(t *testing.T) {
	type state struct {
		wrap, follow bool
		times        timeMode
		column       int
		lines        bool
	}
	of := func(m *Model) state { return state{m.wrap, m.follow, m.timeMode(), m.column, m.sel.lines} }
	toggles := []string{"w", "t", "f", "v"}
	for _, a := range toggles {
		for _, b := range toggles {
			if a == b {
				continue
			}
			mk := func() (*fakeLog, *Model) {
				f := &fakeLog{}
				for i := range 90 {
					f.add(task.Line{Text: strings.Repeat(fmt.Sprint(i), 100), At: testNow})
				}
				return f, open(t, Options{}, 80, 24, shellTask(), f)
			}
			f, m := mk()
			f.keys(t, m, a)
			only := of(m)
			f.keys(t, m, b)
			both := of(m)
			f2, m2 := mk()
			f2.keys(t, m2, b)
			alone := of(m2)
			want := only
			switch b {
			case "w":
				want.wrap = alone.wrap
			case "t":
				want.times = alone.times
			case "f":
				want.follow = !only.follow
			case "v":
				want.lines, want.follow = true, false
			}
			if diff := cmp.Diff(want, both, cmp.AllowUnexported(state{})); diff != "" {
				t.Errorf("%s then %s: %s", a, b, diff)
			}
		}
	}
}

// L4, B14: the place comes back after closing and opening again.
func TestPlaceComesBack(t *testing.T) {
	f := longLog(20_000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.keys(t, m, "g")
	for range 40 {
		f.keys(t, m, "pgdown")
	}
	want, p := firstRow(m), m.Place()
	m2 := open(t, Options{}, 100, 30, shellTask(), nil)
	m2.SetPlace(p)
	f.settle(t, m2)
	if got := firstRow(m2); got != want {
		t.Errorf("came back to %q, was at %q", got, want)
	}
	p.Gen = 7
	m3 := open(t, Options{}, 80, 24, shellTask(), nil)
	m3.SetPlace(p)
	f.settle(t, m3)
	if !m3.follow || lastRow(m3) != f.lines[19_999].Text {
		t.Errorf("a place in another file shows %q", lastRow(m3))
	}
	m.SetTask(devTask(), testNow, 0)
	if !m.Place().Follow {
		t.Error("another task began at the old place")
	}
}

// B6: a run of equal lines that a page border cuts is one row again.
func TestRunsJoinAtTheSeam(t *testing.T) {
	line := func(n int, off, end int64, rep int) task.Line {
		return task.Line{Text: "same", Offset: off, End: end, Repeat: rep, Number: int64(n)}
	}
	tail := task.Page{Lines: []task.Line{line(4, 15, 50, 7), {Text: "other", Offset: 50, End: 56}}, Start: 15, End: 56, Bottom: true, Facts: task.Facts{Size: 56, Rev: 1}}
	head := task.Page{Lines: []task.Line{line(1, 0, 15, 3)}, Start: 0, End: 15, Top: true, Facts: task.Facts{Size: 56, Rev: 1}}
	m := open(t, Options{}, 80, 24, shellTask(), nil)
	m.SetFacts(tail.Facts)
	m.Want()
	m.SetPage(tail)
	m.Key("L")
	if req, ok := m.Want(); !ok || req.At != 15 {
		t.Fatalf("asked %+v", req)
	}
	m.SetPage(head)
	if got := m.win.rows[0].line; got.Repeat != 10 || len(m.win.rows) != 2 {
		t.Errorf("%d rows, first ×%d", len(m.win.rows), got.Repeat)
	}
	// A refreshed tail that begins inside the run: its head is not counted twice.
	again := task.Page{Lines: []task.Line{line(6, 25, 50, 5), {Text: "other", Offset: 50, End: 56}}, Start: 25, End: 56, Bottom: true, Facts: task.Facts{Size: 56, Rev: 1}}
	m.SetPage(again)
	if got := m.win.rows[0].line; got.Repeat != 10 || len(m.win.rows) != 2 {
		t.Errorf("overlap: %d rows, first ×%d", len(m.win.rows), got.Repeat)
	}
}

// The thumb is a place in the bytes: its drag goes there without reading between.
func TestThumbDrag(t *testing.T) {
	f := longLog(50_000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	from, _, ok := m.thumb()
	if !ok {
		t.Fatal("no thumb")
	}
	m.Mouse(MouseEvent{X: 79, Y: m.bodyY() + from, Kind: MousePress})
	m.Mouse(MouseEvent{X: 79, Y: m.bodyY() + m.geo.body/2, Kind: MouseDrag})
	f.settle(t, m)
	m.Mouse(MouseEvent{X: 79, Y: m.bodyY() + m.geo.body/2, Kind: MouseRelease})
	if n := m.topNumber(); n < 24_000 || n > 27_000 {
		t.Errorf("half way down is line %d of 50,000", n)
	}
}

// Bytes that make no row between a neighbour and the window are no gap, and a
// page that could not be read is no answer.
func TestUnevenPages(t *testing.T) {
	f := longLog(6000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	for range 98 {
		press(t, m, "pgup")
	}
	req, ok := m.Want()
	if !ok || req.Tail {
		t.Fatalf("asked %+v", req)
	}
	p := f.page(req)
	p.End -= 40
	m.SetPage(p)
	if got := len(m.win.rows); got != 2000+aheadRows {
		t.Errorf("%d rows after a neighbour that ends 40 bytes early", got)
	}
	view := m.View()
	f.text("more")
	m.Key("G")
	m.SetFacts(f.facts)
	if _, ok := m.Want(); !ok {
		t.Fatal("does not ask for the end")
	}
	m.SetPage(task.Page{Facts: f.facts})
	if strings.Split(m.View(), "\n")[4] == "" || len(m.win.rows) < 2000 {
		t.Errorf("an empty answer emptied the view, before:\n%s", view)
	}
	m.SetTask(shellTask(), testNow.Add(3*time.Second), task.QuietAfter)
	f.settle(t, m)
	if lastRow(m) != "more" {
		t.Errorf("did not come back: %q", lastRow(m))
	}
}

// O4: rows of one record share an offset; a page border inside a record loses
// none of them, whichever way the reader goes.
func TestRecordsOfManyRows(t *testing.T) {
	f := &fakeLog{}
	for i := range 3000 {
		at := f.facts.Size
		for part := range 7 {
			f.lines = append(f.lines, task.Line{Offset: at, Part: part, End: at + 100, Text: fmt.Sprintf("record %d part %d", i, part)})
		}
		f.facts.Size, f.facts.Rev = at+100, f.facts.Rev+1
	}
	tk := shellTask()
	tk.Decoder = plainDecoder{}
	m := open(t, Options{}, 80, 24, tk, f)
	seen := map[string]bool{}
	look := func() {
		for _, r := range m.inView() {
			seen[r.line.Text] = true
		}
	}
	for range len(f.lines)/m.page() + 10 {
		look()
		f.keys(t, m, "pgup")
	}
	if got := firstRow(m); got != "record 0 part 0" || len(seen) < len(f.lines) {
		t.Errorf("up: at %q, %d of %d rows seen", got, len(seen), len(f.lines))
	}
	clear(seen)
	for range len(f.lines)/m.page() + 10 {
		look()
		f.keys(t, m, "pgdown")
	}
	if len(seen) < len(f.lines) || !m.follow {
		t.Errorf("down: %d of %d rows seen", len(seen), len(f.lines))
	}
}
