package ui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/task"
	"offstage/ui/uitest"
)

// fits checks the promise of A10 for one frame: exactly as many rows as the
// window has, none wider, no escape but SGR, no control character.
func fits(t *testing.T, d *driver, after string) {
	t.Helper()
	frame := d.frame()
	rows := strings.Split(frame, "\n")
	if len(rows) != d.m.h {
		t.Fatalf("%d×%d after %s: %d rows", d.m.w, d.m.h, after, len(rows))
	}
	for y, row := range rows {
		if n := ansi.StringWidth(row); n > d.m.w {
			t.Fatalf("%d×%d after %s: row %d is %d cells wide:\n%s", d.m.w, d.m.h, after, y, n, ansi.Strip(row))
		}
	}
	onlySGR(t, frame, after)
}

// onlySGR fails on any escape sequence but SGR and on any control character.
func onlySGR(t *testing.T, frame, after string) {
	t.Helper()
	for rest := frame; ; {
		at := strings.IndexByte(rest, 0x1b)
		text := rest
		if at >= 0 {
			text = rest[:at]
		}
		for _, r := range text {
			if (r < ' ' && r != '\n') || (r >= 0x7f && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
				t.Fatalf("after %s: control character %q on the screen", after, r)
			}
		}
		if at < 0 {
			return
		}
		rest = rest[at+1:]
		end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' && r != '[' })
		if !strings.HasPrefix(rest, "[") || end < 0 || rest[end] != 'm' {
			t.Fatalf("after %s: an escape that is no SGR: %.20q", after, rest)
		}
		rest = rest[end+1:]
	}
}

var walk = []string{"down", "up", "enter", "esc", "x", "y", "n", "space", "tab", "?", "i", "/", "t", "backspace", "s", "S", "G", "g",
	"d", "u", "D", "A", "H", "M", "]", "[", "pgdown", "pgup", "f", "w", "v", "e", "!", "j", "k", "L", "q"}

// TestFitsEverywhere walks about at random in windows of every size, resized
// under way, and looks at every frame (A10).
func TestFitsEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 24 {
		w, h := 20+r.IntN(281), 3+r.IntN(98)
		if i%2 == 0 {
			w, h = 36+r.IntN(100), 8+r.IntN(24)
		}
		d := drive(t, w, h, nasty(sample()), func(o *Options) { o.ASCII = i%5 == 0; o.NoColor = i%3 == 0 })
		for range 40 {
			k := walk[r.IntN(len(walk))]
			d.press(k)
			if d.m.quitting {
				d.m.quitting = false
			}
			d.answer(r.IntN(3))
			fits(t, d, k)
			if r.IntN(12) == 0 {
				d.send(tea.WindowSizeMsg{Width: 20 + r.IntN(200), Height: 3 + r.IntN(60)})
				fits(t, d, "resize")
			}
			if r.IntN(6) == 0 {
				d.click(r.IntN(d.m.w), r.IntN(d.m.h))
				fits(t, d, "click")
			}
		}
	}
}

// answer brings what the commands that were not run would have brought.
func (d *driver) answer(what int) {
	if d.m.console != nil && d.m.out == nil {
		d.openOutput()
	}
	for id, s := range d.m.stops {
		if s.plan.Task == "" && what == 0 {
			d.plan(threeProcesses(id))
		}
	}
	if what == 1 {
		d.later(4 * time.Second)
	}
	d.pages()
}

// nasty puts into a snapshot what a task must never bring on to the screen.
func nasty(s task.Snapshot) task.Snapshot {
	const evil = "\x1b]52;c;aGk=\x07\x1b[2Jwide 日本語 \u202eright\u2066 to left\u200b \U0001F469\u200d\U0001F680 e\u0301\u0301 \x9b31m\r\n\tend"
	for i := range s.Tasks {
		t := &s.Tasks[i]
		switch i % 6 {
		case 0:
			t.Title += evil + strings.Repeat("長い", 40)
		case 1:
			t.Activity = evil
		case 2:
			t.Warning = evil + strings.Repeat(" word", 60)
		case 3:
			t.WaitingLine, t.Waiting = evil, "waiting for input"
		case 4:
			t.Can.WhyNot, t.Command = evil, evil
		case 5:
			t.Trouble, t.URLs = evil, []string{"http://localhost:5173/" + evil}
		}
	}
	for i := range s.Sessions {
		s.Sessions[i].Title += evil
		s.Sessions[i].Branch = evil
		s.Sessions[i].Cards = append(s.Sessions[i].Cards, task.Card{Title: evil, Text: evil + "\n\n" + evil})
	}
	s.Troubles = []task.Trouble{{Source: "claude", Text: evil}}
	return s
}

// TestSelectionFollowsTask: rows come and go above it, the cursor stays on its
// task and on its line of the screen.
func TestSelectionFollowsTask(t *testing.T) {
	d := drive(t, 80, 24, oneSession())
	d.press("down", "down", "down")
	sel, _ := d.m.panel.Selected()
	s := oneSession()
	late := s.Tasks[0]
	late.ID, late.Title, late.Started = "claude:first", "an older task", uitest.Start.Add(-9*time.Hour)
	s.Tasks = append(s.Tasks, late)
	d.snap(s)
	if now, _ := d.m.panel.Selected(); now.ID != sel.ID {
		t.Fatalf("the cursor went from %s to %s", sel.ID, now.ID)
	}
	s.Tasks = s.Tasks[:0]
	d.snap(s)
	if _, ok := d.m.panel.Selected(); ok {
		t.Fatal("a cursor in an empty list")
	}
}

// TestUnchangedViewIsCached: messages that are none of ours and ticks of nothing
// give the very same string.
func TestUnchangedViewIsCached(t *testing.T) {
	d := drive(t, 80, 24, sample())
	a := d.frame()
	d.send(tea.FocusMsg{})
	if !d.m.fresh {
		t.Fatal("a message without meaning threw the frame away")
	}
	if b := d.frame(); a != b {
		t.Fatal("the frame changed")
	}
	if n := testing.AllocsPerRun(100, func() { _ = d.m.View() }); n > 4 {
		t.Fatalf("an unchanged view costs %.0f allocations", n)
	}
}
