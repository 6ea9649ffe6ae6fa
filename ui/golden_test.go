package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"offstage/task"
	"offstage/ui/uitest"
)

var sizes = [][2]int{{40, 12}, {80, 24}, {160, 45}}

// states are the chosen dozen of screens.
var states = []struct {
	name string
	snap func() task.Snapshot
	do   func(*driver)
}{
	{"list", sample, func(d *driver) {}},
	{"one-session", oneSession, func(d *driver) {}},
	{"empty", empty, func(d *driver) {}},
	{"scrolled", sample, func(d *driver) { d.press("G") }},
	{"collapsed", sample, func(d *driver) { d.press("space") }},
	{"asking", oneSession, func(d *driver) { d.press("x"); d.plan(threeProcesses("claude:vite")) }},
	{"stopping", oneSession, stopping},
	{"stopped", oneSession, func(d *driver) { stopping(d); report(d) }},
	{"filter", sample, func(d *driver) { d.press("/", "t", "e", "s", "t") }},
	{"details", sample, func(d *driver) { d.press("down", "down", "i") }},
	{"results", sample, func(d *driver) { d.press("tab", "down") }},
	{"workflow", flowing, func(d *driver) { d.press("down", "down", "down") }},
	{"workflow-ended", flown, func(d *driver) { d.press("down", "right", "G") }},
	{"cards", served, func(d *driver) { d.press("up", "up") }},
	{"console", sample, func(d *driver) { d.press("enter"); d.openOutput() }},
}

func sample() task.Snapshot { return uitest.Sample(uitest.Start) }
func empty() task.Snapshot  { return uitest.Empty(uitest.Start) }

func served() task.Snapshot  { return uitest.Served(uitest.Start) }
func flowing() task.Snapshot { return uitest.Flowing(uitest.Start) }
func flown() task.Snapshot   { return uitest.Flown(uitest.Start) }

func stopping(d *driver) {
	d.press("x")
	d.plan(threeProcesses("claude:vite"))
	d.press("y")
	d.later(6 * time.Second)
	d.send(frameMsg{now: d.now, progress: map[string]progressNews{"claude:vite": {d.m.seq, task.StopProgress{
		Task: "claude:vite", Elapsed: 6 * time.Second, Left: []task.Process{{PID: 48217, Command: "node"}}}}}})
}

func report(d *driver) {
	p := threeProcesses("claude:vite")
	d.send(reportMsg{seq: d.m.seq, id: p.Task, report: task.StopReport{Task: p.Task, Status: task.Cancelled, Ended: p.Processes, PortsFreed: p.Ports}})
}

// TestScreens compares the chosen states at three sizes in colour (A10, G of the
// layout), and without colour and in ASCII where that differs most. The inside
// of the console is left to the console's own tests.
func TestScreens(t *testing.T) {
	looks := map[string]func(*Options){
		"dark": func(*Options) {}, "mono": func(o *Options) { o.NoColor = true },
		"ascii": func(o *Options) { o.ASCII = true; o.NoColor = true }, "light": func(o *Options) { o.Theme = "light" },
	}
	for _, s := range states {
		for _, size := range sizes {
			for look, set := range looks {
				if look != "dark" && (size[0] != 80 || (s.name != "list" && s.name != "stopped" && s.name != "empty" && s.name != "workflow")) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", s.name, size[0], size[1], look), func(t *testing.T) {
					d := drive(t, size[0], size[1], s.snap(), set)
					s.do(d)
					golden.RequireEqual(t, []byte(d.masked()))
				})
			}
		}
	}
}

// masked is the frame with what is the console's own blanked out: its rectangle
// and its hints, whose looks and keys its own tests hold.
func (d *driver) masked() string {
	frame := d.frame()
	if d.m.console == nil {
		return frame + "\n"
	}
	rows := strings.Split(frame, "\n")
	r := d.m.lay.upper
	for y := r.y; y < r.y+r.h; y++ {
		rows[y] = ansi.Truncate(rows[y], r.x, "") + "<console>"
	}
	rows[d.m.lay.hint] = "<hints of the console>"
	return strings.Join(rows, "\n") + "\n"
}
