package console

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"offstage/task"
	"offstage/testparse"
)

// fakeLog is an output in memory: lines of a file at their byte offsets, pages
// of them by the rules of task.PageRequest.
type fakeLog struct {
	lines     []task.Line
	facts     task.Facts
	noNumbers bool
	// reach, where set, is how many bytes a filtered page looks at to each side.
	reach int64
	// asked are the requests so far.
	asked []task.PageRequest
}

// add appends one line of text and moves the facts along.
func (f *fakeLog) add(l task.Line) {
	l.Offset = f.facts.Size
	l.End = l.Offset + int64(len(l.Text)) + 1
	f.facts.Lines++
	if !f.noNumbers {
		l.Number = f.facts.Lines
	}
	f.lines = append(f.lines, l)
	f.facts.Size, f.facts.Rev = l.End, f.facts.Rev+1
	f.facts.Arrived++
	f.facts.LinesKnown, f.facts.Counted = true, 1
}

func (f *fakeLog) text(lines ...string) {
	for _, s := range lines {
		f.add(task.Line{Text: s})
	}
}

// index is the line that holds a byte.
func (f *fakeLog) index(at int64) int {
	for i := range f.lines {
		if at < f.lines[i].End {
			return i
		}
	}
	return len(f.lines)
}

func (f *fakeLog) page(req task.PageRequest) task.Page {
	f.asked = append(f.asked, req)
	if req.Filter != nil {
		return f.filtered(req)
	}
	n := len(f.lines)
	from, to := max(n-req.Before, 0), n
	if !req.Tail {
		i := f.index(req.At)
		if req.Line > 0 && !f.noNumbers {
			i = int(min(req.Line-1, int64(n)))
		}
		from, to = max(i-req.Before, 0), min(i+req.After, n)
	}
	p := task.Page{Lines: f.lines[from:to], Facts: f.facts, Top: from == 0, Bottom: to == n}
	if from < n {
		p.Start = f.lines[from].Offset
	} else {
		p.Start = f.facts.Size
	}
	p.End = p.Start
	if to > from {
		p.End = f.lines[to-1].End
	}
	return p
}

// filtered is a page of the lines that a filter shows.
func (f *fakeLog) filtered(req task.PageRequest) task.Page {
	m, err := task.NewMatcher(req.Filter.Query)
	if err != nil {
		panic(err)
	}
	at := req.At
	if req.Tail {
		at = f.facts.Size
	}
	shown := make([]bool, len(f.lines))
	for i, l := range f.lines {
		if l.Mark != task.NoMark || m.Match(l.Text) == req.Filter.Out {
			continue
		}
		for j := max(i-req.Filter.Context, 0); j <= min(i+req.Filter.Context, len(f.lines)-1); j++ {
			shown[j] = true
		}
	}
	var before, after []task.Line
	low, high := int64(0), f.facts.Size
	if f.reach > 0 {
		low, high = max(at-f.reach, 0), min(at+f.reach, high)
	}
	for i, l := range f.lines {
		switch {
		case !shown[i] || l.Offset < low || l.Offset >= high:
		case l.End <= at || req.Tail:
			before = append(before, l)
		default:
			after = append(after, l)
		}
	}
	p := task.Page{Start: at, End: at, Facts: f.facts, Filter: req.Filter, Bottom: at >= f.facts.Size, Top: at == 0}
	if req.Before > 0 {
		if n := len(before); n > req.Before {
			before = before[n-req.Before:]
			p.Start = before[0].Offset
		} else {
			p.Start, p.Top = low, low == 0
		}
		p.Lines = append(p.Lines, before...)
	}
	if req.After > 0 {
		if len(after) > req.After {
			after = after[:req.After]
			p.End = after[len(after)-1].End
		} else {
			p.End, p.Bottom = high, high == f.facts.Size
		}
		p.Lines = append(p.Lines, after...)
	}
	return p
}

// do presses keys as the root does: searches are carried out, rows brought.
func (f *fakeLog) do(tb testing.TB, m *Model, keys ...string) (last Action) {
	tb.Helper()
	for _, k := range keys {
		a, ok := m.Key(k)
		if !ok {
			tb.Fatalf("key %q is not bound", k)
		}
		if find, ok := a.(Find); ok {
			m.SetFound(find.Seq, f.found(tb, find.Query))
		}
		last = a
		f.settle(tb, m)
	}
	return last
}

func (f *fakeLog) found(tb testing.TB, q task.Query) task.Found {
	tb.Helper()
	match, err := task.NewMatcher(q)
	if err != nil {
		tb.Fatal(err)
	}
	n := task.Found{Gen: f.facts.Gen, Again: true, Looked: f.facts.Size, Size: f.facts.Size, Done: true}
	for _, l := range f.lines {
		if l.Mark == task.NoMark && match.Match(l.Text) {
			n.Hits, n.Count = append(n.Hits, task.Hit{Offset: l.Offset, Part: l.Part}), n.Count+1
		}
	}
	return n
}

// settle answers every wish of the model; it fails a test that never settles.
func (f *fakeLog) settle(tb testing.TB, m *Model) {
	tb.Helper()
	m.SetFacts(f.facts)
	for range 50 {
		req, ok := m.Want()
		if !ok {
			return
		}
		m.SetPage(f.page(req))
	}
	tb.Fatalf("the model never stops asking; last %+v", f.asked[len(f.asked)-1])
}

var t0 = time.Date(2026, 3, 1, 19, 48, 2, 0, time.UTC)

func at(d time.Duration) time.Time { return t0.Add(d) }

func shellTask() task.Task {
	return task.Task{
		ID: "claude:abc", Kind: task.Shell, Title: "vitest run", Command: "pnpm vitest run --coverage",
		Cwd: "~/shop-api", Status: task.Running, Started: t0, Can: task.Can{Read: true, Stop: true},
		Output: task.OutputRef{Path: "out.log", Recorded: "/tmp/claude/tasks/abc.output", LastWrite: at(3 * time.Minute)},
	}
}

var testNow = at(3*time.Minute + 4*time.Second)

// testRun is a log of a failing vitest run and its counts.
func testRun() *fakeLog {
	f := &fakeLog{}
	green := task.Style{FG: task.Indexed(2), Attr: task.Bold | task.Inverse}
	red := task.Style{FG: task.Indexed(1), Attr: task.Bold | task.Inverse}
	dim := task.Style{Attr: task.Dim}
	f.text("", " RUN  v4.1.0 ~/shop-api", "")
	for i := range 60 {
		s := fmt.Sprintf(" PASS  src/mod%02d.test.ts (%d tests) %dms", i, 3+i%9, 20+i*7%300)
		f.add(task.Line{Text: s, At: at(time.Duration(i) * time.Second), Spans: []task.Span{{Start: 0, End: 6, Style: green}, {Start: 7, End: strings.Index(s, " ("), Style: dim}}})
	}
	f.add(task.Line{Text: " PASS  src/user.test.ts (9 tests)", At: at(62 * time.Second), Repeat: 14, Spans: []task.Span{{Start: 0, End: 6, Style: green}}})
	fail := f.facts.Lines + 1
	f.add(task.Line{Text: " FAIL  src/cart.test.ts > totals keeps the cents", At: at(64 * time.Second), Spans: []task.Span{{Start: 0, End: 6, Style: red}}})
	f.add(task.Line{Text: "AssertionError: expected 41 to be 42", Spans: []task.Span{{Start: 0, End: 14, Style: task.Style{FG: task.Indexed(1)}}}})
	f.add(task.Line{Text: "  ❯ src/cart.test.ts:88:21", Spans: []task.Span{{Start: 4, End: 20, Style: task.Style{FG: task.Indexed(6)}}}})
	f.text("")
	f.add(task.Line{Text: " stdout | GET /pay  Authorization: Bearer [redacted]", At: at(65 * time.Second), Redacted: 1})
	f.add(task.Line{Text: " transforming (1184) ██████████████░░░░░░ 71%", At: at(66 * time.Second), Redrawn: true, Live: true})
	f.facts.Tests = &task.Tests{
		Totals: testparse.Totals{Passed: 412, Failed: 2, Red: true},
		Runs: []testparse.Run{{Runner: "vitest", Passed: 412, Failed: 2, Red: true, Failures: []testparse.Failure{
			{Name: "totals keeps the cents", Line: fail, EndLine: fail + 2}, {Name: "late", Line: 9000},
		}}},
	}
	f.facts.LastWrite = at(3 * time.Minute)
	return f
}

func testStyles() Styles { return testTheme() }

// open makes a console of the size with the log shown.
func open(tb testing.TB, o Options, w, h int, t task.Task, f *fakeLog) *Model {
	tb.Helper()
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	m := New(o)
	m.SetSize(w, h)
	m.SetTask(t, testNow, task.QuietAfter)
	if f != nil {
		f.settle(tb, m)
	}
	return m
}
