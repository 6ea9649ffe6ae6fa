package ui

import (
	"slices"
	"strings"
	"testing"

	"offstage/task"
)

// TestKeepFromKey: an ended task is kept and no longer kept by its key, which the
// row and the details say; one that runs stays anyway (R6).
func TestKeepFromKey(t *testing.T) {
	s := oneSession()
	d := drive(t, 120, 40, s)
	d.press("m")
	d.has("Only an ended task can be kept")
	at := slices.IndexFunc(s.Tasks, func(x task.Task) bool { return x.Status == task.Succeeded && x.Kind == task.Shell })
	if at < 0 {
		t.Fatal("the sample has no task that succeeded")
	}
	id := s.Tasks[at].ID
	d.m.panel.Select(id)
	for _, on := range []bool{true, false} {
		msg := d.m.fx.spare(id, on)()
		d.send(msg)
		d.has(map[bool]string{true: "Kept: its record and output stay", false: "No longer kept"}[on])
		kept := oneSession()
		kept.Tasks[at].Kept = on
		d.snap(kept)
		d.m.panel.Select(id)
		if strings.Contains(d.text(), "completed · kept") != on {
			t.Errorf("kept %v:\n%s", on, d.text())
		}
	}
	if calls := d.e.Calls(); !slices.Contains(calls, "keep "+id+" true") || !slices.Contains(calls, "keep "+id+" false") {
		t.Errorf("the engine was asked %v", calls)
	}
}
