package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
	"offstage/ui/uitest"
)

// owner is an engine that runs tasks itself.
type owner struct {
	*uitest.Engine
	asked []string
	err   error
}

func (o *owner) Answer(_ context.Context, id, text string) error {
	o.asked = append(o.asked, "answer "+id+" "+text)
	return o.err
}

func (o *owner) Restart(_ context.Context, id string) (string, error) {
	o.asked = append(o.asked, "restart "+id)
	return "claude:vite", o.err
}

func (o *owner) Guard(_ context.Context, id, what string) error {
	o.asked = append(o.asked, what+" "+id)
	return o.err
}

// owning is a window with a task of our own that asks something and fills the disk.
func owning(t *testing.T) (*driver, *owner) {
	s := oneSession()
	own := s.Tasks[0]
	own.ID, own.Source, own.Title = "own:t1", "own", "npm create"
	own.Can = task.Can{Read: true, Stop: true, Answer: true}
	own.Waiting, own.WaitingLine = "waiting for input", "Overwrite? (y/n)"
	own.Disk = &task.DiskNote{Bytes: 38e9, Free: 12e9, Limit: 5e9, Action: "warn", CanFreeze: true, CanTrim: true}
	s.Tasks = append([]task.Task{own}, s.Tasks...)
	o := &owner{}
	d := drive(t, 100, 30, s, func(op *Options) {
		o.Engine = op.Engine.(*uitest.Engine)
		op.Engine = o
	})
	d.m.panel.Select("own:t1")
	return d, o
}

// carry runs commands that end at once and hands in what they bring; those that
// wait (the engine, the clock) are left out by the driver's own context.
func (d *driver) carry(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.carry(c)
		}
	case doneMsg, restartedMsg, openedMsg:
		d.send(msg)
	}
}

// TestAnswerLine is S3: a task of our own is answered from its console; what is
// typed is no key of the window.
func TestAnswerLine(t *testing.T) {
	d, o := owning(t)
	d.m.ticking = true // no clock in this test
	d.press("a")
	d.has("answer ▸", "esc leave")
	d.press("y", "x", "q")
	d.has("yxq")
	d.press("backspace", "backspace")
	cmd := d.m.key(keyMsg("enter"))
	d.carry(cmd)
	if want := "[answer own:t1 y]"; fmt.Sprint(o.asked) != want {
		t.Errorf("asked %v, want %s", o.asked, want)
	}
	d.has("Sent the answer.", "waiting for input: Overwrite? (y/n)", "a answer")
}

// TestDiskStrip is O6: what an output takes, freeze and trim a key away; a trim is
// asked for twice; an error is said.
func TestDiskStrip(t *testing.T) {
	d, o := owning(t)
	d.m.ticking = true
	d.press("enter")
	d.has("output takes 38 GB · 12 GB free · over 5.0 GB", "Z freeze", "T trim", "x stop")
	d.carry(d.m.key(keyMsg("Z")))
	d.carry(d.m.key(keyMsg("T")))
	d.send(tickMsg{now: d.now})
	d.has("Press T again")
	d.carry(d.m.key(keyMsg("j")))
	d.carry(d.m.key(keyMsg("T")))
	o.err = errors.New("its supervisor is gone")
	d.carry(d.m.key(keyMsg("T")))
	if want := "[freeze own:t1 trim own:t1]"; fmt.Sprint(o.asked) != want {
		t.Errorf("asked %v, want %s", o.asked, want)
	}
	d.has("Its supervisor is gone")
}

// TestRestart is K8: a task of our own starts again and its console opens; for
// another's the sentence that asks its agent is copied.
func TestRestart(t *testing.T) {
	d, o := owning(t)
	d.m.ticking = true
	d.carry(d.m.key(keyMsg("R")))
	d.has("still running: stop it first")
	s := d.m.snap
	s.Tasks[0].Status, s.Tasks[0].Ended = task.Succeeded, d.now
	d.snap(s)
	d.m.panel.Select("own:t1")
	d.carry(d.m.key(keyMsg("R")))
	if fmt.Sprint(o.asked) != "[restart own:t1]" || d.m.openFirst != "claude:vite" {
		t.Errorf("asked %v, opens %q", o.asked, d.m.openFirst)
	}
	d.snap(s)
	if d.m.open != "claude:vite" {
		t.Errorf("%q is open", d.m.open)
	}
	copied := ""
	d.m.fx.o.Copy = func(text string) (string, error) { copied = text; return "test", nil }
	d.carry(d.m.key(keyMsg("R")))
	if !strings.HasPrefix(copied, "Please start this again in the background: npm run dev") {
		t.Errorf("copied %q", copied)
	}
	d.has("Copied what asks its agent")
}

// TestNoOwnTasks: an engine that runs none says so and does nothing.
func TestNoOwnTasks(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("a")
	d.has("Only a task that offstage run --tty started")
	d.press("enter", "a")
	d.has("Only a task that offstage run --tty started")
	d.press("Z")
	d.has("cannot be frozen")
}
