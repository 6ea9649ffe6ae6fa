package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// Pace of a wait: the record is looked for often at first, for short commands,
// and then a few times a second; the death of the supervisor is an event.
const (
	waitFirst = 2 * time.Millisecond
	waitMost  = 100 * time.Millisecond
)

// neverStarted is how long after it was made a folder without a supervisor's
// record may get one.
const neverStarted = 30 * time.Second

// Wait waits for the end of the task of d. Where its supervisor died without
// writing one, or never was, the answer has neither code nor signal and no
// reason: nobody knows.
func Wait(ctx context.Context, w *world.World, d taskdir.Dir) (taskdir.Exit, error) {
	began := w.Now()
	var held *proc.Held
	defer func() {
		if held != nil {
			held.Close()
		}
	}()
	for pause := waitFirst; ; pause = min(pause*2, waitMost) {
		signed, gone := true, false
		if held == nil {
			held, signed, gone = watch(d)
		}
		e, err := taskdir.ReadExit(d) // behind the look at the supervisor: it writes first and ends then
		switch {
		case e != nil:
			return *e, nil
		case err != nil:
			return taskdir.Exit{}, fmt.Errorf("wait for task %s: %w", d.ID(), err)
		case gone || !signed && w.Since(began) > neverStarted:
			return taskdir.Exit{Version: taskdir.Version, Ended: w.Now().UTC()}, nil
		}
		var dead <-chan struct{}
		if held != nil {
			dead = held.Done()
		}
		select {
		case <-dead:
			held.Close()
			held = nil
		case <-time.After(pause):
		case <-ctx.Done():
			return taskdir.Exit{}, ctx.Err()
		}
	}
}

// watch holds the supervisor of d; signed says that there is a record of it, gone
// that it has ended.
func watch(d taskdir.Dir) (held *proc.Held, signed, gone bool) {
	st, _ := taskdir.ReadStarted(d) // one that cannot be read leaves the end to wait for
	if st == nil {
		return nil, false, false
	}
	held, err := proc.Hold(proc.ID{PID: st.Supervisor.PID, Start: st.Supervisor.Start})
	return held, true, errors.Is(err, proc.ErrGone)
}
