package output

import (
	"context"
	"sync"
	"time"
)

// Pace of the lane: the share of a core it takes is one in rest+1. The first
// freely bytes are not held up: a log of usual size is counted at once.
const (
	freely    = 32 << 20
	rest      = 2
	floodRest = 20
	floodRate = 20e6
	// A torrent is not caught up with until it ends, whatever the share: it gets half.
	torrentRate = 100e6
	// laneNews is the shortest time between two pieces of news of progress.
	laneNews = 250 * time.Millisecond
)

var laneBuffers = sync.Pool{New: func() any {
	b := make([]byte, laneChunk)
	return &b
}}

// turn is taken by a lane that is past its first freely bytes and that nobody
// looks at: together they take no more than one may.
var turn = make(chan struct{}, 1)

// run reads on whenever there is more, until ctx ends.
func (c *lane) run(ctx context.Context) {
	var told time.Time
	var debt time.Duration
	for done := int64(0); ; {
		buf := laneBuffers.Get().(*[]byte)
		for ctx.Err() == nil {
			wait := done > freely && !c.l.focused()
			if wait {
				select {
				case turn <- struct{}{}:
				case <-ctx.Done():
					continue
				}
			}
			start := time.Now()
			n, said := c.step(*buf)
			if done += n; done > freely {
				debt += c.owes(time.Since(start))
			}
			if debt > 2*time.Millisecond {
				sleep(ctx, debt)
				debt = 0
			}
			if wait {
				<-turn
			}
			if n == 0 {
				break
			}
			if now := time.Now(); said || now.Sub(told) > laneNews {
				told = now
				c.l.news.publish(func() {})
			}
		}
		laneBuffers.Put(buf)
		c.l.news.publish(func() {})
		select {
		case <-c.new:
		case <-ctx.Done():
			return
		}
	}
}

// owes is how long to rest after d of work; the lane also gives way to readers.
func (c *lane) owes(d time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := time.Duration(rest)
	switch {
	case c.rate > torrentRate:
		n = 2 * floodRest
	case c.rate > floodRate:
		n = floodRest
	}
	if c.l.pages.Load() > 0 {
		n *= 2
	}
	return n * d
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
