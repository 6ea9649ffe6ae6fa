package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"offstage/task"
)

func typeKeys(s string) []string { return strings.Split(s, "") }

// searchFor types a query and gives what the root is asked for.
func searchFor(m *Model, q string, expr bool) Find {
	m.Key("/")
	if expr != m.find.expr {
		m.Key("ctrl+r")
	}
	for _, k := range typeKeys(q) {
		if k == " " {
			k = "space"
		}
		m.Key(k)
	}
	a, _ := m.Key("enter")
	f, _ := a.(Find)
	return f
}

// B12: the whole output is searched; hits of what is loaded are marked while the
// letters come, and no more is claimed than that.
func TestSearchWhole(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	press(t, m, "/")
	press(t, m, typeKeys("]xq")...)
	press(t, m, "backspace", "backspace", "ctrl+u")
	press(t, m, typeKeys("items/512")...)
	if v := plain(m); !strings.Contains(v, "/items/512▏  2 hits in what is loaded   plain  ctrl+r regexp") {
		t.Errorf("while typing:\n%s", v)
	}
	a := f.do(t, m, "enter")
	if find, ok := a.(Find); !ok || find.Query.Text != "items/512" || find.From <= 0 || find.Seq != 1 {
		t.Errorf("enter asks for %#v", a)
	}
	if r := m.here(); r == nil || !strings.Contains(r.line.Text, "items/512 ") {
		t.Errorf("enter went to %v", r)
	}
	for i, want := range []string{"9 of 9", "8 of 9", "7 of 9", "6 of 9"} {
		if v := plain(m); !strings.Contains(v, want) || !strings.Contains(v, "items/512 ") {
			t.Errorf("after %d N:\n%s", i, v)
		}
		f.do(t, m, "N")
	}
	for range 4 {
		f.do(t, m, "N")
	}
	if a := f.do(t, m, "N"); a != (Toast{"No hit further up"}) {
		t.Errorf("N at the first hit: %#v", a)
	}
	f.do(t, m, "n")
	if v := plain(m); !strings.Contains(v, "2 of 9") {
		t.Errorf("n after the first:\n%s", v)
	}
	if a := f.do(t, m, "esc"); a != (EndFind{}) || m.find.query.Text != "" {
		t.Errorf("esc: %#v", a)
	}
	if _, used := m.Key("n"); used {
		t.Error("n acts without a search")
	}
}

// The first hit is gone to as soon as it is known, outward from the reader; a
// second report does not move the reader again. What came before counts anew.
func TestFirstHitAsItComes(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	a := searchFor(m, "[000100]", false)
	if v := plain(m); !strings.Contains(v, "searching…") {
		t.Errorf("before any news:\n%s", v)
	}
	m.SetFound(a.Seq, task.Found{Again: true, Looked: 40_000, Size: 400_000})
	if v := plain(m); !strings.Contains(v, "0 hits · 10 % searched") {
		t.Errorf("on the way:\n%s", v)
	}
	if b, _ := m.Key("n"); b != (Toast{"No hit further down so far · 10 % searched"}) {
		t.Errorf("n on the way: %#v", b)
	}
	hit := task.Hit{Offset: f.lines[99].Offset}
	m.SetFound(a.Seq-1, task.Found{Hits: []task.Hit{{Offset: 7}}, Count: 1})
	m.SetFound(a.Seq, task.Found{Hits: []task.Hit{hit}, Count: 1, Looked: 50_000, Size: 400_000})
	f.settle(t, m)
	if v := plain(m); !strings.Contains(v, "[000100]") || !strings.Contains(v, "1 of 1 · 12 % searched") {
		t.Errorf("at the first hit:\n%s", v)
	}
	place := m.Place()
	m.SetFound(a.Seq, task.Found{Hits: []task.Hit{{Offset: 0}}, Count: 2, Looked: 400_000, Size: 400_000, Done: true})
	if v := plain(m); !cmp.Equal(m.Place(), place) || !strings.Contains(v, "2 of 2  ") {
		t.Errorf("when all is known:\n%s", v)
	}
	m.SetFound(a.Seq, task.Found{Again: true, Since: hit.Offset, Count: 1, Looked: 400_000, Size: 400_000, Done: true})
	if len(m.find.hits) != 1 {
		t.Errorf("hits %v", m.find.hits)
	}
	b := searchFor(m, "nowhere", false)
	m.SetFound(b.Seq, task.Found{Again: true, Looked: 400_000, Size: 400_000, Done: true})
	if v := plain(m); !strings.Contains(v, "No row of the output matches") {
		t.Errorf("without a hit:\n%s", v)
	}
}

// A run of equal rows is one step; an expression that is none stays, with why.
func TestHitsOfRuns(t *testing.T) {
	f := &fakeLog{}
	f.text("first same")
	f.add(task.Line{Text: "same", Repeat: 3})
	f.lines[1].End += 10
	f.facts.Size += 10
	f.text("last same")
	m := open(t, Options{}, 80, 24, shellTask(), f)
	a := searchFor(m, "same", false)
	m.SetFound(a.Seq, task.Found{Hits: []task.Hit{{Offset: 0}, {Offset: 11}, {Offset: 16}, {Offset: 21}, {Offset: 26}}, Count: 5, Done: true})
	for _, want := range []string{"1 of 5", "2 of 5", "5 of 5"} {
		if v := plain(m); !strings.Contains(v, want) {
			t.Errorf("no %q in\n%s", want, v)
		}
		f.settle(t, m)
		m.Key("n")
	}
	press(t, m, "/", "ctrl+r", "a", "(", "enter")
	if v := plain(m); !m.find.typing || !strings.Contains(v, "not a regular expression: missing closing )") {
		t.Errorf("a bad expression:\n%s", v)
	}
}

// B12: a filter leaves the reader at the place, in and out, and mixes with no
// toggle; esc brings all lines back.
func TestFilterKeepsThePlace(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.do(t, m, "w", "pgup", "pgup", "pgup", "&", "/", "5", "1", "enter")
	at := firstRow(m)
	for _, r := range m.inView() {
		if r.role == output && !strings.Contains(r.line.Text, "/51") {
			t.Errorf("row %q passes the filter", r.line.Text)
		}
	}
	if v := plain(m); !strings.Contains(v, "only &/51") || !strings.Contains(v, "no wrap") {
		t.Errorf("filtered:\n%s", v)
	}
	f.do(t, m, "w", "+")
	if firstRow(m) != at && m.inView()[1].line.Text != at {
		t.Errorf("context moved the view from %q to %q", at, firstRow(m))
	}
	f.do(t, m, "g")
	if !strings.Contains(plain(m), "/518 ") || m.win.rows[0].line.Offset != f.lines[13].Offset {
		t.Errorf("the start of what passes:\n%s", plain(m))
	}
	f.do(t, m, "G")
	f.text("new /519 here", "new /400 here")
	f.settle(t, m)
	if !m.follow || !strings.Contains(plain(m), "new /519 here") {
		t.Errorf("following a filter:\n%s", plain(m))
	}
	for _, r := range f.asked[len(f.asked)-1:] {
		if r.Tail || r.At < f.facts.Size-100 {
			t.Errorf("what is new costs %+v", r)
		}
	}
	f.do(t, m, "pgup")
	at = firstRow(m)
	f.do(t, m, "esc")
	if firstRow(m) != at || m.filter != nil || !strings.Contains(m.inView()[1].line.Text, "GET") {
		t.Errorf("lifted at %q, was at %q", firstRow(m), at)
	}
	f.do(t, m, "&", "!", "G", "E", "T", "enter", "G")
	if v := plain(m); !strings.Contains(v, "without &GET") || strings.Contains(v, "200") || !strings.Contains(v, "new /400") {
		t.Errorf("filtered out:\n%s", v)
	}
}

// What passes is rare and a page looks at little: the view fills by itself.
func TestFilterLooksOn(t *testing.T) {
	for _, key := range []string{"G", "g"} {
		f := longLog(9000)
		f.reach = 20_000
		m := open(t, Options{}, 80, 24, shellTask(), f)
		f.do(t, m, key, "pgup", "&", "[", "0", "0", "0", "1", "0", "0", "]", "enter")
		if len(m.win.rows) != 1 || !m.win.top || !m.win.bottom {
			t.Errorf("%s: %d rows, top %v, bottom %v", key, len(m.win.rows), m.win.top, m.win.bottom)
		}
	}
}

// A page of the time before the filter, or of another, changes nothing.
func TestFilterIgnoresOtherPages(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	m.scroll(-40)
	late := f.page(task.PageRequest{At: 0, After: 100})
	press(t, m, "&", "5", "1", "enter")
	rows := len(m.win.rows)
	m.SetPage(late)
	if len(m.win.rows) != rows || m.win.filter != nil {
		t.Error("a late page was taken")
	}
	f.settle(t, m)
	if m.win.filter != m.filter || m.filter == nil {
		t.Error("the filter's own page was not")
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
	if m.find.query.Text != "qxy G" {
		t.Errorf("query %q", m.find.query.Text)
	}
	if h := m.Hints(); len(h) != 3 || h[0].Keys[0] != "enter" {
		t.Errorf("hints while typing: %v", h)
	}
	a, _ := m.Key("esc")
	if find, ok := a.(Find); !ok || find.Query.Text != "vite" || m.find.query.Text != "vite" {
		t.Errorf("back to %q by %#v", m.find.query.Text, a)
	}
	press(t, m, "/")
	if _, ok := m.Paste("pasted\ntwo"); !ok || m.find.text != "pasted" {
		t.Errorf("pasted %q", m.find.text)
	}
	press(t, m, "esc")
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
