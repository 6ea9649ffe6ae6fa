package ui

import (
	"errors"
	"testing"
	"time"

	"offstage/panel"
	"offstage/task"
)

// TestStopFromKeyToProof is A6 on one row: the question with tree and ports,
// the button while it runs, what is left after five seconds, the proof.
func TestStopFromKeyToProof(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("x")
	d.has("Looking at what would end…")
	d.plan(threeProcesses("claude:vite"))
	d.has("Stop npm run dev and 2 children (npm 48210 ─ node 48217 ─ esbuild 48220), port 5173?", "y stop", "n keep")
	d.press("y")
	d.has("Stopping…")
	d.lacks("y stop")
	d.later(4 * time.Second)
	d.lacks("Stopping… 4 s")
	d.now = d.now.Add(2 * time.Second)
	d.send(frameMsg{now: d.now, progress: map[string]progressNews{"claude:vite": {d.m.seq, task.StopProgress{
		Elapsed: 6 * time.Second, Left: []task.Process{{PID: 48217, Command: "node"}}}}}})
	d.has("Stopping… 6 s · node 48217")
	report(d)
	d.has("■ stopped · 3 processes ended · port 5173 free")
	d.later(proofFor + time.Second)
	d.lacks("3 processes ended")
}

// TestStopOverdue is the end of A6: after 15 s the button is back and the row
// says what lives on; it never stays on Stopping….
func TestStopOverdue(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	stopping(d)
	d.later(10 * time.Second)
	d.lacks("Stopping…")
	d.has("Still alive after 16 s: node 48217")
	x, y := d.find("Stop ")
	if y < 0 {
		x, y = d.find("Stop")
	}
	if x < 0 || y < 0 {
		t.Fatalf("no Stop is back:\n%s", d.text())
	}
	d.press("x")
	d.plan(threeProcesses("claude:vite"))
	d.has("y stop")
}

// TestStopKeepsIdentity: what is carried out is the plan that was shown, and a
// question whose task ended, ran again or went away is taken back.
func TestStopKeepsIdentity(t *testing.T) {
	changes := map[string]func(*task.Snapshot){
		"ended":     func(s *task.Snapshot) { s.Tasks[0].Status = task.Failed; s.Tasks[0].Ended = s.At },
		"ran again": func(s *task.Snapshot) { s.Tasks[0].Run = 2 },
		"gone":      func(s *task.Snapshot) { s.Tasks = s.Tasks[1:] },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			d := drive(t, 100, 30, oneSession())
			d.press("x")
			d.plan(threeProcesses("claude:vite"))
			s := oneSession()
			change(&s)
			d.snap(s)
			d.lacks("y stop")
			if id, q := d.m.question(); q != nil {
				t.Fatalf("still asking about %s", id)
			}
		})
	}
	t.Run("another key takes it back", func(t *testing.T) {
		d := drive(t, 100, 30, oneSession())
		d.press("x")
		d.plan(threeProcesses("claude:vite"))
		d.press("down", "y")
		if len(d.m.stops) != 0 {
			t.Fatal("y acted on a row that was left")
		}
	})
	t.Run("a late plan of an earlier question", func(t *testing.T) {
		d := drive(t, 100, 30, oneSession())
		d.press("x")
		late := d.m.seq
		d.press("down", "x")
		d.send(planMsg{seq: late, id: "claude:vite", plan: threeProcesses("claude:vite")})
		d.lacks("port 5173?")
	})
}

// TestStopWhereItCannot: no button, and the reason on the row under the cursor
// and after the key (A6, G6).
func TestStopWhereItCannot(t *testing.T) {
	d := drive(t, 100, 30, sample())
	d.m.panel.Select("claude:agent")
	d.send(tickMsg{now: d.now})
	d.has("A sub-agent ends with its agent: press Esc in Claude Code.")
	d.press("x")
	if len(d.m.stops) != 0 {
		t.Fatal("a stop was asked for")
	}
	for _, row := range d.rows() {
		if x, _ := d.find("Review the shared modules"); x >= 0 && len(row) > 0 && containsBoth(row, "Review the shared modules", "Stop") {
			t.Fatalf("a Stop button: %s", row)
		}
	}
	d.has("cannot see its processes")
}

// TestStopRefusedAndFailed: a refusal and an error are sentences on the row.
func TestStopRefusedAndFailed(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.press("x")
	d.plan(task.StopPlan{Task: "claude:vite", Run: 1, Refused: "Only the agent itself writes this file."})
	d.has("Only the agent itself writes this file.")
	if d.m.confirm(false) != nil {
		t.Fatal("a refused plan was carried out")
	}
	d.press("n", "x")
	d.send(planMsg{seq: d.m.seq, id: "claude:vite", err: errors.New("read the process table: permission denied")})
	d.has("The stop could not be prepared: read the process table: permission denied.")
	stopping(d)
	d.send(reportMsg{seq: d.m.seq, id: "claude:vite", report: task.StopReport{Task: "claude:vite", Left: []task.Process{{PID: 9, Command: "node"}}, PortsHeld: []int{5173}}})
	d.has("still alive: node 9 · port 5173 still taken")
	if d.m.stops["claude:vite"].phase != panel.Stopped {
		t.Fatal("the report was lost")
	}
}

// TestStopByMouse: the buttons of the row and of its strip (A6).
func TestStopByMouse(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	_, y := d.find("vitest run")
	x, _ := cellOf(d.rows()[y], "Stop")
	d.click(x, y)
	if s := d.m.stops["claude:vitest"]; s == nil || s.phase != panel.Planning {
		t.Fatal("a click on Stop asks for nothing")
	}
	d.plan(threeProcesses("claude:vitest"))
	x, y = d.find("y stop")
	d.click(x, y)
	if s := d.m.stops["claude:vitest"]; s.phase != panel.Stopping {
		t.Fatal("a click on y does not stop")
	}
}
