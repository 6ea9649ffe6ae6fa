package ui

import (
	"errors"
	"testing"

	"offstage/task"
)

// TestSearchInTheWindow is B12: what a search finds goes on while it is looked
// at, one that was left brings nothing any more, and so does one of another task.
func TestSearchInTheWindow(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("enter")
	d.openOutput()
	d.press("/", "l", "i", "n", "e", "enter")
	if d.m.endFind == nil {
		t.Fatal("no search runs")
	}
	news := func(gen, seq int, n int64) {
		d.send(frameMsg{now: d.now, found: []foundNews{{gen: gen, seq: seq, found: task.Found{Hits: []task.Hit{{Offset: 0}}, Count: n, Looked: 38, Size: 100}}}})
	}
	news(d.m.gen, 1, 41)
	d.has("41 hits · 38 % searched")
	d.send(frameMsg{now: d.now, found: []foundNews{{gen: d.m.gen, seq: 1, err: errors.New("the disk is gone")}}})
	d.has("The search ended: the disk is gone")
	d.press("esc", "/", "l", "i", "n", "e", "enter", "esc")
	if d.m.endFind != nil {
		t.Fatal("esc left the search running")
	}
	news(d.m.gen, 2, 77)
	d.lacks("77")
	d.press("/", "l", "i", "n", "e", "enter", "]")
	d.openOutput()
	if d.m.endFind != nil {
		t.Fatal("a search goes on in a task that was left")
	}
	news(d.m.gen-1, 3, 78)
	d.lacks("78")
}

// TestWholeLine is B8: a cut line comes whole, once it is asked for, and only
// into the console that asked.
func TestWholeLine(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("enter")
	d.openOutput()
	d.send(wholeMsg{gen: d.m.gen - 1, line: task.Line{Text: "of another"}})
	d.send(wholeMsg{gen: d.m.gen, err: errors.New("no row of output starts there")})
	d.has("The whole line could not be read")
	d.lacks("of another")
	if d.m.whole(0) == nil {
		t.Fatal("nothing is asked for")
	}
}
