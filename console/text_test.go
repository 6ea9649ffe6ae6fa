package console

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"offstage/task"
)

// B7: what is left of SGR comes out as our own, by kind of colour.
func TestSGR(t *testing.T) {
	for want, s := range map[string]task.Style{
		"":                             {},
		"\x1b[1;31m":                   {FG: task.Indexed(1), Attr: task.Bold},
		"\x1b[92;103m":                 {FG: task.Indexed(10), BG: task.Indexed(11)},
		"\x1b[38;5;208;48;2;1;2;3m":    {FG: task.Indexed(208), BG: task.RGB(1, 2, 3)},
		"\x1b[4:3;58;5;9m":             {UL: task.Indexed(9), Attr: task.CurlyUnderline},
		"\x1b[2;3;4;9m":                {Attr: task.Dim | task.Italic | task.Underline | task.Strike},
		"\x1b[1;7;32m":                 {FG: task.Indexed(2), Attr: task.Bold | task.Inverse},
		"\x1b[4:2;4:4;4:5;58;2;0;0;9m": {UL: task.RGB(0, 0, 9), Attr: task.DoubleUnderline | task.DottedUnderline | task.DashedUnderline},
	} {
		if got := sgr(s, false); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
	if got := sgr(task.Style{FG: task.Indexed(1), Attr: task.Bold}, true); got != "\x1b[1m" {
		t.Errorf("NO_COLOR: %q", got)
	}
	if got := sgr(task.Style{FG: task.Indexed(1)}, true); got != "" {
		t.Errorf("NO_COLOR without an attribute: %q", got)
	}
}

// Nothing but text leaves, whatever comes in, and spans move along.
func TestClean(t *testing.T) {
	in := task.Line{Text: "a\x1b[31mb\tc\u202ed\xffe\u0085f", Spans: []task.Span{{Start: 6, End: 9, Style: task.Style{Attr: task.Bold}}}}
	got, ascii := clean(in)
	if got.Text != "a[31mb cd\ufffdef" || ascii {
		t.Errorf("%q, ascii %v", got.Text, ascii)
	}
	if diff := cmp.Diff("b c", got.Text[got.Spans[0].Start:got.Spans[0].End]); diff != "" {
		t.Error(diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(texts)).Draw(t, "s"), "")
		l, ascii := clean(task.Line{Text: s})
		if again, _ := clean(l); again.Text != l.Text {
			t.Fatalf("cleaning twice is not cleaning once: %q, %q", l.Text, again.Text)
		}
		for _, r := range l.Text {
			if unwanted(r) || ascii && r > 0x7e {
				t.Fatalf("%U left in %q", r, l.Text)
			}
		}
	})
}

func TestMend(t *testing.T) {
	in := []task.Span{{Start: 3, End: 5}, {Start: 1, End: 2}, {Start: 4, End: 6}, {Start: 6, End: 99}, {Start: 7, End: 9}}
	l, _ := clean(task.Line{Text: "0123456789", Spans: in})
	want := []task.Span{{Start: 3, End: 5}, {Start: 7, End: 9}}
	if diff := cmp.Diff(want, l.Spans); diff != "" {
		t.Error(diff)
	}
}

// A10: wrapped by cell, no segment is wider than the row, none is lost, no
// cluster is cut; both ways of measuring.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, ascii := clean(task.Line{Text: strings.Join(rapid.SliceOf(rapid.SampledFrom(texts)).Draw(t, "s"), "")})
		width := rapid.IntRange(1, 60).Draw(t, "w")
		method := rapid.SampledFrom([]ansi.Method{ansi.GraphemeWidth, ansi.WcWidth}).Draw(t, "method")
		at := 0
		for _, s := range wrap(l.Text, ascii, width, method) {
			if s.start != at || s.cells > width || s.end == s.start && l.Text != "" {
				t.Fatalf("segment %+v at %d of %q", s, at, l.Text)
			}
			if w := method.StringWidth(l.Text[s.start:s.end]); w != s.cells && width > 10 {
				t.Fatalf("%q is %d cells, not %d", l.Text[s.start:s.end], w, s.cells)
			}
			at = s.end
		}
		if at != len(l.Text) {
			t.Fatalf("%d of %d bytes", at, len(l.Text))
		}
	})
	// The fault of the stock pager: 16 cells of CJK at 5 columns are 4 rows.
	if got := wrap("日本語日本語日本", false, 5, ansi.GraphemeWidth); len(got) != 4 {
		t.Errorf("%d rows: %+v", len(got), got)
	}
}

func TestSlide(t *testing.T) {
	for _, c := range []struct {
		from, width    int
		want           string
		lead           int
		before, behind bool
	}{
		{0, 6, "ab日本", 0, false, true},
		{1, 4, "b日", 0, true, true},
		{3, 4, "本c", 1, true, true},
		{6, 9, "cd", 0, true, false},
		{20, 9, "", 0, true, false},
	} {
		const s = "ab日本cd"
		seg, lead, before, behind := slide(s, c.from, c.width, ansi.GraphemeWidth)
		if got := s[seg.start:seg.end]; got != c.want || lead != c.lead || before != c.before || behind != c.behind {
			t.Errorf("from %d, %d wide: %q lead %d before %v behind %v", c.from, c.width, got, lead, before, behind)
		}
	}
}

// Render is the row for a pipe: no colour asked for, no escape.
func TestRender(t *testing.T) {
	l := task.Line{Text: "PASS all", Repeat: 14, Cut: 3000, Fold: 2, Spans: []task.Span{{Start: 0, End: 4, Style: task.Style{FG: task.Indexed(2)}}}}
	if got, want := Render(l, false), "PASS all … +3,000 characters +2 lines  ×14"; got != want {
		t.Errorf("%q", got)
	}
	if got, want := Render(l, true), "\x1b[32mPASS\x1b[m all … +3,000 characters +2 lines  ×14"; got != want {
		t.Errorf("%q", got)
	}
	if got := Render(task.Line{Text: "\x1b]0;title\x07x"}, true); strings.ContainsAny(got, "\x1b\x07") {
		t.Errorf("%q", got)
	}
}

// E1, E2: the note stands where output stops, until more comes or it ends.
func TestPipeMark(t *testing.T) {
	tk := shellTask()
	tk.Pipe = task.PipeSink{Name: "tail"}
	f := &fakeLog{}
	f.text("last line before")
	m := open(t, Options{}, 80, 24, tk, f)
	note := func() bool { return strings.Contains(plain(m), "Output stops here: this command pipes into tail") }
	if !note() {
		t.Errorf("no mark:\n%s", plain(m))
	}
	fresh := tk
	fresh.Output.LastWrite = testNow
	m.SetTask(fresh, testNow, task.QuietAfter)
	if note() {
		t.Error("the mark stays while output arrives")
	}
	tk.Status = task.Succeeded
	m.SetTask(tk, testNow, task.QuietAfter)
	if note() || !strings.Contains(plain(m), "── ended: completed ──") {
		t.Errorf("after the end:\n%s", plain(m))
	}
	tk.Status, tk.Pipe = task.Running, task.PipeSink{Name: "grep", Soft: true}
	m.SetTask(tk, testNow, task.QuietAfter)
	if strings.Contains(plain(m), "Output may lag") {
		t.Error("a filter that wrote four seconds ago is blamed")
	}
	m.SetTask(tk, testNow.Add(time.Minute), task.QuietAfter)
	if !strings.Contains(plain(m), "Output may lag here: grep") {
		t.Errorf("soft:\n%s", plain(m))
	}
}

// B2: the agent's end mark is the end of the task, and only at the end.
func TestEndMark(t *testing.T) {
	for mark, want := range map[string]string{
		"exited with code 3": "── ended: exit code 3 ──",
		"killed":             "── ended: killed ──",
	} {
		f := &fakeLog{}
		f.text("out", "[exited with code 9]", "more")
		f.facts.EndMark, f.facts.EndMarkAt = mark, f.facts.Size
		f.text("[" + mark + "]")
		m := open(t, Options{}, 80, 24, shellTask(), f)
		v := plain(m)
		if !strings.Contains(v, want) || strings.Contains(v, "["+mark+"]") || !strings.Contains(v, "[exited with code 9]") {
			t.Errorf("%s:\n%s", mark, v)
		}
	}
	f := &fakeLog{}
	f.facts.EndMark = "exited with code 0"
	f.text("[exited with code 0]")
	if v := plain(open(t, Options{}, 80, 24, shellTask(), f)); !strings.Contains(v, "without writing anything") || !strings.Contains(v, "Ended: exit code 0.") {
		t.Errorf("a task that wrote nothing:\n%s", v)
	}
	tk := shellTask()
	tk.Status = task.Lost
	if v := plain(open(t, Options{}, 80, 24, tk, longLog(3))); !strings.Contains(v, "── ended, result unknown ──") {
		t.Errorf("lost:\n%s", v)
	}
}
