package ui

import (
	"testing"

	"offstage/task"
)

// TestGoToAgent: p goes to the pane of the session that is shown; where no pane
// is known that is said (A12).
func TestGoToAgent(t *testing.T) {
	went := ""
	snap := oneSession()
	snap.Sessions = append([]task.Session(nil), snap.Sessions...)
	snap.Sessions[0].Pane = "tmux:0:@0.%0"
	d := drive(t, 100, 30, snap, func(o *Options) { o.GoToPane = func(p string) error { went = p; return nil } })
	cmd := d.m.goToAgent()
	if cmd == nil {
		t.Fatal("nothing happens")
	}
	if cmd(); went != "tmux:0:@0.%0" {
		t.Errorf("went to %q", went)
	}
	snap.Sessions[0].Pane = ""
	d = drive(t, 100, 30, snap)
	if d.press("p"); d.m.toast == "" {
		t.Error("an unknown pane is not said")
	}
}
