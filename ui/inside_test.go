package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"offstage/task"
	"offstage/ui/uitest"
)

// looking is an engine that counts who looks into tasks.
type looking struct {
	*uitest.Engine
	asked *[]string
}

func (l looking) Inside(_ context.Context, id string) (task.Inside, error) {
	*l.asked = append(*l.asked, id)
	if id == "claude:vitest" {
		return task.Inside{}, errors.New("gone")
	}
	return task.Inside{Task: id, CPU: 12.5, Memory: 148_000_000, Rate: 2000, Processes: []task.ProcessUse{
		{Process: task.Process{PID: 48210, Command: "npm run dev"}, CPU: 0, Memory: 61_000_000},
		{Process: task.Process{PID: 48217, Command: "node vite", Depth: 1}, CPU: 12.5, Memory: 87_000_000},
	}}, nil
}

// TestDetailsLookInside: the details of a running task show its process tree with CPU
// and memory and how fast its output grows; nothing is looked at while they are
// closed, or of a task that has ended.
func TestDetailsLookInside(t *testing.T) {
	var asked []string
	d := drive(t, 100, 40, oneSession(), func(o *Options) { o.Engine = looking{o.Engine.(*uitest.Engine), &asked} })
	look := func() { // as the program would carry the command out
		if cmd := d.m.needInside(); cmd != nil {
			d.send(cmd())
		}
	}
	d.later(time.Second)
	if look(); len(asked) != 0 {
		t.Fatalf("looked into %v with the details closed", asked)
	}
	d.m.toggleOver(overDetails)
	look()
	d.has("Uses        12 % CPU · 148 MB, 2 processes", "npm run dev 48210", "  node vite 48217", "0.0 % CPU · 61 MB", "grows by 2.0 kB a second")
	if look(); len(asked) != 1 {
		t.Errorf("asked %v within a second", asked)
	}
	d.later(time.Second)
	d.m.inside.busy = false // the driver runs no commands: this one was asked for by the tick
	d.later(time.Second)
	d.m.inside.busy = false
	look()
	d.m.toggleOver(overDetails)
	n := len(asked)
	d.later(time.Second)
	if look(); len(asked) != n || d.m.inside.last.Task != "" {
		t.Errorf("asked on after the details were closed: %v", asked)
	}
	d.press("G", "i")
	if look(); len(asked) != n {
		t.Errorf("an ended task was looked into: %v", asked)
	}
}
