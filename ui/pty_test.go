//go:build unix

package ui

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/task"
	"offstage/ui/uitest"
)

func live() task.Snapshot { return uitest.Sample(time.Now()) }

func liveOne() task.Snapshot {
	s := live()
	s.Sessions, s.Tasks = s.Sessions[:1], s.Tasks[:9]
	return s
}

// TestTerminalPanel: A1 (the last block, the spinner), A3, A4, A5, A7, D1, D2,
// D4 and G5 as cells.
func TestTerminalPanel(t *testing.T) {
	x := open(t, 100, 45, live())
	x.shows("8 background tasks running · 4 finished", "● npm run dev", "VITE v7.1.2", "✓ 412 ✘ 2", "no output for 14 min",
		"✘ playwright test", "failed, exit code 1", "? docker compose up", "ended, result unknown", "■ cargo build",
		"waiting for you: permission prompt", "agent gone", "details not reported", "Do you want to continue? [Y/n]")
	if x.colour("no output for 14 min") != ansi.Yellow {
		t.Errorf("past the setting the hint is not amber but %v", x.colour("no output for 14 min"))
	}
	if c := x.colour("✘ 2"); c != ansi.BrightRed {
		t.Errorf("a failed test is %v", c)
	}
	if c := x.colour("claude · Cart totals"); c != ansi.BrightGreen {
		t.Errorf("the title of a session with running tasks is %v", c)
	}
	row := func() string { return x.screen()[43] }
	x.keys(" ")
	x.until("the panel is one line above the hints", func(string) bool { return strings.Contains(row(), "8 background tasks running") })
	before := row()
	x.until("the spinner steps", func(string) bool { return row() != before && strings.Contains(row(), "8 background") })
	x.keys("\r")
	x.shows("● npm run dev")
	x.resize(60, 12)
	x.until("marks of what does not fit", func(s string) bool { return strings.Contains(s, "↓ ") && strings.Contains(s, " more") })
}

// TestTerminalEmpty is A2.
func TestTerminalEmpty(t *testing.T) {
	x := open(t, 80, 24, uitest.Empty(time.Now()))
	x.shows("o f f s t a g e", "Nothing is running offstage in ~/shop-api", "~/.claude", "4 tasks run in other projects", "A shows them",
		"offstage demo", "offstage --files DIR", "offstage -A")
	x.hides("background tasks running")
	x.keys("A")
	x.shows("Showing every project")
	x.until("the engine was asked", func(string) bool { return strings.Contains(fmt.Sprint(x.e.Calls()), "everywhere") })
	x.e.Set(func(s *task.Snapshot) { *s = live() })
	x.shows("8 background tasks running")
}

// TestTerminalStop is A6 with the mouse and the keys, to the proof.
func TestTerminalStop(t *testing.T) {
	x := open(t, 100, 30, liveOne())
	x.e.Grace = 300 * time.Millisecond
	x.shows("● npm run dev")
	x.keys("x")
	x.shows("Stop npm run dev and 2 children (npm 48210 ─ node 48217 ─ esbuild 48220), port 5173?")
	x.keys("n")
	x.hides("y stop")
	_, y := x.at("● npm run dev")
	cx, _ := cellOf(x.screen()[y], "Stop")
	x.click(cx, y)
	x.shows("y stop")
	x.keys("y")
	x.shows("Stopping…")
	x.shows("■ stopped · 3 processes ended · port 5173 free", "■ npm run dev")
	calls := fmt.Sprint(x.e.Calls())
	if strings.Count(calls, "stop claude:vite") != 1 {
		t.Errorf("the engine was asked: %s", calls)
	}
}

// TestTerminalConsole: B1 in its three widths, B2, B3, B10, B16 and E1.
func TestTerminalConsole(t *testing.T) {
	x := open(t, 160, 30, liveOne())
	x.shows("vitest run")
	_, y := x.at("vitest run")
	x.click(8, y)
	x.shows("last line so far", "vitest run", "npm run dev", "running", "✓ 412 ✘ 2")
	out := x.e.Output("claude:vitest")
	out.Grow("a line that comes late")
	x.shows("a line that comes late")
	x.wheel(100, 10, -4)
	x.until("following has ended", func(s string) bool { return !strings.Contains(s, "a line that comes late") })
	for i := range 7 {
		out.Grow(fmt.Sprintf("while away %d", i))
	}
	x.until("the number of new lines", func(s string) bool { return strings.Contains(s, "7 new") })
	x.keys("G")
	x.shows("while away 6")
	x.resize(80, 24)
	x.until("the console above its row", func(s string) bool {
		return strings.Contains(s, "while away 6") && strings.Contains(x.screen()[21], "background tasks running") && !strings.Contains(s, "npm run dev")
	})
	x.resize(50, 24)
	x.until("the console fills the window", func(s string) bool {
		return strings.Contains(s, "while away 6") && !strings.Contains(s, "background tasks running")
	})
	x.keys("?")
	x.shows("Esc closes")
	x.keys("\x1b")
	x.hides("Esc closes")
	x.keys("\x1b")
	x.shows("background tasks running")
}

// TestTerminalTailPipe is E1 in the console and on the row.
func TestTerminalTailPipe(t *testing.T) {
	x := open(t, 160, 30, liveOne())
	x.shows("Migrate the database")
	x.keys("jj")
	x.shows("this command pipes into tail")
	x.keys("\r")
	x.shows("Output stops here: this command pipes into tail")
}

// TestTerminalQuit: q leaves the screen as it was and says what runs on; ^C says
// that no task was touched; the mouse is given back.
func TestTerminalQuit(t *testing.T) {
	for keys, words := range map[string]string{"q": "5 tasks still running · reopen with offstage", "\x03": "Quitting touched no task · 5 tasks still running"} {
		x := open(t, 80, 24, liveOne())
		x.shows("npm run dev")
		if !x.inAltScreen() {
			t.Error("the window is not on the alternate screen")
		}
		x.keys("M")
		x.until("the mouse was given back", func(string) bool { return strings.Contains(x.written(), "\x1b[?1002l") })
		x.keys("M")
		x.keys(keys)
		x.ends()
		x.shows(words)
		if x.inAltScreen() {
			t.Error("the alternate screen was not left")
		}
		for _, c := range x.e.Calls() {
			if strings.HasPrefix(c, "stop") || strings.HasPrefix(c, "kill") {
				t.Errorf("quitting did %q", c)
			}
		}
	}
}

func (x *terminal) inAltScreen() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.emu.IsAltScreen()
}

// TestTerminalStaysQuiet: with nothing alive not a byte is written, and with
// running tasks a second costs but a few.
func TestTerminalStaysQuiet(t *testing.T) {
	s := liveOne()
	s.Tasks = s.Tasks[5:]
	x := open(t, 80, 24, s)
	x.shows("No background tasks running")
	time.Sleep(1200 * time.Millisecond)
	n := len(x.written())
	time.Sleep(1500 * time.Millisecond)
	if more := len(x.written()) - n; more != 0 {
		t.Errorf("%d bytes were written while nothing happened: %q", more, x.written()[n:])
	}
}

// BenchmarkWrittenToScreen is the time from a line that an idle output gets to
// its cells in a terminal: the budget is 50 ms at the 99th percentile, of which
// the drawing at 30 frames a second takes up to 33.
func BenchmarkWrittenToScreen(b *testing.B) {
	x := open(b, 160, 45, liveOne())
	x.shows("npm run dev")
	x.keys("\r")
	x.shows("last line so far")
	out := x.e.Output("claude:vite")
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		time.Sleep(150 * time.Millisecond) // the output is idle again
		words := fmt.Sprintf("written %d.", i)
		began := time.Now()
		out.Grow(words)
		for !strings.Contains(x.text(), words) {
			if time.Since(began) > 5*time.Second {
				b.Fatalf("%q never came:\n%s", words, x.text())
			}
			time.Sleep(500 * time.Microsecond)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// TestTerminalBrokenPaste: the end of a paste is lost; after a second the keys
// work again, and what was pasted stopped nothing.
func TestTerminalBrokenPaste(t *testing.T) {
	x := open(t, 100, 30, liveOne())
	x.shows("● npm run dev")
	x.keys("\x1b[200~xy\r")
	time.Sleep(1200 * time.Millisecond)
	x.keys("?")
	x.shows("Esc closes")
	x.keys("\x1b")
	x.hides("Esc closes")
	x.keys("q")
	x.ends()
	if calls := fmt.Sprint(x.e.Calls()); strings.Contains(calls, "stop ") || strings.Contains(calls, "plan ") || strings.Contains(calls, "open ") {
		t.Errorf("a paste did %s", calls)
	}
}

// TestTerminalCopies is B13: text goes to the terminal's clipboard (OSC 52) and to
// the native one, and what was copied is said.
func TestTerminalCopies(t *testing.T) {
	var native atomic.Value
	x := open(t, 100, 30, liveOne(), func(o *Options) {
		o.Copy = func(text string) (string, error) { native.Store(text); return "test", nil }
	})
	x.shows("npm run dev")
	x.keys("\r")
	x.shows("last line so far")
	x.keys("y")
	x.shows("Copied 1 line")
	osc := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("last line so far"))
	x.until("the terminal's clipboard was set", func(string) bool { return strings.Contains(x.written(), osc) })
	if got := native.Load(); got != "last line so far" {
		t.Errorf("the native clipboard has %v", got)
	}
}

// TestTerminalLinks is B13: in a terminal that takes them, addresses and file:line
// are links of ours; on the kernel's console there is none.
func TestTerminalLinks(t *testing.T) {
	for term, want := range map[string]bool{"xterm-256color": true, "linux": false} {
		x := open(t, 100, 30, liveOne())
		x.shows("npm run dev")
		x.send(tea.EnvMsg{"TERM=" + term})
		x.keys("\r")
		x.shows("last line so far")
		x.e.Output("claude:vite").Grow("ready at http://localhost:5173/?token=x now")
		x.shows("ready at http://localhost:5173/")
		if got := strings.Contains(x.written(), ";http://localhost:5173/\x1b\\") || strings.Contains(x.written(), ";http://localhost:5173/\x07"); got != want {
			t.Errorf("%s: links %v", term, got)
		}
	}
}
