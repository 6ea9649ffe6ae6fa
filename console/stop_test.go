package console

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"offstage/task"
)

// A6, K3: the plan is on the screen before y confirms it, and what is confirmed
// is the plan that was on the screen.
func TestStopAsksAndConfirmsWhatItShowed(t *testing.T) {
	m := open(t, Options{}, 80, 24, devTask(), devLog())
	if a, _ := m.Key("x"); a != (Stop{}) {
		t.Fatalf("x gives %#v", a)
	}
	m.SetStop(StopView{Phase: StopFinding})
	if a, _ := m.Key("y"); a == nil {
		t.Fatal("y while the plan is not there should copy")
	} else if _, ok := a.(ConfirmStop); ok {
		t.Fatal("confirmed a plan that nobody saw")
	}
	plan := stopPlan()
	m.SetStop(StopView{Phase: StopAsking, Plan: plan})
	for _, want := range []string{"Stop npm run dev and 3 children, port 5173?", "npm 48211 ─ node 48217 ─ esbuild 48220, esbuild 48221", "y stop", "n keep", "claude 4711 (the agent itself)"} {
		if !strings.Contains(plain(m), want) {
			t.Errorf("no %q in\n%s", want, plain(m))
		}
	}
	for key, want := range map[string]Action{"y": ConfirmStop{plan}, "enter": ConfirmStop{plan}, "n": CancelStop{}, "esc": CancelStop{}, "K": StopNow{plan}} {
		if got, _ := m.Key(key); cmp.Diff(want, got) != "" {
			t.Errorf("%s: %s", key, cmp.Diff(want, got))
		}
	}
	if a, _ := m.Key("k"); a != nil || m.follow && len(m.list) > m.geo.body {
		t.Errorf("k while asked gives %#v, it scrolls", a)
	}
}

// btop's fault: a question for one task is never answered for another.
func TestStopOfAnotherTaskIsNotShown(t *testing.T) {
	m := open(t, Options{}, 80, 24, shellTask(), testRun())
	m.SetStop(StopView{Phase: StopAsking, Plan: stopPlan()})
	if strings.Contains(plain(m), "y stop") {
		t.Error("the question of another task is shown")
	}
	if a, _ := m.Key("y"); cmp.Equal(a, Action(ConfirmStop{stopPlan()})) {
		t.Error("and can be confirmed")
	}
}

// A6: Stopping… at once, after 5 s with what is left, after 15 s the button is
// back and what lives on is said.
func TestStoppingGrowsMoreTalkative(t *testing.T) {
	m := open(t, Options{}, 80, 24, devTask(), devLog())
	show := func(d time.Duration) string {
		m.SetStop(StopView{Phase: StopRunning, Plan: stopPlan(), Progress: task.StopProgress{Task: "claude:dev", Elapsed: d, Left: stopPlan().Processes[1:2]}})
		return plain(m)
	}
	if v := show(time.Second); !strings.Contains(v, "Stopping…") || strings.Contains(v, "node 48217") || strings.Contains(v, "x stop") {
		t.Errorf("1 s:\n%s", v)
	}
	if v := show(6 * time.Second); !strings.Contains(v, "Stopping… 6 s · node 48217") || !strings.Contains(v, "K kill now") {
		t.Errorf("6 s:\n%s", v)
	}
	if a, _ := m.Key("x"); a != nil {
		t.Errorf("x while stopping gives %#v", a)
	}
	if v := show(16 * time.Second); !strings.Contains(v, "x stop") || !strings.Contains(v, "node 48217") {
		t.Errorf("16 s:\n%s", v)
	}
	if a, _ := m.Key("x"); a != (Stop{}) {
		t.Errorf("x after 15 s gives %#v", a)
	}
}

// K4: the proof, or what is left of it.
func TestStopReport(t *testing.T) {
	m := open(t, Options{}, 80, 24, devTask(), devLog())
	m.SetStop(StopView{Phase: StopDone, Report: task.StopReport{Task: "claude:dev", Ended: stopPlan().Processes[:3], PortsFreed: []int{5173}}})
	if v := plain(m); !strings.Contains(v, "■ stopped · 3 processes ended · port 5173 free") {
		t.Errorf("proof:\n%s", v)
	}
	if a, _ := m.Key("esc"); a != (CancelStop{}) {
		t.Errorf("esc gives %#v", a)
	}
	m.SetStop(StopView{Phase: StopDone, Report: task.StopReport{Task: "claude:dev", Left: stopPlan().Processes[1:2], PortsHeld: []int{5173}}})
	if v := plain(m); !strings.Contains(v, "Still alive: node 48217 · port 5173 still taken") {
		t.Errorf("left:\n%s", v)
	}
}

// A6: no button where it cannot be stopped, and the key says why.
func TestNoStop(t *testing.T) {
	tk := devTask()
	tk.Can = task.Can{Read: true, WhyNot: "Its processes run in another container."}
	m := open(t, Options{}, 80, 24, tk, devLog())
	if strings.Contains(plain(m), "x stop") {
		t.Error("a button that cannot work")
	}
	if a, _ := m.Key("x"); a != (Toast{"Its processes run in another container."}) {
		t.Errorf("x gives %#v", a)
	}
	for _, h := range m.Hints() {
		if h.ID == "console.stop" {
			t.Error("hint for a stop that cannot work")
		}
	}
}

// At 40 columns nothing of the question is cut off.
func TestStopQuestionIsWholeInNarrow(t *testing.T) {
	m := open(t, Options{}, 40, 12, devTask(), devLog())
	m.SetStop(StopView{Phase: StopAsking, Plan: stopPlan()})
	v := strings.Join(strings.Fields(plain(m)), " ")
	for _, want := range []string{"and 3 children, port 5173?", "y stop n keep", "x stop"} {
		if !strings.Contains(v, want) {
			t.Errorf("no %q in\n%s", want, plain(m))
		}
	}
}
