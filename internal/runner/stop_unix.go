//go:build unix

package runner

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/task"
)

// stopping is a stop under way.
type stopping struct {
	reason taskdir.Reason
	// after: the command had ended by itself; what it left behind is stopped.
	after  bool
	hurry  chan struct{}
	result stopDone
}

// stopDone is how the ladder came out.
type stopDone struct {
	report proc.Report
	err    error
}

// beginStop starts the ladder, or hurries the one under way by a rung.
func (s *supervisor) beginStop(reason taskdir.Reason, a ask) {
	if s.shutdown && reason == taskdir.TimedOut {
		reason = taskdir.Shutdown
	}
	if s.stop != nil {
		select {
		case s.stop.hurry <- struct{}{}:
		default: // one is on its way already
		}
		return
	}
	s.settle.Stop()
	s.stop = &stopping{reason: reason, after: s.exit != nil, hurry: make(chan struct{}, 1)}
	if !s.stop.after {
		_ = s.dir.WriteStop(taskdir.StopMark{Reason: reason, At: s.w.Now().UTC()}) // a full disk holds up no stop
	}
	if !s.watch.state.FrozenAt.IsZero() {
		_ = proc.Thaw(s.w, s.own()) // who stands still hears nothing
		s.watch.state.FrozenAt = time.Time{}
	}
	o, leader := s.own(), s.started.Child.PID
	o.WithInner = a.Inner
	stop := s.stop
	opt := proc.OwnOptions{Now: a.Now, Hurry: stop.hurry,
		Interrupt: func() error { return s.reap.interrupt(leader) },
		Progress: func(step string, left []proc.Member) {
			select {
			case s.steps <- reply{Version: wireVersion, Step: step, Left: toWire(left)}:
			default: // the next one says more
			}
		}}
	if stop.after || reason == taskdir.SizeLimit {
		opt.Interrupt = nil
	}
	go func() {
		if a.Inner {
			s.stopInner(o)
		}
		report, err := proc.StopOwn(context.Background(), s.w, o, opt)
		s.stopped <- stopDone{report, err}
	}()
}

// innerPatience bounds the stop of the tasks that this one started.
const innerPatience = 12 * time.Second

// stopInner asks the supervisors of inner tasks first, so that each writes how
// its task ended.
func (s *supervisor) stopInner(o proc.Own) {
	table, err := proc.Scan(s.w)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), innerPatience)
	defer cancel()
	var all sync.WaitGroup
	for _, id := range table.InnerTasks(o) {
		d := taskdir.Dir(filepath.Join(filepath.Dir(string(s.dir)), id))
		if taskdir.ValidID(id) && id != s.dir.ID() {
			all.Go(func() { _, _ = Stop(ctx, s.w, d, StopOptions{Inner: true}) }) // who is left falls to the ladder
		}
	}
	all.Wait()
}

// How long a command of which nothing lives may take to be reaped.
const (
	reapTries = 200
	reapPause = 5 * time.Millisecond
)

// stopEnded takes up the proof.
func (s *supervisor) stopEnded(d stopDone) {
	s.stop.result = d
	s.reaped()
	for try := 0; s.exit == nil && d.err == nil && len(d.report.Left) == 0 && try < reapTries; try++ {
		time.Sleep(reapPause) // the ladder is quicker than the news of the death
		s.reaped()
	}
	if s.exit == nil {
		// The command lives on: nothing has ended.
		_ = s.dir.ClearStop() // else a later end of its own would count as a stop
		s.replyStop(task.Running)
		s.stop = nil
		return
	}
	s.finish(d.report.Left)
}

// replyStop tells all who wait how the stop came out.
func (s *supervisor) replyStop(status task.Status) {
	if s.stop == nil {
		return
	}
	r := s.stop.result.report
	out := &wireStop{Status: status, Ended: toWire(r.Ended), Left: toWire(r.Left), PortsFreed: r.PortsFreed, PortsHeld: r.PortsHeld, TookMS: r.Took.Milliseconds()}
	if err := s.stop.result.err; err != nil {
		out.Error = err.Error()
	}
	for _, w := range s.waiters {
		s.last(w, reply{Stop: out})
		s.flush()
	}
	s.waiters = nil
}

// tellStep passes on how a stop stands; who does not listen misses it.
func (s *supervisor) tellStep(step reply) {
	for _, w := range s.waiters {
		select {
		case w.steps <- step:
		default:
		}
	}
}
