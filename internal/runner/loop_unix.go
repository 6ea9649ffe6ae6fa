//go:build unix

package runner

import (
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// straggle is how long after the command's own end what it started has to end
// too, before it counts as left behind: the rest of a pipeline takes
// milliseconds.
const straggle = 200 * time.Millisecond

// loop serves all that can happen to a task until nothing of it is left.
func (s *supervisor) loop() {
	s.reaped() // it may have ended already
	for !s.over {
		select {
		case <-s.reap.chld:
			s.reaped()
		case <-s.settle.C:
			s.finish(s.leftBehind())
		case r := <-s.requests:
			s.serve(r)
		case step := <-s.steps:
			s.tellStep(step)
		case done := <-s.stopped:
			s.stopEnded(done)
		case <-s.timeout.C:
			s.beginStop(taskdir.TimedOut, ask{})
		case <-s.told:
			s.toldToEnd()
		case <-s.watch.tick.C:
			s.looked()
		case <-s.undo.late():
			s.undoLate()
		}
	}
}

// reaped takes up who has ended.
func (s *supervisor) reaped() {
	for _, d := range s.reap.sweep() {
		switch {
		case d.pid == s.started.Child.PID:
			s.commandEnded(d)
		case s.undo != nil && d.pid == s.undo.pid:
			s.undoEnded(d)
		}
	}
	if s.exit == nil || s.stop != nil || s.undo != nil {
		return
	}
	switch {
	case !s.reap.alone:
	case s.written:
		s.over = true
	default:
		s.finish(nil)
	}
}

// commandEnded keeps how the command ended. The end of the task is written when
// its output is whole and its pipeline had its moment.
func (s *supervisor) commandEnded(d death) {
	e := exitOf(d.status)
	e.Reason, e.Ended = taskdir.Exited, s.w.Now().UTC()
	s.exit = &e
	s.timeout.Stop()
	s.awake.end()
	if s.term != nil {
		s.term.drain()
	}
	if s.stop == nil {
		s.settle.Reset(straggle)
	} else if !s.stop.after {
		e.Reason = s.stop.reason
		s.exit = &e
	}
}

// leftBehind are the processes that outlive the command, its inner tasks aside.
func (s *supervisor) leftBehind() []proc.Member {
	table, err := proc.Scan(s.w)
	if err != nil {
		return nil
	}
	return table.OwnBelow(s.own())
}

// own is how this task's processes are known.
func (s *supervisor) own() proc.Own {
	o := OwnOf(s.dir, &s.started)
	if id, ok := s.awake.id(); ok {
		o.Except = []proc.ID{id}
	}
	return o
}

// maxSurvivors is how many are written down.
const maxSurvivors = 50

// finish writes how the task ended, then tells it. A stop that has an undo runs
// that now.
func (s *supervisor) finish(left []proc.Member) {
	s.settle.Stop()
	s.exit.Survivors = nil
	for _, m := range left[:min(len(left), maxSurvivors)] {
		s.exit.Survivors = append(s.exit.Survivors, taskdir.Process{PID: m.PID, Start: m.Start, Command: m.Command})
	}
	s.o.Step("before the end's record")
	s.writeExit()
	s.o.Step("before the end is told")
	if !s.written {
		s.written = true
		s.tellEnded(*s.exit)
	}
	s.o.Step("after the end was told")
	if s.stop != nil && s.rec.Undo != "" && s.exit.Undo == nil && !s.stop.after {
		s.startUndo()
		return
	}
	s.conclude()
}

// conclude answers who waits for a stop, and ends the supervisor unless somebody
// is left to look after.
func (s *supervisor) conclude() {
	s.replyStop(s.exit.Status())
	s.stop = nil
	s.over = s.reap.alone || len(s.exit.Survivors) == 0
}

// Bounds of the attempts to write the end on a disk that is full: the room that
// was kept makes one enough nearly everywhere.
const (
	exitTries = 60
	exitPause = time.Second
)

func (s *supervisor) writeExit() {
	for try := range exitTries {
		err := s.dir.WriteExit(*s.exit)
		if err == nil {
			return
		}
		if fsys.NoSpace(err) && try == 2 {
			_, _ = s.watch.cut(s.dir.Output(), s.w.Now()) // room from the task's own output
		}
		time.Sleep(exitPause)
	}
}

// looked is the tick of the clock: the output's size, and whether what was left
// behind is gone.
func (s *supervisor) looked() {
	s.reaped()
	if s.written && s.stop == nil && s.undo == nil && !s.over {
		s.over = len(s.leftBehind()) == 0
	}
	if !s.over {
		s.guard()
	}
}

// turn starts the time of the task from zero (H1).
func (s *supervisor) turn() {
	if s.rec.TimeoutMS <= 0 || s.exit != nil {
		return
	}
	d := time.Duration(s.rec.TimeoutMS) * time.Millisecond
	s.timeout.Reset(d)
	s.endsAt = s.w.Now().Add(d).UTC()
	s.started.EndsAt = s.endsAt
}

// settleTime is how long a scheduled run may go on after its supervisor was told
// to end, so that the ladder and the record fit into the minute of R7.
const settleTime = 45 * time.Second

// toldToEnd is a shutdown or a logout: a scheduled run may finish by itself for
// a while, everything else is stopped at once.
func (s *supervisor) toldToEnd() {
	switch {
	case s.written:
		s.over = true
	case s.rec.Job != "" && s.stop == nil && s.exit == nil:
		s.timeout.Reset(settleTime)
		s.rec.Job = "" // told once more it is stopped
		s.shutdown = true
	default:
		s.beginStop(taskdir.Shutdown, ask{})
	}
}
