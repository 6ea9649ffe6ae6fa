package ui

import (
	"strconv"
	"testing"

	"offstage/panel"
	"offstage/task"
	"offstage/ui/uitest"
)

// TestStopAllOfASession is K6: one question for all tasks of the session with
// their processes and ports, and after the answer a stop and a proof for each; what
// cannot be stopped is said, another session's tasks are not touched.
func TestStopAllOfASession(t *testing.T) {
	s := uitest.Sample(uitest.Start)
	d := drive(t, 120, 40, s)
	first, ok := d.m.panel.Selected()
	if !ok {
		t.Fatal("no row is selected")
	}
	ids, not := d.m.stoppable(first.Session)
	if len(ids) < 2 {
		t.Fatalf("the sample has %d tasks to stop", len(ids))
	}
	d.press("X")
	d.has("Looking at what would end…")
	msg := stopAllMsg{seq: d.m.seq, id: first.ID, not: 0}
	if _, asked := d.m.stops[first.ID]; !asked {
		for id := range d.m.stops {
			msg.id = id
		}
	}
	for i, id := range ids {
		run := 1
		if one, ok := d.m.task(id); ok {
			run = one.Run
		}
		msg.plans = append(msg.plans, task.StopPlan{Task: id, Run: run, Ports: []int{5000 + i}, Processes: []task.Process{{PID: 100 + i, Command: "proc", Start: 1}}})
	}
	d.send(msg)
	d.has("Stop all "+strconv.Itoa(len(ids))+" tasks of this session (proc 100, proc 101", "ports 5000, 5001", "y stop")
	if not > 0 {
		d.has("cannot be stopped from here")
	}
	d.press("y")
	stopping := 0
	for id, s := range d.m.stops {
		if s.phase != panel.Stopping {
			t.Errorf("%s is in phase %v", id, s.phase)
		}
		if one, _ := d.m.task(id); one.Session != first.Session {
			t.Errorf("%s of another session is stopped", id)
		}
		stopping++
	}
	if stopping != len(ids) {
		t.Errorf("%d of %d are being stopped", stopping, len(ids))
	}
	for id, s := range d.m.stops {
		d.send(reportMsg{seq: s.seq, id: id, report: task.StopReport{Task: id, Ended: s.plan.Processes, PortsFreed: s.plan.Ports}})
	}
	d.has("■ stopped · 1 process ended · port 5000 free", "port 5001 free")
}

// TestStopAllTakenBack: n leaves everything as it is, and so does a task that ran
// again before the answer.
func TestStopAllTakenBack(t *testing.T) {
	d := drive(t, 120, 40, uitest.Sample(uitest.Start))
	first, _ := d.m.panel.Selected()
	ids, _ := d.m.stoppable(first.Session)
	ask := func() {
		d.press("X")
		at := ""
		for id := range d.m.stops {
			at = id
		}
		msg := stopAllMsg{seq: d.m.seq, id: at}
		for _, id := range ids {
			one, _ := d.m.task(id)
			msg.plans = append(msg.plans, task.StopPlan{Task: id, Run: one.Run, Processes: []task.Process{{PID: 7, Command: "proc", Start: 1}}})
		}
		d.send(msg)
	}
	ask()
	d.press("n")
	if len(d.m.stops) != 0 {
		t.Fatalf("n keeps %d stops", len(d.m.stops))
	}
	ask()
	at, _ := d.m.question()
	s := d.m.snap
	s.Tasks = append([]task.Task(nil), s.Tasks...)
	var again string
	for i := range s.Tasks {
		if id := s.Tasks[i].ID; id != at && s.Tasks[i].Session == first.Session && !s.Tasks[i].Status.Ended() && s.Tasks[i].Can.Stop {
			s.Tasks[i].Run++
			again = id
			break
		}
	}
	d.snap(s)
	d.press("y")
	if _, ok := d.m.stops[again]; ok || len(d.m.stops) != len(ids)-1 {
		t.Errorf("%d of %d are being stopped, the one that ran again %v", len(d.m.stops), len(ids), ok)
	}
}

// TestStopAllOfNothing says so.
func TestStopAllOfNothing(t *testing.T) {
	s := oneSession()
	for i := range s.Tasks {
		s.Tasks[i].Status, s.Tasks[i].Ended = task.Succeeded, s.At
	}
	d := drive(t, 120, 30, s)
	d.press("X")
	d.has("Nothing of this session runs.")
}
