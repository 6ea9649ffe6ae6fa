package panel

import (
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestContinuation is I4: a finished row shows the first line of what the agent
// said when it was told of the end, and says what that is.
func TestContinuation(t *testing.T) {
	x := over(shell("a", time.Hour), time.Minute)
	x.Continuation = "\n The server died.\nI start it again."
	view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View()
	if !strings.Contains(view, "background continuation: The server died.") || strings.Contains(view, "again") {
		t.Error(view)
	}
	x.Status, x.Ended = task.Running, time.Time{}
	if view := list(120, 10, task.Snapshot{Tasks: []task.Task{x}}).View(); strings.Contains(view, "continuation") {
		t.Error("a running task has none: " + view)
	}
}
