package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

// flooded is a log of which the tail shows the first lines, a mark for what
// passed, and the last ones: as the engine's live end does in a flood.
func flooded(t *testing.T) (*fakeLog, *Model) {
	f := &fakeLog{}
	for i := range 6000 {
		f.text(fmt.Sprintf("line %04d", i))
	}
	m := open(t, Options{}, 80, 24, shellTask(), nil)
	m.SetFacts(f.facts)
	m.Want()
	from, to := f.lines[100].Offset, f.lines[5900].Offset
	p := task.Page{Start: 0, End: f.facts.Size, Top: true, Bottom: true, Facts: f.facts}
	p.Lines = append(p.Lines, f.lines[:100]...)
	p.Lines = append(p.Lines, task.Line{Offset: from, End: to, Mark: task.MarkPassed, Text: "… " + task.Size(to-from) + " passed …"})
	p.Lines = append(p.Lines, f.lines[5900:]...)
	m.SetPage(p)
	f.settle(t, m)
	return f, m
}

// neighbours checks that what is loaded has neither a hole nor a row twice: every
// row begins where the one before it ended.
func neighbours(t *testing.T, m *Model) {
	t.Helper()
	for i := 1; i < len(m.win.rows); i++ {
		if a, b := &m.win.rows[i-1].line, &m.win.rows[i].line; a.End != b.Offset {
			t.Fatalf("row %q ends at %d, %q begins at %d", a.Text, a.End, b.Text, b.Offset)
		}
	}
}

// Issue "a mark … that can be scrolled": from below, what stands under the mark
// stays at its line, and all that passed can be read upwards.
func TestPassedIsScrolledUpwards(t *testing.T) {
	f, m := flooded(t)
	for !strings.Contains(plain(m), "passed") {
		m.scroll(-3)
	}
	before := plain(m)
	at := strings.Count(before[:strings.Index(before, "line 5900")], "\n")
	f.settle(t, m)
	after := plain(m)
	if got := strings.Count(after[:strings.Index(after, "line 5900")], "\n"); got != at {
		t.Errorf("the line under the mark moved from %d to %d:\n%s", at, got, after)
	}
	if !strings.Contains(after, "line 5899") {
		t.Errorf("nothing came in the place of the mark:\n%s", after)
	}
	seen := map[string]bool{}
	for !seen["line 0000"] {
		neighbours(t, m)
		for _, r := range m.inView() {
			seen[r.line.Text] = true
		}
		m.scroll(-10)
		f.settle(t, m)
	}
	for i := range 5900 {
		if s := fmt.Sprintf("line %04d", i); !seen[s] {
			t.Fatalf("%s was never seen", s)
		}
	}
}

// From above: the view stays, the rows come under it, a smaller mark stays.
func TestPassedIsScrolledDownwards(t *testing.T) {
	f, m := flooded(t)
	f.keys(t, m, "g")
	m.scroll(90)
	top := firstRow(m)
	f.settle(t, m)
	if firstRow(m) != top || !strings.Contains(plain(m), "line 0100") {
		t.Errorf("from %q:\n%s", top, plain(m))
	}
	neighbours(t, m)
	seen := map[string]bool{}
	for !m.follow {
		for _, r := range m.inView() {
			seen[r.line.Text] = true
		}
		m.scroll(10)
		f.settle(t, m)
		neighbours(t, m)
	}
	for _, r := range m.inView() {
		seen[r.line.Text] = true
	}
	for i := range 6000 {
		if s := fmt.Sprintf("line %04d", i); !seen[s] && i >= 90 {
			t.Fatalf("%s was never seen", s)
		}
	}
}

// While the reader follows, nothing is asked for in the place of the mark.
func TestPassedCostsNothingWhileFollowing(t *testing.T) {
	f, m := flooded(t)
	n := len(f.asked)
	f.text("more")
	f.settle(t, m)
	for _, req := range f.asked[n:] {
		if !req.Tail {
			t.Errorf("asked for %+v", req)
		}
	}
}

// A following reader of a flood asks for little more than the screen shows and holds
// no more; when the flood is over the rest can be scrolled to (issue: a writer of
// 200 MB/s costs little).
func TestFloodHoldsWhatTheScreenShows(t *testing.T) {
	f := &fakeLog{}
	for i := range 3000 {
		f.text(fmt.Sprintf("line %04d", i))
	}
	m := open(t, Options{}, 80, 24, shellTask(), f)
	n := len(f.asked)
	f.facts.Rate = 200e6
	for i := range 50 {
		for j := range 500 {
			f.text(fmt.Sprintf("flood %d %d", i, j))
		}
		f.settle(t, m)
		if !strings.Contains(plain(m), fmt.Sprintf("flood %d 499", i)) {
			t.Fatalf("the newest row is not shown:\n%s", plain(m))
		}
	}
	for _, req := range f.asked[n:] {
		if !req.Tail || req.Before > 4*24 {
			t.Errorf("asked for %+v", req)
		}
	}
	if rows := len(m.win.rows); rows > 4*24 {
		t.Errorf("%d rows are held", rows)
	}
	f.facts.Rate = 0
	for range 200 {
		m.scroll(-10)
		f.settle(t, m)
		neighbours(t, m)
	}
	if got := firstRow(m); !strings.Contains(got, "flood 45 ") && !strings.Contains(got, "flood 46 ") {
		t.Errorf("2,000 rows up stands %q", got)
	}
}
