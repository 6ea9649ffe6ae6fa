package registry

import (
	"context"
	"time"

	"offstage/task"
)

// countAll follows what can be listed, turn by turn, until all of it is counted
// or patience ends.
func (f *facts) countAll(ctx context.Context, tasks []task.Task, now time.Time, keep Keep, patience time.Duration) {
	for end := time.Now().Add(patience); ; {
		opened := f.follow(tasks, now, keep)
		f.settle(ctx, time.Until(end))
		if opened == 0 || ctx.Err() != nil || !time.Now().Before(end) {
			return
		}
	}
}

// settle waits until all outputs are counted, at most as long as patience.
func (f *facts) settle(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for f.counting() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

func (f *facts) counting() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.logs {
		if k := l.log.Facts(); !k.LinesKnown && k.Trouble == "" && !k.Gone {
			return true
		}
	}
	return false
}
