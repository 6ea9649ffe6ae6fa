package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

func typeKeys(s string) []string { return strings.Split(s, "") }

// B12, as far as it goes here: what is loaded is searched, and no more is
// claimed than that.
func TestSearchLoaded(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	press(t, m, "/")
	press(t, m, typeKeys("]xq")...)
	press(t, m, "backspace", "backspace")
	press(t, m, typeKeys(" Get")...)
	press(t, m, "backspace", "backspace", "backspace", "backspace", "ctrl+u")
	press(t, m, typeKeys("items/512")...)
	if v := plain(m); !strings.Contains(v, "/items/512▏  2 hits in the 2,000 loaded lines") {
		t.Errorf("while typing:\n%s", v)
	}
	press(t, m, "enter")
	if r := m.here(); r == nil || !strings.Contains(r.line.Text, "items/512 ") {
		t.Errorf("enter went to %v", r)
	}
	if v := plain(m); !strings.Contains(v, "2 of 2 in the 2,000 loaded lines") {
		t.Errorf("after enter:\n%s", v)
	}
	press(t, m, "N")
	if v := plain(m); !strings.Contains(v, "1 of 2") || !strings.Contains(v, "items/512 ") {
		t.Errorf("N:\n%s", v)
	}
	if a, _ := m.Key("N"); a != (Toast{"No hit further up in what is loaded; L loads earlier lines"}) {
		t.Errorf("N at the first hit: %#v", a)
	}
	f.keys(t, m, "L")
	if v := plain(m); !strings.Contains(v, "3 of 4 in the 4,000 loaded lines") {
		t.Errorf("after loading more:\n%s", v)
	}
	if a, _ := m.Key("esc"); a != nil || m.find.query != "" {
		t.Error("esc did not leave the search first")
	}
	if _, used := m.Key("n"); used {
		t.Error("n acts without a search")
	}
}

// A capital makes case count; hits are filled, also over colours and wraps, and
// never in words of ours.
func TestHitsAreShown(t *testing.T) {
	f := &fakeLog{}
	f.add(task.Line{Text: "error and ERROR " + strings.Repeat("x", 58) + "Error", Cut: 10, Spans: []task.Span{{Start: 3, End: 12, Style: task.Style{FG: task.Indexed(1)}}}})
	f.add(task.Line{Mark: task.MarkNote, Text: "an error of ours"})
	for _, c := range []struct {
		query string
		fills int
	}{{"error", 4}, {"ERROR", 1}, {"characters", 0}} {
		m := open(t, Options{Styles: testStyles()}, 80, 24, shellTask(), f)
		press(t, m, "/")
		press(t, m, typeKeys(c.query)...)
		press(t, m, "enter")
		// The third hit of "error" is cut by the wrap into two fills.
		if got := strings.Count(m.View(), "\x1b[33m\x1b[7m"); got != c.fills {
			t.Errorf("%s: %d fills in\n%q", c.query, got, m.View())
		}
	}
}

// Giving up while typing brings back the search of before; the keys of the
// console are text meanwhile.
func TestTypingIsText(t *testing.T) {
	m := open(t, Options{}, 80, 24, devTask(), devLog())
	press(t, m, "/", "v", "i", "t", "e", "enter")
	press(t, m, "/", "q", "x", "y", "space", "G", "f5")
	if m.find.query != "qxy G" {
		t.Errorf("query %q", m.find.query)
	}
	if h := m.Hints(); len(h) != 2 || h[0].Keys[0] != "enter" {
		t.Errorf("hints while typing: %v", h)
	}
	press(t, m, "esc")
	if m.find.query != "vite" {
		t.Errorf("back to %q", m.find.query)
	}
	m = open(t, Options{}, 80, 24, shellTask(), &fakeLog{})
	if a, _ := m.Key("/"); a == nil || m.find.typing {
		t.Error("searching nothing")
	}
}

func BenchmarkSearchWhileFollowing(b *testing.B) {
	f := benchLog(6000)
	m := open(b, Options{Styles: testStyles()}, 120, 40, shellTask(), f)
	f.keys(b, m, "L")
	for _, k := range typeKeys("/9999") {
		press(b, m, k)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		press(b, m, "backspace", fmt.Sprint(i%10))
		_ = m.View()
	}
}
