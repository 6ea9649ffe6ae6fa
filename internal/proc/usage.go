package proc

import "time"

// Use is what one process has used of the machine up to a moment.
type Use struct {
	// CPU is its time on processors, of all its threads, since it started.
	CPU time.Duration
	// Memory is what it holds in memory, in bytes; pages that it shares with others
	// are counted with each.
	Memory int64
}
