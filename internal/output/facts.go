package output

import (
	"context"
	"time"

	"offstage/internal/tail"
	"offstage/task"
	"offstage/testparse"
)

// errClosed is the answer to a reader of a closed log.
var errClosed = tail.ErrClosed

// state is what is known of an output; the news' lock guards it.
type state struct {
	file  *tail.File
	facts task.Facts // but for what count knows
	lane  *lane      // of the present generation
	// restarted says how the present generation began, "" for the first.
	restarted string
	base      int64 // Arrived before the present generation
}

// Facts gives what is known now.
func (l *Log) Facts() task.Facts {
	l.news.mu.Lock()
	defer l.news.mu.Unlock()
	f := l.state.facts
	f.Rev = l.news.rev
	f.Masked = l.secrets.Rev()
	if c := l.state.lane; c != nil {
		k := c.known()
		f.Lines, f.Tests, f.URLs, f.Progress = k.lines, k.tests, k.urls, k.prog
		l.hideFacts(&f)
		f.LinesKnown = k.pos+k.slack >= f.Size
		f.Counted = 1
		if f.Size > 0 {
			f.Counted = min(float64(k.pos)/float64(f.Size), 1)
		}
		if f.Tests != nil {
			t := *f.Tests
			t.Complete = f.LinesKnown
			f.Tests = &t
		}
		f.Arrived = l.state.base + k.arrived
	}
	return f
}

// Changed waits for news; see task.Output.
func (l *Log) Changed(ctx context.Context, rev uint64) error {
	return l.news.wait(ctx, l.closed.Done(), rev)
}

// meter measures bytes a second over the last seconds.
type meter struct {
	at   [4]time.Time
	size [4]int64
	n    int
}

// rate takes the size at a moment and gives the speed over the last two to four
// seconds; 0 when nothing came.
func (m *meter) rate(now time.Time, size int64) float64 {
	if m.n == 0 || now.Sub(m.at[m.n-1]) >= time.Second || size < m.size[m.n-1] {
		if m.n > 0 && size < m.size[m.n-1] {
			m.n = 0
		}
		if m.n == len(m.at) {
			copy(m.at[:], m.at[1:])
			copy(m.size[:], m.size[1:])
			m.n--
		}
		m.at[m.n], m.size[m.n] = now, size
		m.n++
	}
	span := now.Sub(m.at[0]).Seconds()
	if span < 0.2 {
		return 0
	}
	return float64(size-m.size[0]) / span
}

// maskTests hides what is secret in what a log says of its tests.
func maskTests(runs []testparse.Run) []testparse.Run { return hideRuns(runs, maskText) }
