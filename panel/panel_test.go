package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"offstage/task"
)

var now = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func shell(id string, started time.Duration) task.Task {
	return task.Task{ID: id, Kind: task.Shell, Title: "task " + id, Session: "s", Run: 1, Status: task.Running,
		Started: now.Add(-started), Can: task.Can{Stop: true}, Output: task.OutputRef{LastWrite: now}}
}

func over(t task.Task, ago time.Duration) task.Task {
	t.Status, t.Ended, t.Can.Stop = task.Succeeded, now.Add(-ago), false
	return t
}

func list(w, h int, s task.Snapshot) *Model {
	m := New(Options{})
	m.SetSize(w, h)
	m.SetSnapshot(s, now)
	return m
}

func rows(m *Model) []string { return strings.Split(m.View(), "\n") }

// TestOrder: open tasks as they were started, below them the ended ones, the
// latest first; children under their parent; foreground and hidden ones nowhere.
func TestOrder(t *testing.T) {
	child, front, hid := shell("child", time.Minute), shell("front", 0), shell("hid", 0)
	child.Parent, front.Foreground, hid.Hidden = "old", true, true
	ring1, ring2 := shell("r1", 0), shell("r2", 0)
	ring1.Parent, ring2.Parent = "r2", "r1"
	m := list(80, 20, task.Snapshot{Tasks: []task.Task{
		over(shell("long ago", time.Hour), 9*time.Minute), shell("new", time.Minute), over(shell("just now", time.Hour), time.Minute),
		shell("old", time.Hour), child, front, hid, ring1, ring2,
	}})
	if got := fmt.Sprint(m.IDs()); got != "[old child new just now long ago r1 r2]" {
		t.Fatal(got)
	}
	if r := rows(m)[2]; !strings.Contains(r, "●   task child") {
		t.Fatalf("a child is not set in: %q", r)
	}
}

// TestGroups is A7: headings only for more than one session; tasks of a session
// that is not known stand together; an unreported one has its row (G5).
func TestGroups(t *testing.T) {
	a, b := shell("a", 0), shell("b", 0)
	b.Session = "elsewhere"
	s := task.Snapshot{Sessions: []task.Session{{ID: "s", Agent: "claude", Title: "one"}}, Tasks: []task.Task{a}}
	if m := list(80, 20, s); strings.Contains(m.View(), "claude") {
		t.Fatalf("one session has a heading:\n%s", m.View())
	}
	s.Tasks = append(s.Tasks, b)
	if v := list(80, 20, s).View(); !strings.Contains(v, "claude · one") || !strings.Contains(v, "other tasks") {
		t.Fatal(v)
	}
	s = task.Snapshot{Sessions: []task.Session{{ID: "x", Unreported: true}}}
	m := list(80, 20, s)
	if m.Rows() != 1 || !strings.Contains(m.View(), UnreportedTitle) || !strings.Contains(m.View(), "own task list shows it and ends it") {
		t.Fatal(m.View())
	}
	if strings.Contains(m.View(), "No background tasks") {
		t.Fatalf("work that is not reported is counted as none:\n%s", m.View())
	}
}

// TestSessionTitles is A7: bright green while anything runs, and a session whose
// agent is gone says so only while tasks of it live, whatever a filter hides.
func TestSessionTitles(t *testing.T) {
	st := Styles{Alive: "\x1b[92m", Strong: "\x1b[1m", Amber: "\x1b[33m"}
	for _, c := range []struct {
		name    string
		s       task.Session
		running int
		alive   bool
		words   string
	}{
		{"a turn", task.Session{Agent: "claude", State: task.RunningTurn}, 0, true, "running a turn"},
		{"a task beside an idle agent", task.Session{Agent: "claude", State: task.Idle}, 1, true, "idle"},
		{"background work", task.Session{Agent: "claude", State: task.BackgroundOnly, Unreported: true}, 0, true, "background work only"},
		{"waiting", task.Session{Agent: "claude", State: task.WaitingPerson, WaitingFor: "a question"}, 0, false, "waiting for you: a question"},
		{"idle", task.Session{Agent: "claude", State: task.Idle}, 0, false, "idle"},
		{"agent gone, a task lives", task.Session{Agent: "claude", State: task.EndedSession, AgentGone: true}, 1, true, "agent gone"},
		{"agent gone, nothing lives", task.Session{Agent: "claude", State: task.EndedSession, AgentGone: true}, 0, false, "ended"},
	} {
		if got := TitlePaint(c.s, c.running, st) == st.Alive; got != c.alive {
			t.Errorf("%s: bright green %v", c.name, got)
		}
		if got := SessionWords(c.s, now, c.running); got != c.words {
			t.Errorf("%s: %q, want %q", c.name, got, c.words)
		}
	}
	gone := task.Session{ID: "s", Agent: "claude", State: task.EndedSession, AgentGone: true}
	other := shell("keep 2", 0)
	other.Session = "elsewhere"
	m := New(Options{Styles: st})
	m.SetSize(80, 20)
	m.SetSnapshot(task.Snapshot{Sessions: []task.Session{gone, {ID: "elsewhere"}}, Tasks: []task.Task{over(shell("keep 1", time.Hour), time.Minute), shell("lives", 0), other}}, now)
	m.SetFilter("keep")
	if v := m.View(); strings.Contains(v, "lives") || !strings.Contains(v, "agent gone") || !strings.Contains(v, "\x1b[92mclaude") {
		t.Fatalf("the session of a living task:\n%s", v)
	}
}

// TestSelectionGoesToTheRowThatTookItsPlace: hiding row after row goes down the
// list and at its end up.
func TestSelectionGoesToTheRowThatTookItsPlace(t *testing.T) {
	s := task.Snapshot{Tasks: []task.Task{over(shell("a", 0), 1), over(shell("b", 0), 2), over(shell("c", 0), 3)}}
	m := list(80, 20, s)
	m.Select("b")
	for _, want := range []string{"c", "a", ""} {
		cur, _ := m.Selected()
		m.SetHidden(cur.ID, true)
		if got, _ := m.Selected(); got.ID != want {
			t.Fatalf("after hiding %s the cursor is on %q, not %q", cur.ID, got.ID, want)
		}
	}
	m.SetHidden("b", false)
	if got, _ := m.Selected(); got.ID != "b" {
		t.Fatal("the row that came back is not found")
	}
}

// TestHiddenWaitsForTheEngine: a row hidden here stays hidden while snapshots do
// not know it yet, and then follows them.
func TestHiddenWaitsForTheEngine(t *testing.T) {
	s := task.Snapshot{Tasks: []task.Task{over(shell("a", 0), 1)}}
	m := list(80, 20, s)
	m.SetHidden("a", true)
	m.SetSnapshot(s, now)
	if m.Rows() != 0 {
		t.Fatal("an older snapshot brought the row back")
	}
	s.Tasks = []task.Task{s.Tasks[0]}
	s.Tasks[0].Hidden = true
	m.SetSnapshot(s, now)
	s.Tasks = []task.Task{over(shell("a", 0), 1)}
	m.SetSnapshot(s, now)
	if m.Rows() != 1 {
		t.Fatal("the engine's word does not count")
	}
}

// TestView is A3 and A10 for any list, width and height: exactly h lines, none
// wider than w, the cursor's row in sight, marks that add up to what is hidden.
func TestView(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(r, "tasks")
		w, h := rapid.IntRange(24, 200).Draw(r, "w"), rapid.IntRange(4, 50).Draw(r, "h")
		var s task.Snapshot
		for i := range n {
			k := shell(fmt.Sprintf("n%02d", i), time.Duration(i)*time.Hour)
			k.Title = rapid.SampledFrom([]string{"npm run dev", "日本語のタスク名がここに入る", "e\u0301tude", strings.Repeat("long ", 60)}).Draw(r, "title") + fmt.Sprintf(" %02d", i)
			k.Activity = rapid.SampledFrom([]string{"", "ok", strings.Repeat("界", 90)}).Draw(r, "activity")
			k.Warning = rapid.SampledFrom([]string{"", "", strings.Repeat("warned ", 40)}).Draw(r, "warning")
			k.Session = rapid.SampledFrom([]string{"s", "t"}).Draw(r, "session")
			s.Tasks = append(s.Tasks, k)
		}
		m := list(w, h, s)
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"down", "up", "end", "home", "pgdown", "pgup"}), 0, 20).Draw(r, "keys") {
			m.Key(k)
		}
		got := rows(m)
		if len(got) != h {
			r.Fatalf("%d lines for a height of %d", len(got), h)
		}
		seen := false
		for _, row := range got {
			if ansi.StringWidth(row) > w {
				r.Fatalf("a row of %d cells in %d: %s", ansi.StringWidth(row), w, row)
			}
			seen = seen || strings.HasPrefix(row, "▌")
		}
		if n > 0 && !seen {
			r.Fatalf("the cursor is out of sight:\n%s", m.View())
		}
	})
}

// TestStopWords are the words of K3 and K4 for the plans and reports there are.
func TestStopWords(t *testing.T) {
	one := []task.Process{{PID: 7, Command: "node"}}
	many := []task.Process{{PID: 1, Command: "npm"}, {PID: 2, Command: "node"}, {PID: 3, Command: "a"}, {PID: 4, Command: "b"}, {PID: 5, Command: "c"}, {PID: 6, Command: "d"}}
	for want, got := range map[string]string{
		"Stop dev (node 7)?": Stop{Title: "dev", Plan: task.StopPlan{Processes: one}}.Question(),
		"Stop dev and 5 children (npm 1 ─ node 2 ─ a 3 ─ b 4 +2 more), ports 80, 443?": Stop{Title: "dev", Plan: task.StopPlan{Processes: many, Ports: []int{80, 443}}}.Question(),
		"Stopping…":              Stop{Phase: Stopping, Elapsed: 4 * time.Second, Left: one}.Button(),
		"Stopping… 6 s · node 7": Stop{Phase: Stopping, Elapsed: 6 * time.Second, Left: one}.Button(),
		"■ stopped · 1 process ended · port 80 free":                                 Stop{Report: task.StopReport{Ended: one, PortsFreed: []int{80}}}.Proof(),
		"still alive: node 7 · port 80 still taken · It will be started again.":      Stop{Report: task.StopReport{Left: one, PortsHeld: []int{80}, Note: "It will be started again."}}.Proof(),
		"Still alive after 20 s: node 7. Stop tries again.":                          overdueWords(Stop{Elapsed: 20 * time.Second, Left: one}),
		"Not confirmed after 20 s: the end could not be seen yet. Stop tries again.": overdueWords(Stop{Elapsed: 20 * time.Second}),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestClean: what a task brings never moves the cursor, turns the text or hides.
func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     "plain",
		"\x1b[31mred\x1b[m":         "[31mred[m",
		"a\x00b\x07c\u009bd":        "abcd",
		"one\ntwo\tthree":           "one two three",
		"\u202eabc\u2066":           "abc",
		"zero\u200bwidth\ufeff":     "zerowidth",
		"👩\u200d🚀":                  "👩\u200d🚀",
		string([]byte{'a', 0xff}):   "a",
		"line\u2028separator\u2029": "lineseparator",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWrapNeverLosesText: rows are at most w cells, and where there are enough
// rows every word is on one of them.
func TestWrapNeverLosesText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word", "日本語", "averylongwordindeed", "—"}), 1, 30).Draw(r, "words")
		w, most := rapid.IntRange(8, 60).Draw(r, "w"), rapid.IntRange(1, 4).Draw(r, "rows")
		s := strings.Join(words, " ")
		all := Wrap(s, w, 1000)
		if got := strings.Join(strings.Fields(strings.Join(all, "")), ""); got != strings.Join(words, "") {
			r.Fatalf("%q became %q", s, all)
		}
		few := Wrap(s, w, most)
		for _, row := range few {
			if Width(row) > w {
				r.Fatalf("%q is wider than %d", row, w)
			}
		}
		if len(all) > most && !strings.HasSuffix(few[len(few)-1], "…") {
			r.Fatalf("text was cut without a mark: %q", few)
		}
	})
}

// BenchmarkSecond is what one tick costs with twenty running tasks: new ages in
// every row.
func BenchmarkSecond(b *testing.B) {
	var s task.Snapshot
	for i := range 20 {
		s.Tasks = append(s.Tasks, shell(fmt.Sprint(i), time.Duration(i)*time.Minute))
	}
	m := list(120, 30, s)
	for i := 0; b.Loop(); i++ {
		m.SetNow(now.Add(time.Duration(i) * time.Second))
		m.View()
	}
}

// BenchmarkThousands is a key in a list of everything that is kept (H): the cost
// of what is in sight, and a glance at the rest.
func BenchmarkThousands(b *testing.B) {
	var s task.Snapshot
	for i := range 3000 {
		t := shell(fmt.Sprint(i), time.Duration(i)*time.Minute)
		t.Status, t.Ended, t.Title = task.Failed, now, fmt.Sprintf("a command that ended long ago, number %d", i)
		s.Tasks = append(s.Tasks, t)
	}
	m := list(120, 30, s)
	for b.Loop() {
		m.Key("j")
		m.Want(List, 120)
		m.View()
	}
}

// BenchmarkUnchanged is a frame in which nothing changed.
func BenchmarkUnchanged(b *testing.B) {
	m := list(120, 30, task.Snapshot{Tasks: []task.Task{shell("a", 0)}})
	for b.Loop() {
		m.View()
	}
}

// TestSpinner is A1: one step a second, and only while something runs.
func TestSpinner(t *testing.T) {
	at := func(s task.Snapshot, second int) string {
		m := list(60, 5, s)
		m.SetNow(now.Add(time.Duration(second) * time.Second))
		return rows(m)[0]
	}
	runs, ended := task.Snapshot{Tasks: []task.Task{shell("a", time.Minute)}}, task.Snapshot{Tasks: []task.Task{over(shell("a", time.Hour), time.Minute)}}
	if a, b := at(runs, 0), at(runs, 1); a == b || !strings.ContainsAny(a, string(spinnerSteps)) {
		t.Errorf("no step in a second: %q %q", a, b)
	}
	if a, b := at(ended, 0), at(ended, 1); a != b || strings.ContainsAny(a, string(spinnerSteps)) {
		t.Errorf("it turns though nothing runs: %q %q", a, b)
	}
}
