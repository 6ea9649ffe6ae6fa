package output

import (
	"context"
	"sync"
	"time"
)

// frame is the shortest time between two pieces of news after the first.
const frame = 33 * time.Millisecond

// news is a revision that readers wait for. The first change after a quiet time
// is passed on at once, then at most one per frame to each reader: one that has
// just begun to wait waits for a frame, whoever else was told.
type news struct {
	mu      sync.Mutex
	rev     uint64
	changed chan struct{} // closed at the next change
}

func newNews() *news { return &news{rev: 1, changed: make(chan struct{})} }

// publish changes what the lock guards and wakes the readers.
func (n *news) publish(change func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change()
	n.rev++
	close(n.changed)
	n.changed = make(chan struct{})
}

// wait returns when the revision differs from rev.
func (n *news) wait(ctx context.Context, closed <-chan struct{}, rev uint64) error {
	began := time.Now()
	n.mu.Lock()
	for n.rev == rev {
		c := n.changed
		n.mu.Unlock()
		select {
		case <-c:
		case <-closed:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		}
		n.mu.Lock()
	}
	n.mu.Unlock()
	hold := frame - time.Since(began)
	if hold > 0 {
		select {
		case <-time.After(hold):
		case <-closed:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
