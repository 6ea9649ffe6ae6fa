package console

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"offstage/task"
)

func mouse(m *Model, kind MouseKind, x, y, clicks int) Action {
	a, _ := m.Mouse(MouseEvent{X: x, Y: y, Kind: kind, Clicks: clicks})
	return a
}

// drag selects from one cell of the body to another; columns are those of the
// text.
func dragText(m *Model, x0, y0, x1, y1 int) Action {
	m.View()
	left, top := m.geo.time+2, m.bodyY()
	mouse(m, MousePress, left+x0, top+y0, 1)
	mouse(m, MouseDrag, left+x1, top+y1, 0)
	return mouse(m, MouseRelease, left+x1, top+y1, 0)
}

func copyLog() *fakeLog {
	f := &fakeLog{}
	f.text("first line of text", "日本語のログ行です", "with a https://localhost:5173/a?b=1, and more")
	f.add(task.Line{Text: "token [redacted] here", Redacted: 1, Repeat: 14})
	f.add(task.Line{Mark: task.MarkGap, Text: "gap of 3 GB"})
	f.add(task.Line{Text: strings.Repeat("w", 200), Cut: 5000})
	return f
}

// B13: a drag takes text by cell, no borders, gutters, badges or marks of ours,
// and says how many values were hidden.
func TestDragCopies(t *testing.T) {
	for name, c := range map[string]struct {
		x0, y0, x1, y1 int
		want           Action
	}{
		"within a row":         {6, 0, 9, 0, Copy{Text: "line", Rows: 1}},
		"backwards":            {9, 0, 6, 0, Copy{Text: "line", Rows: 1}},
		"wide glyphs by cell":  {2, 1, 5, 1, Copy{Text: "本語", Rows: 1}},
		"half of a wide glyph": {3, 1, 4, 1, Copy{Text: "本語", Rows: 1}},
		"over rows":            {11, 0, 3, 1, Copy{Text: "of text\n日本", Rows: 2}},
		"upwards":              {3, 1, 11, 0, Copy{Text: "of text\n日本", Rows: 2}},
		"with a hidden value":  {0, 3, 75, 3, Copy{Text: "token [redacted] here", Rows: 1, Redacted: 1}},
		"over a mark of ours":  {6, 3, 2, 5, Copy{Text: "[redacted] here\nwww", Rows: 2, Redacted: 1}},
		"past a wrapped row":   {70, 5, 75, 7, Copy{Text: strings.Repeat("w", 130), Rows: 1}},
		"a slip of one cell":   {6, 0, 6, 0, nil},
		"behind the end":       {30, 0, 40, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, Options{}, 80, 24, shellTask(), copyLog())
			if diff := cmp.Diff(c.want, dragText(m, c.x0, c.y0, c.x1, c.y1)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A drag keeps its text while output arrives, and scrolls at the edge.
func TestDragWhileGrowing(t *testing.T) {
	f := longLog(200)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	row := firstRow(m)
	m.View()
	mouse(m, MousePress, 2, m.bodyY(), 1)
	f.text("more", "and more")
	f.settle(t, m)
	for range 5 {
		mouse(m, MouseDrag, 10, 0, 0)
	}
	got, ok := mouse(m, MouseRelease, 10, 0, 0).(Copy)
	if !ok || !strings.HasSuffix(got.Text, "\n"+row[:1]) || got.Rows != 4 || m.follow {
		t.Errorf("copied %+v", got)
	}
}

// Double click takes a word, a whole path or address; triple the line.
func TestClicksTakeWordAndLine(t *testing.T) {
	m := open(t, Options{}, 80, 24, shellTask(), copyLog())
	m.View()
	y := m.bodyY() + 2
	mouse(m, MousePress, 2+12, y, 2)
	if got, want := mouse(m, MouseRelease, 2+12, y, 2), (Copy{Text: "https://localhost:5173/a?b=1", Rows: 1}); got != want {
		t.Errorf("double click: %#v", got)
	}
	mouse(m, MousePress, 2+12, y, 3)
	if got, want := mouse(m, MouseRelease, 2+12, y, 3), (Copy{Text: "with a https://localhost:5173/a?b=1, and more", Rows: 1}); got != want {
		t.Errorf("triple click: %#v", got)
	}
	quiet := open(t, Options{NoCopyOnSelect: true}, 80, 24, shellTask(), copyLog())
	if got := dragText(quiet, 6, 0, 9, 0); got != nil {
		t.Errorf("copied on select although it is off: %#v", got)
	}
	if got, _ := quiet.Key("y"); got != (Copy{Text: "line", Rows: 1}) {
		t.Errorf("y on a selection: %#v", got)
	}
}

// y copies the row, v j y rows, Y what is in view.
func TestKeysCopy(t *testing.T) {
	f := longLog(100)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	if got, _ := m.Key("y"); got != (Copy{Text: f.lines[99].Text, Rows: 1}) {
		t.Errorf("y: %#v", got)
	}
	press(t, m, "v", "k", "k")
	if !strings.Contains(plain(m), "select · 3 lines") {
		t.Errorf("select mode is not said:\n%s", plain(m))
	}
	want := f.lines[97].Text + "\n" + f.lines[98].Text + "\n" + f.lines[99].Text
	if got, _ := m.Key("y"); got != (Copy{Text: want, Rows: 3}) {
		t.Errorf("v k k y: %#v", got)
	}
	got, _ := m.Key("Y")
	if c, ok := got.(Copy); !ok || c.Rows != m.geo.body {
		t.Errorf("Y: %#v", got)
	}
	press(t, m, "v")
	for range 50 {
		press(t, m, "k")
	}
	if got := firstRow(m); got != f.lines[47].Text {
		t.Errorf("the selection left the view: top is %q", got)
	}
	if a, _ := m.Key("esc"); a != nil || m.sel.on {
		t.Error("esc did not leave the selection first")
	}
	if a, _ := m.Key("esc"); a != (Close{}) {
		t.Error("the second esc did not close")
	}
}

// The cut and fold words behind a row are ours and are not copied.
func TestTailOfARowIsNotCopied(t *testing.T) {
	f := &fakeLog{}
	f.add(task.Line{Text: "short", Cut: 12, Fold: 3})
	m := open(t, Options{}, 80, 24, shellTask(), f)
	if v := plain(m); !strings.Contains(v, "short … +12 characters … +3 lines") {
		t.Errorf("view:\n%s", v)
	}
	if got := dragText(m, 0, 0, 60, 0); got != (Copy{Text: "short", Rows: 1}) {
		t.Errorf("copied %#v", got)
	}
}
