package panel

import (
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestLeftBehindSaysSo is A11: the row says what it is, beside what it writes.
func TestLeftBehindSaysSo(t *testing.T) {
	x := shell("a", time.Hour)
	x.LeftBehind, x.Activity, x.Ports = true, "Serving HTTP", []int{5173}
	view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View()
	if !strings.Contains(view, "left behind") || !strings.Contains(view, "Serving HTTP") || !strings.Contains(view, ":5173") || !strings.Contains(view, "Stop") {
		t.Error(view)
	}
}
