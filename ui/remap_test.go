package ui

import (
	"strings"
	"testing"
	"time"

	"offstage/panel"
	"offstage/task"
	"offstage/ui/uitest"
)

// TestRemap: every key can be given another one, by its name in the key table;
// the help and the hints show the new one, the old one does nothing (B16).
func TestRemap(t *testing.T) {
	own := map[string][]string{"list.open": {"z"}, "window.help": {"F"}, "console.wrap": {"ctrl+w"}}
	d := drive(t, 80, 24, oneSession(), func(o *Options) { o.Keys = own })
	d.press("enter")
	if d.m.open != "" {
		t.Error("the old key still opens")
	}
	d.press("z")
	if d.m.open == "" {
		t.Error("the new key does not open")
	}
	d.press("esc", "esc", "F")
	if d.m.over != overHelp {
		t.Error("the new key does not show the help")
	}
	for _, k := range keyTable(own) {
		if keys, ok := own[k.ID]; ok && strings.Join(k.Keys, " ") != strings.Join(keys, " ") {
			t.Errorf("%s stands in the table as %v", k.ID, k.Keys)
		}
	}
	seen := map[string]bool{}
	for _, k := range KeyTable() {
		if k.Keys[0] == "ctrl+c" {
			continue // the way out stays where everybody looks for it
		}
		if k.ID == "" || seen[k.ID] && !strings.HasPrefix(k.ID, "console.") {
			t.Errorf("%v (%s) has no name of its own in the table: %q", k.Keys, k.Words, k.ID)
		}
		seen[k.ID] = true
	}
}

// TestEarlyAnswer: an answer that is typed before the plan is there is carried
// out when it is, shown and not refused; it never falls through to what its key
// does elsewhere (A6, K3).
func TestEarlyAnswer(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	d.press("x", "y")
	id := ""
	for i, s := range d.m.stops {
		id = i
		if s.phase != panel.Planning {
			t.Fatalf("phase %v before the plan", s.phase)
		}
	}
	d.plan(threeProcesses(id))
	if s := d.m.stops[id]; s == nil || s.phase != panel.Stopping || len(s.plan.Processes) != 3 {
		t.Fatalf("after the plan: %+v", s)
	}
	d = drive(t, 80, 24, oneSession())
	d.press("x", "y")
	d.plan(task.StopPlan{Task: id, Run: 1, Refused: "It cannot."})
	if s := d.m.stops[id]; s == nil || s.phase != panel.Asking {
		t.Errorf("a refused plan was carried out: %+v", s)
	}
	d = drive(t, 80, 24, oneSession())
	d.press("x", "n")
	if len(d.m.stops) != 0 {
		t.Errorf("n before the plan keeps the question: %v", d.m.stops)
	}
}

// TestQuietSetting: a change of the setting is taken up at once (D3).
func TestQuietSetting(t *testing.T) {
	d := drive(t, 80, 24, uitest.Sample(uitest.Start))
	l := d.m.o.Look
	l.QuietAfter = 2 * time.Minute
	d.send(lookMsg{l})
	if d.m.o.QuietAfter != 2*time.Minute {
		t.Errorf("the setting is %v", d.m.o.QuietAfter)
	}
	d = drive(t, 160, 45, oneSession())
	amber := func() bool { return strings.Contains(d.frame(), string(d.m.theme.panel.Amber)+"no output for 3 min") }
	if !strings.Contains(d.text(), "no output for 3 min") || amber() {
		t.Fatalf("before the change:\n%s", d.text())
	}
	d.send(lookMsg{l})
	if !amber() {
		t.Error("the row does not take the setting up")
	}
}
