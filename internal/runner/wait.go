package runner

import (
	"context"
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

// Wait waits for the end of the task of d. Where its supervisor died without
// writing one, the answer has neither code nor signal and no reason: nobody
// knows.
func Wait(ctx context.Context, w *world.World, d taskdir.Dir) (taskdir.Exit, error) {
	var dead <-chan struct{}
	if st, _ := taskdir.ReadStarted(d); st != nil { // one that cannot be read leaves the folder to look at
		h, err := proc.Hold(proc.ID{PID: st.Supervisor.PID, Start: st.Supervisor.Start})
		if err == nil {
			defer h.Close()
			dead = h.Done()
		} else if proc.ErrGone == err {
			gone := make(chan struct{})
			close(gone)
			dead = gone
		}
	}
	for pause := waitFirst; ; pause = min(pause*2, waitMost) {
		e, err := taskdir.ReadExit(d)
		if e != nil {
			return *e, nil
		}
		if err != nil {
			return taskdir.Exit{}, fmt.Errorf("wait for task %s: %w", d.ID(), err)
		}
		select {
		case <-dead:
			if e, _ := taskdir.ReadExit(d); e != nil {
				return *e, nil
			}
			return taskdir.Exit{Version: taskdir.Version, Ended: w.Now().UTC()}, nil
		case <-time.After(pause):
		case <-ctx.Done():
			return taskdir.Exit{}, ctx.Err()
		}
	}
}
