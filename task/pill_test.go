package task

import (
	"testing"
	"time"
)

func TestPill(t *testing.T) { // W1, W2, W5
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	run := func(k Kind) Task { return Task{ID: "x:" + string(k), Kind: k, Status: Running, Started: now} }
	quiet := Task{ID: "q", Kind: Shell, Status: Running, Started: now.Add(-time.Hour)}
	asks := Task{ID: "a", Kind: Shell, Status: Running, Started: now, Waiting: "waiting for input"}
	failed := Task{ID: "f", Kind: Shell, Status: Failed}
	seen := Task{ID: "s", Kind: Shell, Status: Failed, Seen: true}
	for _, c := range []struct {
		name  string
		tasks []Task
		sess  []Session
		own   bool
		do    string
		want  string
		at    string
	}{
		{"nothing", nil, nil, false, "C-b b", "", ""},
		{"one", []Task{run(Shell)}, nil, false, "C-b b", "◇ 1 shell", ""},
		{"kinds", []Task{run(Shell), run(Monitor)}, nil, false, "", "◇ 1 monitor · 1 shell", ""},
		{"by number", []Task{run(Shell), run(Monitor), run(Shell)}, nil, false, "", "◇ 2 shells · 1 monitor", ""},
		{"cloud", []Task{run(Remote), run(Remote)}, nil, false, "", "◇ 2 cloud sessions", ""},
		{"foreground is no background", []Task{{Kind: Shell, Status: Running, Foreground: true}}, nil, false, "", "", ""},
		{"hidden", []Task{{Kind: Shell, Status: Failed, Hidden: true}}, nil, false, "", "", ""},
		{"a failure that was looked at", []Task{seen}, nil, false, "click", "", ""},
		{"a failure", []Task{failed, run(Shell)}, nil, false, "click", "✘ 1 failed · ◇ 1 shell · click", "f"},
		{"a failure alone", []Task{failed}, nil, false, "", "✘ 1 failed", "f"},
		{"a question first", []Task{failed, asks}, nil, false, "C-b b", "1 waiting for you · ✘ 1 failed · ◇ 1 shell · C-b b", "a"},
		{"quiet calls nobody", []Task{quiet}, nil, false, "C-b b", "1 quiet · ◇ 1 shell", "q"},
		{"the disk before all", []Task{asks, {ID: "d", Kind: Shell, Status: Running, Started: now, Disk: &DiskNote{Low: true}}}, nil, false, "", "▲ disk · 1 waiting for you · ◇ 2 shells", "d"},
		{"a session that asks", nil, []Session{{State: WaitingPerson}}, false, "", "1 waiting for you", ""},
		{"which its own window shows", nil, []Session{{State: WaitingPerson}}, true, "", "", ""},
		{"teammates in their own window", []Task{run(Teammate)}, nil, true, "", "", ""},
		{"teammates elsewhere", []Task{run(Teammate)}, nil, false, "", "◇ 1 teammate", ""},
		{"left behind", []Task{{ID: "l", Kind: Shell, Status: Running, LeftBehind: true, Started: now.Add(-time.Hour)}}, nil, false, "", "◇ 1 left behind", ""},
	} {
		p := PillOf(Snapshot{Tasks: c.tasks, Sessions: c.sess}, now, PillScope{Own: c.own, QuietAfter: 10 * time.Minute})
		if got := p.Text(false, c.do); got != c.want || p.Attention != c.at {
			t.Errorf("%s: %q at %q, want %q at %q", c.name, got, p.Attention, c.want, c.at)
		}
	}
	p := Pill{Running: map[Kind]int{Shell: 2}, Failed: 1, Disk: true, Part: true}
	if got := p.Text(true, ""); got != "! disk · x 1 failed · <> 2 shells · …" {
		t.Errorf("in ASCII, in part: %q", got)
	}
}
