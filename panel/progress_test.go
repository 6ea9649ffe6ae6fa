package panel

import (
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestProgressOnTheRow: what a program reports by OSC 9;4 stands on its row while
// it runs, and not behind test counts.
func TestProgressOnTheRow(t *testing.T) {
	x := shell("a", time.Hour)
	x.Progress = &task.Progress{Percent: 42}
	if view := list(100, 10, task.Snapshot{Tasks: []task.Task{x}}).View(); !strings.Contains(view, "42 %") {
		t.Error(view)
	}
	x = over(x, time.Minute)
	if view := list(100, 10, task.Snapshot{Tasks: []task.Task{x}}).View(); strings.Contains(view, "42 %") {
		t.Error("an ended task makes no progress: " + view)
	}
}
