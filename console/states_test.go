package console

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// states are the screens that are looked at, in goldens and by eye.
var states = map[string]func(tb testing.TB, o Options, w, h int) *Model{
	"following": func(tb testing.TB, o Options, w, h int) *Model { return open(tb, o, w, h, shellTask(), testRun()) },
	"failure": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), testRun())
		press(tb, m, "!")
		return m
	},
	"away": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(150_318)
		m := open(tb, o, w, h, shellTask(), f)
		for range 3 {
			press(tb, m, "pgup")
		}
		for i := range 1204 {
			f.text(fmt.Sprintf("new %d", i))
		}
		f.settle(tb, m)
		return m
	},
	"earlier": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(9000)
		m := open(tb, o, w, h, shellTask(), nil)
		m.SetFacts(f.facts)
		req, _ := m.Want()
		m.SetPage(f.page(req))
		m.scroll(-100000)
		return m
	},
	"quiet": func(tb testing.TB, o Options, w, h int) *Model {
		t := shellTask()
		t.Title, t.Command, t.Pipe = "db migrate", "npm run migrate 2>&1 | tail -20", task.PipeSink{Name: "tail"}
		t.Output.LastWrite = time.Time{}
		m := open(tb, o, w, h, t, &fakeLog{})
		m.SetTask(t, at(14*time.Minute), 10*time.Minute)
		return m
	},
	"piped": func(tb testing.TB, o Options, w, h int) *Model {
		t := shellTask()
		t.Pipe = task.PipeSink{Name: "tail"}
		f := &fakeLog{}
		f.text("> shop-api@1.0.0 migrate", "> knex migrate:latest", "", "Using environment: production")
		return open(tb, o, w, h, t, f)
	},
	"asking": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, devTask(), devLog())
		m.SetStop(StopView{Phase: StopAsking, Plan: stopPlan()})
		return m
	},
	"stopping": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, devTask(), devLog())
		m.SetStop(StopView{Phase: StopRunning, Plan: stopPlan(), Progress: task.StopProgress{Task: "claude:dev", Elapsed: 6 * time.Second, Left: stopPlan().Processes[1:2]}})
		return m
	},
	"stopped": func(tb testing.TB, o Options, w, h int) *Model {
		t, f := devTask(), devLog()
		t.Status, t.Ended, t.Can = task.Cancelled, testNow, task.Can{Read: true}
		f.facts.EndMark, f.facts.EndMarkAt = "killed", f.facts.Size
		f.text("[killed]")
		m := open(tb, o, w, h, t, f)
		m.SetStop(StopView{Phase: StopDone, Report: task.StopReport{Task: "claude:dev", Status: task.Cancelled, Ended: stopPlan().Processes, PortsFreed: []int{5173}, Note: "The agent was not told; it may start the task again."}})
		return m
	},
	"ended": func(tb testing.TB, o Options, w, h int) *Model {
		t, f := shellTask(), testRun()
		code := 1
		t.Status, t.ExitCode, t.Ended = task.Failed, &code, at(6*time.Minute)
		f.facts.EndMark, f.facts.EndMarkAt = "exited with code 1", f.facts.Size
		f.text("[exited with code 1]")
		return open(tb, o, w, h, t, f)
	},
	"trouble": func(tb testing.TB, o Options, w, h int) *Model {
		f := &fakeLog{}
		f.facts.Trouble = "The output file is a directory: it cannot be read as text. Look at the path with `i`."
		return open(tb, o, w, h, shellTask(), f)
	},
	"empty": func(tb testing.TB, o Options, w, h int) *Model {
		t := shellTask()
		t.Output.LastWrite = time.Time{}
		t.Started = testNow.Add(-7 * time.Second)
		return open(tb, o, w, h, t, &fakeLog{})
	},
	"steps": func(tb testing.TB, o Options, w, h int) *Model {
		t := shellTask()
		t.Kind, t.Title, t.Decoder = task.Agent, "Review the cart module", plainDecoder{}
		return open(tb, o, w, h, t, stepsLog())
	},
	"wide-glyphs": func(tb testing.TB, o Options, w, h int) *Model {
		f := &fakeLog{}
		for range 4 {
			f.text("日本語のログ行です。カートの合計を計算しています。一二三四五六七八九十、一二三四五六七八九十", "emoji 👩‍👩‍👧‍👦 family 🇩🇪 flag 👍🏽 thumb e\u0301 combining", "ไทย ภาษาไทยทดสอบ การนับเซลล์")
		}
		f.add(task.Line{Text: strings.Repeat("x", 400), Cut: 3600})
		return open(tb, o, w, h, shellTask(), f)
	},
	"nowrap": func(tb testing.TB, o Options, w, h int) *Model {
		f := &fakeLog{}
		for i := range 30 {
			f.text(fmt.Sprintf("%02d ", i) + strings.Repeat("abcdefghij", 3*(i%9)) + " 日本語のログ行です")
		}
		m := open(tb, o, w, h, shellTask(), f)
		press(tb, m, "w", "shift+right")
		return m
	},
	"selecting": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), testRun())
		press(tb, m, "v", "k", "k", "k")
		return m
	},
	"searching": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(9000)
		m := open(tb, o, w, h, shellTask(), f)
		f.do(tb, m, "/", "i", "t", "e", "m", "s", "/", "5", "1", "enter", "N", "N")
		return m
	},
	"searching on": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(9000)
		m := open(tb, o, w, h, shellTask(), f)
		a := searchFor(m, "items/7[0-9] ", true)
		news := f.found(tb, a.Query)
		news.Done, news.Looked = false, news.Size*38/100
		m.SetFound(a.Seq, news)
		f.settle(tb, m)
		f.do(tb, m, "N")
		return m
	},
	"typing": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), longLog(300))
		press(tb, m, "/", "g", "e", "t")
		return m
	},
	"bad expression": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), longLog(300))
		press(tb, m, "/", "ctrl+r", "g", "e", "t", "(", "enter")
		return m
	},
	"filtered": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(9000)
		m := open(tb, o, w, h, shellTask(), f)
		f.do(tb, m, "&", "i", "t", "e", "m", "s", "/", "5", "1", "enter", "+", "k")
		return m
	},
	"filtered out": func(tb testing.TB, o Options, w, h int) *Model {
		f := testRun()
		m := open(tb, o, w, h, shellTask(), f)
		f.do(tb, m, "&", "!", "P", "A", "S", "S", "enter")
		return m
	},
	"folds": func(tb testing.TB, o Options, w, h int) *Model {
		return open(tb, o, w, h, shellTask(), foldedLog())
	},
	"unfolded": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), foldedLog())
		for _, text := range []string{"same again", `"retry"`} {
			m.cursor = rowWith(tb, m, text).key()
			press(tb, m, "enter")
		}
		return m
	},
	"silence": func(tb testing.TB, o Options, w, h int) *Model {
		f := stepsLog()
		f.add(task.Line{Text: "It passes now.", At: at(5 * time.Minute)})
		t := shellTask()
		t.Kind, t.Decoder = task.Agent, plainDecoder{}
		return open(tb, o, w, h, t, f)
	},
	"saving": func(tb testing.TB, o Options, w, h int) *Model {
		m := open(tb, o, w, h, shellTask(), testRun())
		press(tb, m, "ctrl+s")
		return m
	},
	"filter of nothing": func(tb testing.TB, o Options, w, h int) *Model {
		f := testRun()
		m := open(tb, o, w, h, shellTask(), f)
		f.do(tb, m, "&", "n", "o", "w", "h", "e", "r", "e", "enter")
		return m
	},
	"marks": func(tb testing.TB, o Options, w, h int) *Model {
		f := &fakeLog{}
		f.text("before")
		f.add(task.Line{Mark: task.MarkPassed, Text: "6.1 MB passed"})
		f.text("after the flood")
		f.add(task.Line{Mark: task.MarkHole, Text: "gap of 3.2 GB"})
		f.add(task.Line{Mark: task.MarkRestarted, Text: "the file was truncated here"})
		f.add(task.Line{Text: "same again", Repeat: 1204})
		f.add(task.Line{Mark: task.MarkCleared})
		f.add(task.Line{Mark: task.MarkTrouble, Text: "A record of 12 MB does not fit and was left out."})
		return open(tb, o, w, h, shellTask(), f)
	},
	"lost": func(tb testing.TB, o Options, w, h int) *Model {
		f := longLog(40)
		m := open(tb, o, w, h, shellTask(), nil)
		m.SetFacts(f.facts)
		req, _ := m.Want()
		p := f.page(req)
		p.Lost, p.Top = true, true
		m.SetPage(p)
		m.scroll(-1000)
		return m
	},
}

// foldedLog has each kind of line that is shown in short.
func foldedLog() *fakeLog {
	f := &fakeLog{}
	f.text("> build")
	for i := range 12 {
		f.text(fmt.Sprintf("Downloading %d%% [%s%s] %d of 12 MB", i*9, strings.Repeat("=", i), strings.Repeat(" ", 12-i), i))
	}
	f.add(task.Line{Text: "same again", Repeat: 3})
	f.lines[len(f.lines)-1].End += 22
	f.facts.Size += 22
	f.text(`{"level":"info","time":"2031-05-04T12:00:00Z","msg":"listening","port":3000}`)
	f.text(`{"level":"warn","time":"2031-05-04T12:00:01Z","msg":"retry","attempt":3,"route":"/pay","why":"upstream \"timed out\""}`)
	f.text(`{"name":"no log line","version":"1.0.0"}`)
	f.add(task.Line{Text: strings.Repeat("x", 100), Cut: 3600})
	f.text("[1/3] cc a.o", "[2/3] cc b.o", "[3/3] ld app")
	return f
}

func rowWith(tb testing.TB, m *Model, text string) *row {
	tb.Helper()
	for _, r := range m.shown {
		if strings.Contains(r.line.Text, text) {
			return r
		}
	}
	tb.Fatalf("no row with %q", text)
	return nil
}

type plainDecoder struct{}

func (plainDecoder) Decode(record []byte, at int64) []task.Line {
	return []task.Line{{Offset: at, Text: string(record)}}
}

func longLog(n int) *fakeLog {
	f := &fakeLog{lines: make([]task.Line, 0, n+2000)}
	for i := range n {
		f.text(fmt.Sprintf("[%06d] GET /api/items/%d 200 %dms", i+1, i*37%1000, i*13%90))
	}
	return f
}

func devTask() task.Task {
	t := shellTask()
	t.ID, t.Title, t.Command = "claude:dev", "npm run dev", "npm run dev -- --host"
	t.Ports, t.URLs = []int{5173}, []string{"http://localhost:5173/"}
	return t
}

func devLog() *fakeLog {
	f := &fakeLog{}
	f.text("", "> shop-web@0.1.0 dev", "> vite --host", "")
	f.add(task.Line{Text: "  VITE v7.1.0  ready in 412 ms", Spans: []task.Span{{Start: 2, End: 13, Style: task.Style{FG: task.Indexed(2), Attr: task.Bold}}}})
	f.text("")
	f.add(task.Line{Text: "  ➜  Local:   http://localhost:5173/", Spans: []task.Span{{Start: 2, End: 5, Style: task.Style{FG: task.Indexed(2)}}, {Start: 16, End: 38, Style: task.Style{FG: task.Indexed(6)}}}})
	f.text("  ➜  Network: http://10.0.0.7:5173/")
	return f
}

func stopPlan() task.StopPlan {
	return task.StopPlan{
		Task: "claude:dev", Ports: []int{5173},
		Processes: []task.Process{
			{PID: 48211, Command: "npm", Depth: 0}, {PID: 48217, Command: "node", Depth: 1},
			{PID: 48220, Command: "esbuild", Depth: 2}, {PID: 48221, Command: "esbuild", Depth: 2},
		},
		Spared: []task.Process{{PID: 4711, Command: "claude", Why: "the agent itself"}},
	}
}

func stepsLog() *fakeLog {
	f := &fakeLog{}
	add := func(l task.Line, s int) { l.At = at(time.Duration(s) * time.Second); f.add(l) }
	add(task.Line{Text: "I will read the cart module first, then its tests."}, 2)
	add(task.Line{Text: "▸ Read src/cart.ts", Tone: task.Accent}, 4)
	add(task.Line{Text: "  export function total(items: Item[]): number {", Tone: task.Quiet, Fold: 84}, 5)
	add(task.Line{Text: "▸ Bash npm test -- cart", Tone: task.Accent}, 9)
	add(task.Line{Text: "  AssertionError: expected 41 to be 42", Tone: task.Bad}, 31)
	add(task.Line{Text: "The sum is rounded twice. I will fix it in total().", Aside: "12.4k tok"}, 40)
	return f
}

// press sends keys and answers what the model wants, from a log of its own kind.
func press(tb testing.TB, m *Model, keys ...string) {
	tb.Helper()
	for _, k := range keys {
		if _, ok := m.Key(k); !ok {
			tb.Fatalf("key %q is not bound", k)
		}
	}
}
