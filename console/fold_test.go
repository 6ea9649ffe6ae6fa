package console

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"offstage/task"
)

func shownTexts(m *Model) []string {
	var out []string
	for _, r := range m.shown {
		out = append(out, r.text)
	}
	return out
}

// B15: a JSON log line in short, from what loggers really write; what is no log
// line stays as it is.
func TestJSONLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"level":"warn","msg":"retry","attempt":3}`, "warn  retry  attempt=3"},
		{`{"level":30,"time":1531171074631,"pid":657,"hostname":"box","msg":"hello world"}`, "info  hello world  pid=657  hostname=box  time=1531171074631"},
		{`{"time":"2031-05-04T12:00:00Z","level":"ERROR","msg":"disk full","path":"/var/log/a b"}`, `error  disk full  path="/var/log/a b"  time=2031-05-04T12:00:00Z`},
		{`{"severity":"INFO","message":"ok \"quoted\" \u00e9","labels":{"a":[1,2,{"b":"}"}]}}`, `info  ok "quoted" é  labels={"a":[1,2,{"b":"}"}]}`},
		{`{"event":"started","empty":"","n":null,"on":true}`, `started  empty=""  n=null  on=true`},
		{`{ "@timestamp" : "x" , "log.level" : "debug" , "message" : "two\nlines" }`, "debug  two⏎lines  @timestamp=x"},
		{`{"name":"x","version":"1.0.0"}`, ""},
		{`{"level":"info"}`, ""},
		{`{"level":"info","msg":"cut`, ""},
		{`{"level":"info","msg":"a"} trailing`, ""},
		{`{"level":"info",,"msg":"a"}`, ""},
		{`{level:"info",msg:"a"}`, ""},
		{`[{"level":"info","msg":"a"}]`, ""},
		{`{}`, ""},
		{`{"level":"info","msg":"a",}`, "info  a"},
	} {
		got, spans, _ := summary(jsonFields(c.line))
		if got != c.want {
			t.Errorf("%s\n  is %q\nwant %q", c.line, got, c.want)
		}
		if len(spans) > 0 && strings.ContainsAny(got[:spans[0].End], " ") {
			t.Errorf("%s: the level colours %q", c.line, got[:spans[0].End])
		}
	}
}

// Only steps of a whole are steps of a progress; names keep lines apart.
func TestProgressSteps(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Downloading 12%", "Downloading 100%", true},
		{"[###   ] 3/40", "[##### ] 12/40", true},
		{"fetch 1.2 of 8 MB", "fetch 11.25 of 8 MB", true},
		{"⠙ 4 % ━━━━╺━━", "⠙ 44 % ━━━━━━━", true},
		{"[1/3] cc a.o", "[2/3] cc b.o", false},
		{"request 12", "request 13", false},
		{"2031-05-04 12:00:01 ok", "2031-05-04 12:00:02 ok", false},
		{"a 5%", "b 5%", false},
	} {
		if got := progress(c.a) != 0 && progress(c.a) == progress(c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestUnfolding(t *testing.T) {
	f := foldedLog()
	m := open(t, Options{}, 100, 30, shellTask(), f)
	if n := len(m.shown); n != 10 {
		t.Errorf("%d rows: %q", n, shownTexts(m))
	}
	at := func(text string) { m.cursor = rowWith(t, m, text).key() }
	at("Downloading 99%")
	press(t, m, "enter")
	if n := len(m.shown); n != 21 {
		t.Errorf("steps unfolded: %d rows", n)
	}
	at("Downloading 45%")
	press(t, m, "enter")
	at("same again")
	press(t, m, "enter")
	if n := len(m.shown); n != 12 {
		t.Errorf("a run unfolded: %d rows %q", n, shownTexts(m))
	}
	at(`"retry"`)
	press(t, m, "enter")
	if v := plain(m); !strings.Contains(v, `    why: upstream "timed out"`) || !strings.Contains(v, "warn  retry  attempt=3") {
		t.Errorf("a JSON line unfolded:\n%s", v)
	}
	press(t, m, "enter")
	at("xxxx")
	if a, _ := m.Key("enter"); a != (Whole{Offset: m.cursor.off}) {
		t.Errorf("a cut line: %#v", a)
	}
	m.SetWhole(task.Line{Offset: m.cursor.off, Text: strings.Repeat("x", 3700) + " the end"})
	if v := plain(m); strings.Contains(v, "characters") || !strings.HasSuffix(rowWith(t, m, "xxxx").text, "the end") {
		t.Errorf("a whole line:\n%s", v)
	}
	if a, _ := m.Key("y"); !strings.HasSuffix(a.(Copy).Text, "the end") {
		t.Error("the copy of a whole line is not whole")
	}
	press(t, m, "enter")
	at("cc a.o")
	if a, _ := m.Key("enter"); a != (Toast{"Nothing is folded in this row"}) {
		t.Errorf("a plain row: %#v", a)
	}
	press(t, m, "J")
	if v := shownTexts(m); !strings.Contains(strings.Join(v, "\n"), `{"level":"warn"`) || !strings.Contains(strings.Join(v, "\n"), "Downloading 45%") {
		t.Errorf("as written: %q", v)
	}
}

// A click on the badge unfolds; what is copied is what the task wrote.
func TestBadges(t *testing.T) {
	m := open(t, Options{}, 100, 30, shellTask(), foldedLog())
	for y, line := range strings.Split(plain(m), "\n") {
		if strings.Contains(line, "+11 similar") {
			m.Mouse(MouseEvent{X: 96, Y: y, Kind: MousePress, Clicks: 1})
		}
	}
	if len(m.shown) != 21 {
		t.Errorf("a click on the badge: %q", shownTexts(m))
	}
	m.cursor = rowWith(t, m, "listening").key()
	if a, _ := m.Key("y"); a.(Copy).Text != `{"level":"info","time":"2031-05-04T12:00:00Z","msg":"listening","port":3000}` {
		t.Errorf("copied %q", a.(Copy).Text)
	}
}

// B14: a silence between two rows whose times are known has its mark.
func TestSilence(t *testing.T) {
	m := states["silence"](t, Options{}, 80, 24)
	if v := plain(m); !strings.Contains(v, "┄┄ 4 min of silence ┄┄") || strings.Count(v, "silence") != 1 {
		t.Errorf("%s", v)
	}
}

// Fold then unfold is the identity, and the keys of the rows stay in order.
func TestFoldUnfoldIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &fakeLog{}
		for i := range rapid.IntRange(1, 60).Draw(t, "rows") {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				f.text(fmt.Sprintf("step %d of 60", i))
			case 1:
				f.text(fmt.Sprintf(`{"level":"info","msg":"m %d","n":%d}`, i, i))
			case 2:
				l := task.Line{Text: "same", Repeat: rapid.IntRange(2, 30).Draw(t, "n")}
				f.add(l)
				last := &f.lines[len(f.lines)-1]
				last.End += int64(l.Repeat-1) * 5
				f.facts.Size = last.End
			default:
				f.text(fmt.Sprintf("plain %d", i))
			}
		}
		m := open(nil2(t), Options{}, 80, 24, shellTask(), f)
		before := strings.Join(shownTexts(m), "\n")
		for range rapid.IntRange(1, 6).Draw(t, "presses") {
			r := m.shown[rapid.IntRange(0, len(m.shown)-1).Draw(t, "row")]
			m.cursor = r.key()
			m.show(r.key(), 3)
			m.Key("enter")
			for i := 1; i < len(m.list); i++ {
				if !m.list[i-1].key().less(m.list[i].key()) {
					t.Fatalf("rows out of order at %d: %q %q", i, m.list[i-1].text, m.list[i].text)
				}
			}
		}
		m.open = newOpened()
		m.relist()
		if after := strings.Join(shownTexts(m), "\n"); after != before {
			t.Fatalf("before:\n%s\nafter:\n%s", before, after)
		}
		m.toggleFolds()
		m.toggleFolds()
		if after := strings.Join(shownTexts(m), "\n"); after != before {
			t.Fatalf("before:\n%s\nafter both ways:\n%s", before, after)
		}
	})
}
