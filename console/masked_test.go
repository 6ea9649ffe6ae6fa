package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

// hideAll makes the log one that has learned of "value 7": rows that it hands out
// from now on have it hidden.
func (f *fakeLog) hideAll() {
	for i := range f.lines {
		f.lines[i].Text = strings.ReplaceAll(f.lines[i].Text, "value", "[redacted]")
	}
	f.facts.Masked++
	f.facts.Rev++
}

func shownValues(m *Model) int { return strings.Count(plain(m), "value") }

// TestRemasked: when more is to be hidden than was known, the rows that are loaded
// are asked for again, where the reader is; nothing of before is left in the
// window, also far from the view (D5, C9).
func TestRemasked(t *testing.T) {
	for name, keys := range map[string][]string{"following": nil, "scrolled": {"b", "b", "b", "k"}, "at the top": {"g"}, "filtered": {"&", "v", "a", "l", "enter"}} {
		f := &fakeLog{}
		for i := range 6000 {
			f.text(fmt.Sprint("row ", i, " value"))
		}
		m := open(t, Options{}, 80, 24, shellTask(), f)
		if name == "filtered" {
			f.do(t, m, keys...)
		} else {
			f.keys(t, m, keys...)
		}
		f.settle(t, m)
		before := firstRow(m)
		if shownValues(m) == 0 {
			t.Fatalf("%s: the test looks at the wrong place:\n%s", name, plain(m))
		}
		f.hideAll()
		f.settle(t, m)
		if name != "filtered" && shownValues(m) > 0 {
			t.Errorf("%s: still on the screen:\n%s", name, plain(m))
		}
		if want := strings.ReplaceAll(before, "value", "[redacted]"); name == "scrolled" && firstRow(m) != want {
			t.Errorf("%s: the view moved from %q to %q", name, before, firstRow(m))
		}
		for _, r := range m.win.rows {
			if strings.Contains(r.line.Text, "value") {
				t.Errorf("%s: %q is still loaded", name, r.line.Text)
				break
			}
		}
	}
}

// TestLateMasking: a page that was made before more was known never comes beside
// rows that were made after.
func TestLateMasking(t *testing.T) {
	f := &fakeLog{}
	for i := range 4000 {
		f.text(fmt.Sprint("row ", i, " value"))
	}
	m := open(t, Options{}, 80, 24, shellTask(), f)
	late := f.page(task.PageRequest{At: f.lines[1000].Offset, Before: 10, After: 1500})
	f.hideAll()
	f.settle(t, m)
	m.SetPage(late)
	for _, r := range m.win.rows {
		if strings.Contains(r.line.Text, "value") {
			t.Fatalf("%q came late and is loaded", r.line.Text)
		}
	}
}
