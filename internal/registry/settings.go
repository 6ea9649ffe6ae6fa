package registry

import (
	"time"

	"offstage/internal/proc"
)

// Settings takes changed settings up: how long and how many rows of ended tasks
// stay (A5), and after how long without a turn an observed task is ended (H1).
func (r *Registry) Settings(finishedFor time.Duration, finishedMax int, observed time.Duration) {
	r.mu.Lock()
	r.keep.For, r.keep.Max = finishedFor, finishedMax
	r.o.TimeoutObserved = observed
	r.mu.Unlock()
	r.Wake()
}

// observedFor is the present setting of H1 for observed tasks.
func (r *Registry) observedFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.o.TimeoutObserved
}

// SignalNumber is the number of the signal that ended a task, by the name that
// stands on it; 0 where there is none (the exit codes of spec 5).
func SignalNumber(name string) int { return proc.SignalNumber(name) }
