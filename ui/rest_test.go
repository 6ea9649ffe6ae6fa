package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
	"offstage/ui/uitest"
)

// TestRest: after ten seconds in which only the clock moved the window is at rest, and
// no more with the first key, news or size.
func TestRest(t *testing.T) {
	var told []bool
	m := New(Options{Engine: uitest.New(task.Snapshot{}, time.Now), Now: time.Now, Rest: func(on bool) { told = append(told, on) }})
	second := func(n int) {
		for range n {
			m.Update(tickMsg{now: time.Now()})
		}
	}
	second(restAfter - 1)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	second(restAfter - 1)
	if len(told) != 0 {
		t.Fatalf("it rests too soon: %v", told)
	}
	second(5)
	m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	m.Update(frameMsg{})
	second(2 * restAfter)
	if want := []bool{true, false, true}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	m = New(Options{Engine: uitest.New(task.Snapshot{}, time.Now), Now: time.Now}) // nobody wants to know
	second(2 * restAfter)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
}
