package panel

import (
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestAwakeSaysSo is H2: the row of a task that keeps the machine awake says it.
func TestAwakeSaysSo(t *testing.T) {
	x := shell("a", time.Hour)
	x.Awake, x.Activity = true, "Serving HTTP"
	if view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View(); !strings.Contains(view, "keeps awake · Serving HTTP") {
		t.Error(view)
	}
}

// TestLeftBehindSaysSo is A11: the row says what it is, beside what it writes.
func TestLeftBehindSaysSo(t *testing.T) {
	x := shell("a", time.Hour)
	x.LeftBehind, x.Activity, x.Ports = true, "Serving HTTP", []int{5173}
	view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View()
	if !strings.Contains(view, "left behind") || !strings.Contains(view, "Serving HTTP") || !strings.Contains(view, ":5173") || !strings.Contains(view, "Stop") {
		t.Error(view)
	}
	for session, want := range map[string]string{
		"claude:5f6e7a80-1111": "left behind by claude 5f6e7a80", "codex:left-behind": "left behind ", "own:/srv/app": "left behind ", "": "left behind ",
	} {
		x.Session = session
		if view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View(); !strings.Contains(view, want) || strings.Contains(want, "by") != strings.Contains(view, "left behind by") {
			t.Errorf("%q: no %q in\n%s", session, want, view)
		}
	}
}
