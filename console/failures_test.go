package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
	"offstage/testparse"
)

// failingLog has a failure at each of the lines; blocks are three lines long.
func failingLog(n int, at ...int64) *fakeLog {
	f := longLog(n)
	run := testparse.Run{Runner: "vitest", Red: true, Failed: len(at)}
	for _, l := range at {
		f.lines[l-1].Text = fmt.Sprint("FAIL at ", l)
		run.Failures = append(run.Failures, testparse.Failure{Name: fmt.Sprint(l), Line: l, EndLine: l + 2})
	}
	f.facts.Tests = &task.Tests{Totals: testparse.Totals{Failed: len(at), Red: true}, Runs: []testparse.Run{run}}
	return f
}

// B11: the first failure is reached from the end, loaded or not, with or without
// an output that can find a line by itself.
func TestFirstFailure(t *testing.T) {
	for name, c := range map[string]struct {
		lines int
		at    int64
	}{
		"loaded":     {1500, 900},
		"not loaded": {40_000, 1234},
		"first line": {40_000, 1},
		"last line":  {40_000, 40_000},
	} {
		t.Run(name, func(t *testing.T) {
			f := failingLog(c.lines, c.at)
			m := open(t, Options{}, 80, 24, shellTask(), f)
			a, _ := m.Key("!")
			if got, ok := a.(FirstFailure); !ok || got.Line != c.at {
				t.Errorf("action %#v", a)
			}
			f.settle(t, m)
			if want := fmt.Sprint("FAIL at ", c.at); !strings.Contains(plain(m), want) {
				t.Errorf("not in view:\n%s", plain(m))
			}
			if !strings.Contains(plain(m), "▎ FAIL") {
				t.Error("no bar in the gutter of the failing line")
			}
		})
	}
}

// An output that knows nothing of Line is searched by guesses, which end.
func TestFailureByGuess(t *testing.T) {
	f := failingLog(60_000, 7_777)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	view := m.View()
	m.Key("!")
	guesses := 0
	for range 40 {
		req, ok := m.Want()
		if !ok {
			break
		}
		if req.Line > 0 {
			guesses++
			req.Line = 0
			if m.follow && m.goal.kind == goalLine && guesses == 2 && !strings.Contains(m.View(), strings.Split(view, "\n")[5]) {
				t.Error("a wrong guess moved the view")
			}
		}
		m.SetPage(f.page(req))
	}
	if !strings.Contains(plain(m), "FAIL at 7777") {
		t.Errorf("not found in %d guesses:\n%s", guesses, plain(m))
	}
	f = failingLog(9000, 100)
	for i := range f.lines {
		f.lines[i].Number = 0
	}
	f.noNumbers = true
	m = open(t, Options{}, 80, 24, shellTask(), f)
	m.Key("!")
	f.settle(t, m)
	if m.goal.kind != noGoal {
		t.Error("still looking")
	}
	if !strings.Contains(plain(m), "Line 100 ") {
		t.Errorf("not said that the line was not found:\n%s", plain(m))
	}
}

// e and E step through the failures and say when there is no further one.
func TestStepFailures(t *testing.T) {
	f := failingLog(9000, 200, 5000, 8900)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	want := func(key, text string) {
		t.Helper()
		f.keys(t, m, key)
		if !strings.Contains(plain(m), text) {
			t.Errorf("%s: no %q in\n%s", key, text, plain(m))
		}
	}
	want("!", "failure 1 of 3")
	want("e", "FAIL at 5000")
	want("e", "FAIL at 8900")
	if a, _ := m.Key("e"); a == nil {
		t.Error("nothing said after the last failure")
	}
	want("E", "FAIL at 5000")
	f.keys(t, m, "G")
	want("E", "FAIL at 8900")
}

// F1, B10: the chip and the button are in the header and act on a click.
func TestChipAndButton(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
		f := failingLog(9000, 200)
		m := open(t, Options{}, size[0], size[1], shellTask(), f)
		lines := strings.Split(plain(m), "\n")
		y := 0
		if size[0] < 60 {
			y = 1
		}
		for _, word := range []string{"✘ 1", "first failure"} {
			x := strings.Index(lines[y], word)
			if x < 0 {
				t.Fatalf("%v: no %q in %q", size, word, lines[y])
			}
			x = cells(lines[y][:x], m.width)
			a, _ := m.Mouse(MouseEvent{X: x, Y: y, Kind: MousePress, Clicks: 1})
			if _, ok := a.(FirstFailure); !ok {
				t.Errorf("%v: click on %q gives %#v", size, word, a)
			}
			f.settle(t, m)
		}
		if !strings.Contains(plain(m), "FAIL at 200") {
			t.Errorf("%v: click did not jump", size)
		}
	}
	f := longLog(10)
	f.facts.Tests = &task.Tests{Totals: testparse.Totals{Passed: 38}, Runs: []testparse.Run{{Runner: "jest", Passed: 38}}}
	if v := plain(open(t, Options{}, 80, 24, shellTask(), f)); !strings.Contains(v, "✓ 38") || strings.Contains(v, "first failure") {
		t.Errorf("a green run shows\n%s", v)
	}
}

// In a run on a terminal rows are redrawn: the line that failed is no row of its
// own, and the row near by that names the test is the place.
func TestFailureInRedrawnRows(t *testing.T) {
	f := &fakeLog{}
	f.text("RUN v4", "")
	f.add(task.Line{Text: " × cart > totals > applies a discount 18ms", Redrawn: true})
	f.add(task.Line{Text: " ✓ cart > totals > rounds", Redrawn: true})
	f.facts.Lines += 20 // lines that were overwritten
	for i := range 100 {
		f.text(fmt.Sprint("after ", i))
	}
	f.facts.Tests = &task.Tests{Totals: testparse.Totals{Failed: 1, Red: true}, Runs: []testparse.Run{{Runner: "vitest", Failed: 1,
		Failures: []testparse.Failure{{Name: "cart.test.ts > cart > totals > applies a discount", Line: 15}}}}}
	m := open(t, Options{}, 80, 12, shellTask(), f)
	f.keys(t, m, "!")
	if r := m.here(); r == nil || !strings.Contains(r.line.Text, "applies a discount") {
		t.Errorf("went to %v\n%s", r, plain(m))
	}
	if !strings.Contains(plain(m), "▎  × cart") || strings.Contains(plain(m), "▎  ✓ cart") {
		t.Errorf("gutter:\n%s", plain(m))
	}
}
