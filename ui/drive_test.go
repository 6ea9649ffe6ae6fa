package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/task"
	"offstage/ui/uitest"
)

// driver runs the model without a terminal: messages in, frames out. Commands
// are not run; what they would bring is handed in by the methods.
type driver struct {
	t   testing.TB
	m   *Model
	e   *uitest.Engine
	now time.Time
}

// drive is a window of w×h on a snapshot at the sample's fixed time.
func drive(t testing.TB, w, h int, snap task.Snapshot, change ...func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, now: uitest.Start}
	d.e = uitest.New(snap, func() time.Time { return d.now })
	o := Options{Engine: d.e, Now: func() time.Time { return d.now }, Look: Look{Theme: "dark", Mouse: true}, Where: "/home/ada/shop-api", Home: "/home/ada"}
	for _, c := range change {
		c(&o)
	}
	d.m = New(o)
	t.Cleanup(d.m.fx.cancel)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.snap(snap)
	return d
}

func (d *driver) send(msg tea.Msg) { d.m.Update(msg) }

func (d *driver) snap(s task.Snapshot) { d.send(frameMsg{now: d.now, snap: &s}) }

// later moves the clock and ticks.
func (d *driver) later(by time.Duration) {
	d.now = d.now.Add(by)
	d.send(tickMsg{now: d.now})
}

// press sends keys by name: "enter", "x", "ctrl+c".
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

var codes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace, "tab": tea.KeyTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "end": tea.KeyEnd, "home": tea.KeyHome, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	"backspace": tea.KeyBackspace}

func keyMsg(k string) tea.KeyPressMsg {
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	if c, ok := codes[k]; ok {
		msg := tea.KeyPressMsg{Code: c}
		if k == "space" {
			msg.Text = " "
		}
		return msg
	}
	r := []rune(k)[0]
	return tea.KeyPressMsg{Code: r, Text: k}
}

// openOutput hands in the output of the open task and the pages it asks for.
func (d *driver) openOutput() {
	out, err := d.e.Open(context.Background(), d.m.open)
	d.send(openedMsg{gen: d.m.gen, out: out, err: err})
	d.pages()
}

// pages answers the console's wishes until it has none.
func (d *driver) pages() {
	for range 10 {
		if d.m.console == nil || d.m.out == nil {
			return
		}
		req := d.m.asked
		if req == nil {
			return
		}
		p, err := d.m.out.Page(context.Background(), *req)
		d.send(frameMsg{now: d.now, pages: []pageNews{{gen: d.m.gen, page: p, err: err}}})
	}
}

// grow appends lines to the open output and lets the window hear of it.
func (d *driver) grow(lines ...string) {
	out := d.e.Output(d.m.open)
	out.Grow(lines...)
	d.send(frameMsg{now: d.now, facts: &factsNews{gen: d.m.gen, facts: out.Facts()}})
	d.pages()
}

// plan answers the window's question for a stop plan.
func (d *driver) plan(p task.StopPlan) {
	d.send(planMsg{seq: d.m.seq, id: p.Task, plan: p})
}

func threeProcesses(id string) task.StopPlan {
	return task.StopPlan{Task: id, Run: 1, Ports: []int{5173}, Processes: []task.Process{
		{PID: 48210, Command: "npm", Start: 1}, {PID: 48217, Command: "node", Depth: 1, Start: 2}, {PID: 48220, Command: "esbuild", Depth: 2, Start: 3},
	}}
}

func (d *driver) click(x, y int) {
	d.send(clickMsg{tea.Mouse{X: x, Y: y, Button: tea.MouseLeft}, d.now})
}

func (d *driver) frame() string { return d.m.View().Content }

// rows is the frame without its colours.
func (d *driver) rows() []string { return strings.Split(ansi.Strip(d.frame()), "\n") }

func (d *driver) text() string { return strings.Join(d.rows(), "\n") }

// find is the cell where text stands; −1 where it does not.
func (d *driver) find(text string) (x, y int) {
	for i, row := range d.rows() {
		if at := strings.Index(row, text); at >= 0 {
			return ansi.StringWidth(row[:at]), i
		}
	}
	return -1, -1
}

func (d *driver) has(texts ...string) {
	d.t.Helper()
	for _, s := range texts {
		if !strings.Contains(d.text(), s) {
			d.t.Fatalf("the screen lacks %q:\n%s", s, d.text())
		}
	}
}

func (d *driver) lacks(texts ...string) {
	d.t.Helper()
	for _, s := range texts {
		if strings.Contains(d.text(), s) {
			d.t.Fatalf("the screen has %q:\n%s", s, d.text())
		}
	}
}

// oneSession is the sample cut to its first session.
func oneSession() task.Snapshot {
	s := uitest.Sample(uitest.Start)
	s.Sessions, s.Tasks = s.Sessions[:1], s.Tasks[:9]
	return s
}
