package output

import (
	"context"
	"slices"
	"sync"

	"offstage/internal/tail"
	"offstage/task"
	"offstage/testparse"
)

// A value may be learned when rows that show it alone were made already: it was
// named further below, or on a page that was read later. Then Secrets.Rev has
// risen, and what was made under an older one is made again: kept segments, the
// live end, the last line, what is said of tests and addresses. Readers hear of it
// by Facts.Masked and ask for their rows again.

// headSpan is how much of the start of a file is looked through for values before
// any of its rows is shown: scripts print their settings there.
const headSpan = 32 << 10

// masked is what a log remembers of that.
type masked struct {
	// mu guards the rest.
	mu sync.Mutex
	// head is 1 + the generation whose start was looked through.
	head int
	// told is the revision that readers were told of.
	told uint64
	// tests and urls are those of the lane, masked under rev.
	from  *task.Tests
	tests *task.Tests
	shown []string
	urls  []string
	rev   uint64
}

// learnHead looks once through the start of a generation.
func (l *Log) learnHead(ctx context.Context, f *tail.File) {
	s := newSource(f)
	l.masked.mu.Lock()
	known := l.masked.head == s.gen+1
	l.masked.head = s.gen + 1
	l.masked.mu.Unlock()
	if known {
		return
	}
	p := newPlayer(s, look{dec: l.o.Decoder, secrets: l.secrets}, s.head, 0)
	if p.to(ctx, headSpan) == nil {
		p.take()
		p.r.live(false)
	}
	l.Remask()
}

// Remask tells the readers of the log that rows must be made again, where that is
// so and they do not know.
func (l *Log) Remask() {
	rev := l.secrets.Rev()
	l.masked.mu.Lock()
	news := l.masked.told != rev
	l.masked.told = rev
	l.masked.mu.Unlock()
	if news {
		l.news.publish(func() {})
	}
}

// hideFacts masks what the lane says of tests and addresses with what is known of
// the task's secrets, under the revision f.Masked.
func (l *Log) hideFacts(f *task.Facts) {
	m := &l.masked
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh := m.rev != f.Masked
	m.rev = f.Masked
	if fresh || m.from != f.Tests {
		m.from, m.tests = f.Tests, l.hideTests(f.Tests)
	}
	if fresh || !slices.Equal(m.shown, f.URLs) {
		m.shown, m.urls = slices.Clone(f.URLs), nil
		for _, u := range f.URLs {
			m.urls = append(m.urls, l.secrets.Recall(u))
		}
	}
	f.Tests, f.URLs = m.tests, slices.Clone(m.urls)
}

func (l *Log) hideTests(t *task.Tests) *task.Tests {
	if t == nil {
		return nil
	}
	out := *t
	out.Runs = hideRuns(t.Runs, l.secrets.Recall)
	return &out
}

// hideRuns hides secrets in what a log says of its tests: names are text.
func hideRuns(runs []testparse.Run, mask func(string) string) []testparse.Run {
	out := slices.Clone(runs)
	for i := range out {
		r := &out[i]
		r.Failures = slices.Clone(r.Failures)
		for j := range r.Failures {
			r.Failures[j].Name = mask(r.Failures[j].Name)
		}
		if r.First != nil {
			f := *r.First
			f.Name = mask(f.Name)
			r.First = &f
		}
		r.Package = mask(r.Package)
	}
	return out
}

// MaskTests hides secrets in what a log says of its tests, for the filters of the
// command line.
func MaskTests(runs []testparse.Run, s *Secrets) []testparse.Run { return hideRuns(runs, s.Text) }
