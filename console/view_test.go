package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"offstage/task"
)

func stateNames() []string {
	var names []string
	for n := range states {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// The chosen states at the three sizes, in colour; without colour and in ASCII
// where that differs most.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
		for _, name := range stateNames() {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], name), func(t *testing.T) {
				golden.RequireEqual(t, states[name](t, Options{Styles: testStyles()}, size[0], size[1]).View())
			})
		}
	}
	plainer := Options{Styles: testStyles(), ASCII: true, NoColor: true}
	for _, name := range []string{"failure", "away", "piped", "asking", "stopped", "ended", "marks", "nowrap", "selecting", "searching on", "bad expression", "filtered", "folds", "unfolded", "silence", "saving"} {
		t.Run("ascii/"+name, func(t *testing.T) {
			golden.RequireEqual(t, states[name](t, plainer, 80, 24).View())
		})
	}
}

// A10: without colour no colour leaves, in ASCII no mark of ours is beyond it.
func TestPlainerTerminals(t *testing.T) {
	for _, name := range stateNames() {
		m := states[name](t, Options{Styles: testStyles(), ASCII: true, NoColor: true}, 80, 24)
		for _, code := range sgrOnly.FindAllString(m.View(), -1) {
			for _, p := range strings.FieldsFunc(code, func(r rune) bool { return r < '0' || r > '9' }) {
				if len(p) > 1 {
					t.Errorf("%s: %q is a colour", name, code)
				}
			}
		}
		own := m.task.Title + m.facts.Trouble
		for _, r := range m.inView() {
			own += r.line.Text
		}
		for _, r := range plain(m) {
			if r > 0x7e && !strings.ContainsRune(own, r) {
				t.Errorf("%s: %q is no ASCII", name, r)
			}
		}
	}
}

// Every state has a word, so that colour and shape are never all (A5, B10).
func TestStatesAreWords(t *testing.T) {
	one := 1
	for status, want := range map[task.Status]string{
		task.Queued: "queued", task.Running: "running", task.Succeeded: "completed", task.Cancelled: "stopped",
		task.TimedOut: "timed out", task.Lost: "ended, result unknown", task.Failed: "failed, exit code 1",
	} {
		for _, w := range []int{40, 80, 160} {
			tk := shellTask()
			tk.Status = status
			if status == task.Failed {
				tk.ExitCode = &one
			}
			m := open(t, Options{NoColor: true, ASCII: true}, w, 24, tk, testRun())
			head := strings.Join(strings.Split(plain(m), "\n")[:2], " ")
			if !strings.Contains(head, want) {
				t.Errorf("%d columns: no %q in %q", w, want, head)
			}
		}
	}
}

// D1, D2: the hint after a minute, amber past the setting.
func TestQuietHint(t *testing.T) {
	tk := shellTask()
	for after, want := range map[task.Tone]string{task.Quiet: "\x1b[2mno output for 2 min", task.Amber: "\x1b[33mno output for 12 min"} {
		now := at(5 * 60e9)
		if after == task.Amber {
			now = at(15 * 60e9)
		}
		m := open(t, Options{Styles: testStyles()}, 80, 24, tk, longLog(10))
		m.SetTask(tk, now, task.QuietAfter)
		if !strings.Contains(m.View(), want) {
			t.Errorf("no %q in %q", want, strings.Split(m.View(), "\n")[0])
		}
	}
}

// An unchanged view is the same string, and a tick redraws only the header.
func TestViewIsCached(t *testing.T) {
	m := open(t, Options{}, 80, 24, shellTask(), longLog(100))
	a := m.View()
	if n := testing.AllocsPerRun(10, func() { _ = m.View() }); n != 0 {
		t.Errorf("%v allocations for an unchanged view", n)
	}
	m.SetTask(shellTask(), testNow.Add(1e9), task.QuietAfter)
	b := m.View()
	if a == b || strings.Join(strings.Split(a, "\n")[1:], "") != strings.Join(strings.Split(b, "\n")[1:], "") {
		t.Error("a tick changed more, or less, than the header")
	}
}
