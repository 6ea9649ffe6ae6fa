package console

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"offstage/task"
)

// texts are pieces that real logs are made of, and some that nobody should send.
var texts = []string{
	"", " ", "plain ascii", "a rather long line of plain ascii text that needs several rows when it is wrapped",
	"日本語のログ行です。", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "👍🏽", "e\u0301\u0302", "ภาษาไทย", "עברית", "\u0301", "\u200d", "⟦RLO⟧", "█████░░░", "\ufffd",
	"tab\there", "\x1b[31mred\x1b[0m", "\x1b]52;c;aGk=\x07", "\u202eevil", "\x9b31m", "nul\x00", "\xff\xfe", "\u2028", "\u0085", "\r", "https://localhost:5173/?q=1",
}

func genLine(t *rapid.T) task.Line {
	l := task.Line{Text: strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 0, 12).Draw(t, "text"), "")}
	if n := len(l.Text); n > 0 && rapid.Bool().Draw(t, "styled") {
		a := rapid.IntRange(0, n).Draw(t, "a")
		b := rapid.IntRange(a, n).Draw(t, "b")
		l.Spans = []task.Span{{Start: a, End: b, Style: task.Style{FG: task.Indexed(uint8(a)), Attr: task.Attr(b)}}}
	}
	l.Repeat = rapid.SampledFrom([]int{0, 0, 0, 1, 2, 14, 3_000_000}).Draw(t, "repeat")
	l.Cut = rapid.SampledFrom([]int{0, 0, 0, 12_000}).Draw(t, "cut")
	l.Fold = rapid.SampledFrom([]int{0, 0, 0, 7}).Draw(t, "fold")
	l.Mark = rapid.SampledFrom([]task.Mark{0, 0, 0, 0, 0, 0, task.MarkGap, task.MarkNote, task.MarkTrouble, task.MarkPassed}).Draw(t, "mark")
	l.Redrawn, l.Live = rapid.Bool().Draw(t, "redrawn"), rapid.Bool().Draw(t, "live")
	l.Tone = task.Tone(rapid.IntRange(0, 6).Draw(t, "tone"))
	if rapid.Bool().Draw(t, "timed") {
		l.At = testNow
	}
	return l
}

var allKeys = func() []string {
	var keys []string
	for _, b := range table() {
		keys = append(keys, b.Keys...)
	}
	return keys
}()

// TestAlwaysFits: whatever the rows, the size and the keys, the view is exactly h
// lines of at most w cells and holds no escape but SGR (B7, A10).
func TestAlwaysFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Styles: testStyles(), ASCII: rapid.Bool().Draw(t, "ascii"), NoColor: rapid.Bool().Draw(t, "nocolor")}
		m := New(o)
		m.SetSize(size(t))
		m.SetWidths(rapid.SampledFrom([]ansi.Method{ansi.GraphemeWidth, ansi.WcWidth}).Draw(t, "method"))
		tk := shellTask()
		tk.Title = rapid.SampledFrom(texts).Draw(t, "title")
		tk.Status = rapid.SampledFrom([]task.Status{task.Running, task.Failed, task.Lost, task.Cancelled}).Draw(t, "status")
		tk.Pipe.Name = rapid.SampledFrom([]string{"", "tail"}).Draw(t, "pipe")
		tk.Warning = rapid.SampledFrom([]string{"", "The agent may start this task again."}).Draw(t, "warning")
		m.SetTask(tk, testNow, task.QuietAfter)
		f := &fakeLog{}
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			f.add(genLine(t))
		}
		f.settle(nil2(t), m)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			disturb(t, m, f)
			check(t, m)
		}
	})
}

func size(t *rapid.T) (w, h int) {
	return rapid.IntRange(1, 140).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h")
}

// disturb does one of the things that happen to a console.
func disturb(t *rapid.T, m *Model, f *fakeLog) {
	switch rapid.IntRange(0, 6).Draw(t, "what") {
	case 0:
		m.SetSize(size(t))
	case 1:
		f.add(genLine(t))
	case 2:
		kind := rapid.SampledFrom([]MouseKind{MousePress, MouseDrag, MouseRelease, WheelUp, WheelDown}).Draw(t, "mouse")
		m.Mouse(MouseEvent{X: rapid.IntRange(0, m.w).Draw(t, "x"), Y: rapid.IntRange(0, m.h).Draw(t, "y"), Kind: kind, Clicks: rapid.IntRange(0, 3).Draw(t, "clicks")})
	case 3:
		phase := StopPhase(rapid.IntRange(0, 4).Draw(t, "phase"))
		m.SetStop(StopView{Phase: phase, Plan: task.StopPlan{Processes: stopPlan().Processes}, Report: task.StopReport{Ended: stopPlan().Processes}})
	case 4:
		for _, k := range []string{"/", "a", rapid.SampledFrom([]string{"n", "日", "x", "\x1b", "R"}).Draw(t, "q"), rapid.SampledFrom([]string{"enter", "esc", "backspace"}).Draw(t, "end")} {
			m.Key(k)
		}
	default:
		m.Key(rapid.SampledFrom(allKeys).Draw(t, "key"))
	}
	f.settle(nil2(t), m)
}

var sgrOnly = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

func check(t *rapid.T, m *Model) {
	view := m.View()
	kept := listing(m)
	if m.relist(); !slices.Equal(kept, listing(m)) {
		t.Fatalf("the list was kept as\n%q\nmade anew it is\n%q", kept, listing(m))
	}
	lines := strings.Split(view, "\n")
	if len(lines) != m.h {
		t.Fatalf("%d lines in a height of %d:\n%q", len(lines), m.h, view)
	}
	for i, line := range lines {
		plain := sgrOnly.ReplaceAllString(line, "")
		for _, r := range plain {
			if unicode.IsControl(r) || unwanted(r) {
				t.Fatalf("line %d holds %U: %q", i, r, line)
			}
		}
		if w := m.width.StringWidth(plain); w > m.w {
			t.Fatalf("line %d is %d cells in a width of %d: %q", i, w, m.w, line)
		}
	}
}

// listing is what the list of rows says.
func listing(m *Model) []string {
	var out []string
	for _, r := range m.list {
		out = append(out, fmt.Sprint(r.key(), r.text, r.similar))
	}
	return out
}

// nil2 gives settle something that can fail.
func nil2(t *rapid.T) testing.TB { return tb{t: t} }

type tb struct {
	testing.TB
	t *rapid.T
}

func (b tb) Helper()                      {}
func (b tb) Fatalf(s string, args ...any) { b.t.Fatalf("%s", fmt.Sprintf(s, args...)) }
