package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

func served() task.Snapshot {
	return task.Snapshot{
		Sessions: []task.Session{{ID: "s", Agent: "claude", Title: "one"}, {ID: "z", Agent: "codex"}},
		Tasks:    []task.Task{shell("a", time.Minute), shell("b", time.Second)},
		Previews: []task.Preview{
			{Task: "a", Owner: "task a", Session: "s", Label: "web", URL: "http://localhost:5173/?token=[redacted]", Port: 5173, State: task.PreviewUp},
			{Task: "gone", Owner: "a server", Session: "z", Label: "api", URL: "http://localhost:8080/", Port: 8080, State: task.PreviewTaken},
		},
	}
}

// TestPreviewCards is A8: cards stand above the tasks with label, address, owner and
// state; the cursor begins on a task; Enter, o and a click open the address.
func TestPreviewCards(t *testing.T) {
	m := list(100, 20, served())
	for i, want := range []string{"↗ web  http://localhost:5173/?token=[redacted]  task a up", "↗ api  http://localhost:8080/  a server taken by another process"} {
		if got := strings.Join(strings.Fields(rows(m)[1+i]), " "); got != strings.Join(strings.Fields(want), " ") {
			t.Errorf("card %d is %q", i, got)
		}
	}
	if s, _ := m.Selected(); s.ID != "a" || m.Rows() != 2 || !strings.Contains(rows(m)[0], "2 background tasks running") {
		t.Errorf("the cursor begins on %q, %d rows, %q", s.ID, m.Rows(), rows(m)[0])
	}
	open := OpenURL{Task: "gone", URL: "http://localhost:8080/"}
	if a, ok := m.Mouse(20, 2); !ok || a != open {
		t.Errorf("a click gave %#v", a)
	}
	for _, k := range []string{"enter", "o"} {
		if a, _ := m.Key(k); a != open {
			t.Errorf("%s on a card gave %#v", k, a)
		}
	}
	if m.Session() != "z" {
		t.Errorf("its session is %q", m.Session())
	}
	if a, _ := m.Key("y"); a != (Copy{"http://localhost:8080/", "the address"}) {
		t.Errorf("y gave %#v", a)
	}
	for _, k := range []string{"x", "d", "a", "left"} {
		if a, _ := m.Key(k); a != nil && fmt.Sprintf("%T", a) != "panel.Say" {
			t.Errorf("%s on a card gave %#v", k, a)
		}
	}
	m.Select("a")
	if a, _ := m.Key("o"); a != (OpenURL{Task: "a", URL: "http://localhost:5173/?token=[redacted]"}) {
		t.Errorf("o on the task gave %#v", a)
	}
}

// TestPreviewCardLink is A8: a link only where the terminal takes them, its target
// without the query, and none where a part of the path is hidden.
func TestPreviewCardLink(t *testing.T) {
	s := served()
	s.Previews[1].URL = "http://localhost:8080/[redacted]/x"
	m := list(100, 20, s)
	if strings.Contains(m.View(), "\x1b]8") {
		t.Error("a link without leave")
	}
	m.SetLinks(true)
	v := m.View()
	if strings.Count(v, "\x1b]8;;http") != 1 || !strings.Contains(v, "\x1b]8;;http://localhost:5173/\x1b\\") {
		t.Errorf("links: %q", v)
	}
	for url, want := range map[string]string{"http://u:p@h/": "", "javascript:alert(1)": "", "https://h:1/a b;c\x1b#f": "https://h:1/a%20b%3Bc%1B", "http://": ""} {
		if got := task.LinkTarget(url); got != want {
			t.Errorf("%q leads to %q, want %q", url, got, want)
		}
	}
}

// TestPreviewCardAlone is A8: a card keeps the panel after its task has gone, and the
// filter finds it; in a narrow list it says on a second row what the first cannot.
func TestPreviewCardAlone(t *testing.T) {
	s := served()
	s.Tasks, s.Previews = nil, s.Previews[1:]
	m := list(40, 10, s)
	if v := m.View(); !strings.Contains(v, "http://localhost:8080/") || !strings.Contains(v, "taken by another process") || !strings.Contains(rows(m)[1], "▌") {
		t.Errorf("the card alone:\n%s", v)
	}
	m.SetFilter("nothing like it")
	if v := m.View(); strings.Contains(v, "8080") || !strings.Contains(v, "No task matches") {
		t.Error(v)
	}
	m.SetFilter("api 8080")
	if !strings.Contains(m.View(), "8080") {
		t.Error(m.View())
	}
}

// TestURLPort: the port of an address as a card needs it.
func TestURLPort(t *testing.T) {
	for url, want := range map[string]int{"http://localhost:5173/": 5173, "https://localhost": 443, "http://[::1]:80/x": 80, "http://[::1]": 80, "http://u:1@h:2?x:3": 2,
		"http://h:99999": 0, "http://h:x/": 0, "nothing": 0, "http://h/a:5": 80} {
		if got := task.URLPort(url); got != want {
			t.Errorf("%s: %d, want %d", url, got, want)
		}
	}
}

// TestPreviewCardsComeIntoSight: in a list that is longer than the window, cards are in
// sight at the first look, and when a server starts while the list stands at its head.
func TestPreviewCardsComeIntoSight(t *testing.T) {
	s := served()
	for i := range 30 {
		s.Tasks = append(s.Tasks, shell(fmt.Sprint("t", i), 0))
	}
	if v := list(80, 12, s).View(); !strings.Contains(v, ":5173") {
		t.Errorf("at the first look:\n%s", v)
	}
	cards := s.Previews
	s.Previews = nil
	m := list(80, 12, s)
	m.View()
	s.Previews = cards
	m.SetSnapshot(s, now)
	if v := m.View(); !strings.Contains(v, ":5173") || !strings.Contains(v, "▌") {
		t.Errorf("a server that starts:\n%s", v)
	}
	m.Key("end")
	m.View()
	s.Previews = nil
	m.SetSnapshot(s, now)
	at := strings.Index(m.View(), "▌")
	s.Previews = cards
	m.SetSnapshot(s, now)
	if got := strings.Index(m.View(), "▌"); got != at {
		t.Errorf("further down the rows moved under the cursor: %d, %d", at, got)
	}
}
