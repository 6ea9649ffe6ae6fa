package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

// plain is the view without codes.
func plain(m *Model) string { return sgrOnly.ReplaceAllString(m.View(), "") }

// firstRow is the text of the output at the top of the view.
func firstRow(m *Model) string {
	m.View()
	for i := m.top().row; i < len(m.list); i++ {
		if m.list[i].role == output {
			return m.list[i].line.Text
		}
	}
	return ""
}

func lastRow(m *Model) string {
	rows := m.inView()
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].role == output {
			return rows[i].line.Text
		}
	}
	return ""
}

// keys presses keys and answers all that is wanted after each.
func (f *fakeLog) keys(tb testing.TB, m *Model, keys ...string) {
	tb.Helper()
	for _, k := range keys {
		press(tb, m, k)
		f.settle(tb, m)
	}
}

// B2: the first page is the last 2,000 lines, following live.
func TestOpensAtTheEndFollowing(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	if got := f.asked[0]; !got.Tail || got.Before != 2000 {
		t.Errorf("first request %+v", got)
	}
	if got, want := lastRow(m), f.lines[8999].Text; got != want {
		t.Errorf("last row %q, want %q", got, want)
	}
	f.text("fresh")
	f.settle(t, m)
	if got := lastRow(m); got != "fresh" {
		t.Errorf("did not follow: %q", got)
	}
	if n := f.asked[len(f.asked)-1].Before; n > 300 {
		t.Errorf("a tail refresh of one new line asked for %d rows", n)
	}
}

// B3: scrolled up, the view does not move when output arrives; G follows again.
func TestStaysPut(t *testing.T) {
	f := longLog(5000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.keys(t, m, "k")
	row := firstRow(m)
	for i := range 1204 {
		f.text(fmt.Sprint("new ", i))
		if i%97 == 0 {
			f.settle(t, m)
		}
	}
	f.settle(t, m)
	if got := firstRow(m); got != row {
		t.Errorf("the view moved from %q to %q", row, got)
	}
	if !strings.Contains(plain(m), "Jump to end ↓ · 1,204 new lines") {
		t.Errorf("no count of new lines:\n%s", plain(m))
	}
	f.keys(t, m, "G")
	if got := lastRow(m); got != "new 1203" || !m.follow {
		t.Errorf("G shows %q, following %v", got, m.follow)
	}
}

// B3: scrolling down to the very end follows again; any move up leaves it.
func TestScrollDownToEndFollows(t *testing.T) {
	f := longLog(100)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.keys(t, m, "k", "k")
	if m.follow {
		t.Fatal("up did not leave following")
	}
	f.keys(t, m, "j", "j")
	if !m.follow {
		t.Fatal("down to the end did not follow")
	}
}

// B4: Home is one request at byte 0; scrolling pages on without limit, both
// ways, in bounded memory, and sees every line once and in order.
func TestPagesThroughEverything(t *testing.T) {
	f := longLog(30_000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	before := len(f.asked)
	f.keys(t, m, "g")
	if req := f.asked[before]; req.At != 0 || req.Tail {
		t.Errorf("home asked for %+v", req)
	}
	if got := firstRow(m); got != f.lines[0].Text {
		t.Errorf("home shows %q", got)
	}
	for want := 0; !m.follow; {
		if got := firstRow(m); got != f.lines[want].Text {
			t.Fatalf("row %d is %q, want %q", want, got, f.lines[want].Text)
		}
		if len(m.win.rows) > maxRows {
			t.Fatalf("%d rows held", len(m.win.rows))
		}
		f.keys(t, m, "pgdown")
		want += m.page()
		if want > 30_100 {
			t.Fatal("never came to the end")
		}
	}
	for range 50_000 / m.page() {
		f.keys(t, m, "pgup")
	}
	if got := firstRow(m); got != f.lines[0].Text || len(m.win.rows) > maxRows {
		t.Errorf("paging up ends at %q with %d rows", got, len(m.win.rows))
	}
}

// B4: L loads 2,000 more and the view stays; at the start it says so.
func TestLoadEarlier(t *testing.T) {
	f := longLog(4500)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	row := lastRow(m)
	f.keys(t, m, "L")
	if got := len(m.win.rows); got != 4000 || lastRow(m) != row || !m.follow {
		t.Errorf("%d rows, last %q", got, lastRow(m))
	}
	f.keys(t, m, "L")
	if a, _ := m.Key("L"); a == nil {
		t.Error("L at the start says nothing")
	}
	f = longLog(10)
	m = open(t, Options{}, 80, 24, shellTask(), nil)
	p := f.page(task.PageRequest{Tail: true, Before: 10})
	p.Lost = true
	m.SetFacts(p.Facts)
	m.Want()
	m.SetPage(p)
	if !strings.Contains(plain(m), "older output not loaded") {
		t.Errorf("lost head is not said:\n%s", plain(m))
	}
}

// B4: the bytes held are bounded too, whatever the rows weigh.
func TestHeavyRowsAreBounded(t *testing.T) {
	f := &fakeLog{}
	for i := range 12_000 {
		f.text(fmt.Sprint(i, strings.Repeat("x", 4000)))
	}
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.keys(t, m, "pgup", "L", "L", "L")
	if m.win.size > maxBytes {
		t.Errorf("%d bytes held", m.win.size)
	}
}

// A page of an older generation, of another place or without a request changes
// nothing; one of a newer generation starts again.
func TestLatePagesAreIgnored(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	view := m.View()
	far := f.page(task.PageRequest{At: 0, After: 100})
	m.SetPage(far)
	if m.View() != view {
		t.Error("a page that nobody asked for was shown")
	}
	f.keys(t, m, "g")
	view = m.View()
	tail := f.page(task.PageRequest{Tail: true, Before: 2000})
	m.SetPage(tail)
	if m.View() != view {
		t.Error("a late tail page moved a reader at the start")
	}
	f2 := &fakeLog{}
	f2.text("after the restart")
	f2.facts.Gen, f2.facts.Rev = 1, f.facts.Rev+1
	f2.settle(t, m)
	if got := firstRow(m); got != "after the restart" {
		t.Errorf("new generation shows %q", got)
	}
	m.SetPage(tail)
	if got := firstRow(m); got != "after the restart" {
		t.Errorf("an old generation came back: %q", got)
	}
}

// One request at a time; an answer that never comes is asked for again.
func TestWantsOnce(t *testing.T) {
	f := longLog(100)
	m := open(t, Options{}, 80, 24, shellTask(), nil)
	m.SetFacts(f.facts)
	if _, ok := m.Want(); !ok {
		t.Fatal("wants nothing")
	}
	if _, ok := m.Want(); ok {
		t.Fatal("asks twice")
	}
	m.SetTask(shellTask(), testNow.Add(2*patience), task.QuietAfter)
	if _, ok := m.Want(); !ok {
		t.Fatal("gave up on a lost answer")
	}
	m.Failed()
	if _, ok := m.Want(); ok {
		t.Fatal("asks again at once after a failure")
	}
	f.settle(t, m)
	m.SetTask(shellTask(), testNow.Add(4*patience), task.QuietAfter)
	f.settle(t, m)
	if len(m.win.rows) != 100 {
		t.Fatalf("%d rows", len(m.win.rows))
	}
	if _, ok := m.Want(); ok {
		t.Error("wants more than there is")
	}
}
