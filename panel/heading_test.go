package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// twoSessions are two with two tasks each; the agent of the second is in a pane.
func twoSessions() task.Snapshot {
	mk := func(id, session string) task.Task {
		t := shell(id, time.Minute)
		t.Session = session
		return t
	}
	return task.Snapshot{
		Sessions: []task.Session{{ID: "one", Agent: "claude", Title: "first"}, {ID: "two", Agent: "codex", Title: "second", Pane: "tmux:0:@0.%1"}},
		Tasks:    []task.Task{mk("a", "one"), mk("b", "one"), mk("c", "two"), mk("d", "two")},
	}
}

// TestTitlesAreRows is A12: the cursor starts on a task and reaches the titles;
// they fold and unfold, and nothing that is folded is lost from a count.
func TestTitlesAreRows(t *testing.T) {
	m := list(80, 20, twoSessions())
	if s, ok := m.Selected(); !ok || s.ID != "a" {
		t.Fatalf("the cursor starts on %q", s.ID)
	}
	m.Key("up")
	if s, ok := m.OnHeading(); !ok || s.ID != "one" || !strings.Contains(rows(m)[1], "▌claude · first") {
		t.Fatalf("up goes to %q:\n%s", s.ID, m.View())
	}
	before := rows(m)[0]
	if a, _ := m.Key("enter"); a != (Moved{}) {
		t.Fatalf("enter gave %#v", a)
	}
	if v := m.View(); strings.Contains(v, "task a") || !strings.Contains(v, "▸ claude · first  2 tasks") || rows(m)[0] != before || m.Rows() != 4 {
		t.Fatalf("folded, %d rows:\n%s", m.Rows(), v)
	}
	if got := fmt.Sprint(m.IDs()); got != "[c d]" {
		t.Errorf("tasks that can be stepped to: %s", got)
	}
	m.Key("right")
	m.Key("down")
	m.Key("down")
	if s, _ := m.Selected(); s.ID != "b" {
		t.Errorf("the cursor is on %q", s.ID)
	}
	m.Key("left")
	if s, ok := m.OnHeading(); !ok || s.ID != "one" {
		t.Errorf("left goes to %q", s.ID)
	}
	m.Key("left")
	m.Select("b")
	if s, _ := m.Selected(); s.ID != "b" || !strings.Contains(m.View(), "task a") {
		t.Errorf("a task in a folded session cannot be selected:\n%s", m.View())
	}
	m.SetFilter("task b")
	if !strings.Contains(m.View(), "task b") {
		t.Error("a filter does not find what is folded")
	}
}

// TestTitleLeadsToTheAgent is A12: Enter on a title goes to the agent's pane where
// it is known; a task key says what it needs.
func TestTitleLeadsToTheAgent(t *testing.T) {
	m := list(80, 20, twoSessions())
	m.Select(headingID("two"))
	if a, _ := m.Key("enter"); a != (Agent{"two"}) {
		t.Errorf("enter gave %#v", a)
	}
	if a, _ := m.Key("x"); a != (Say{"Select one of the tasks under this title."}) {
		t.Errorf("x gave %#v", a)
	}
	var hints []string
	for _, h := range m.Hints() {
		hints = append(hints, h.Hint)
	}
	if got := fmt.Sprint(hints); got != "[agent fold]" {
		t.Errorf("hints: %s", got)
	}
	y := 0
	for i, r := range rows(m) {
		if strings.Contains(r, "codex · second") {
			y = i
		}
	}
	m.Mouse(5, y)
	if v := m.View(); strings.Contains(v, "task c") {
		t.Errorf("a click on the selected title does not fold it:\n%s", v)
	}
	m.Mouse(5, y)
	if v := m.View(); !strings.Contains(v, "task c") {
		t.Errorf("a second one does not unfold it:\n%s", v)
	}
}

// TestWhyNoStop is A6 and G6: a row without Stop says why and what does end it,
// where there is room without the cursor.
func TestWhyNoStop(t *testing.T) {
	a, b := shell("a", time.Minute), shell("b", time.Minute)
	b.Can = task.Can{WhyNot: "A sub-agent ends with its agent: press Esc there."}
	s := task.Snapshot{Tasks: []task.Task{a, b}}
	if v := list(100, 20, s).View(); !strings.Contains(v, "└ A sub-agent ends with its agent") || strings.Count(v, "Stop") != 1 {
		t.Errorf("with room:\n%s", v)
	}
	m := list(100, 3, s)
	if v := m.View(); strings.Contains(v, "└ A sub-agent") {
		t.Errorf("without room:\n%s", v)
	}
	b.Trouble = "cannot see its processes"
	m = list(100, 20, task.Snapshot{Tasks: []task.Task{a, b}})
	if v := m.View(); !strings.Contains(v, "cannot see its processes · A sub-agent ends") {
		t.Errorf("in trouble:\n%s", v)
	}
}
