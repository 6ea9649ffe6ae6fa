package claude

import (
	"bytes"
	"io"
	"os"
	"slices"
	"time"

	"offstage/internal/proc"
)

// A first look must show every running task at once, also one that a long
// session launched hours and megabytes ago. Transcripts are in order of time,
// and the task's process says when it started: the launch is found by halving,
// long before the transcript is read whole.

const (
	// probeSpan is where halving stops and reading begins.
	probeSpan = 64 << 10
	// probeEarly is how much is read before the place that was found: clocks
	// differ by a second or two, and records stand a little out of order.
	probeEarly = 128 << 10
	// callBefore is how far before its result the call of a launch is looked for
	// first, callFar where it is not found there.
	callBefore = 64 << 10
	callFar    = 2 << 20
)

// probe looks for the launch record of one task in the part that was not read
// yet, from about the time its process started; more bounds it.
func (r *reader) probe(id string, at time.Time, more func() bool) bool {
	f, _, err := r.open()
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	mark := []byte(`"backgroundTaskId":"` + id + `"`)
	if !at.IsZero() {
		from := max(0, r.timeOffset(f, at.Add(-2*time.Second))-probeEarly)
		if hit := scanFor(f, mark, from, r.low, more); hit >= 0 {
			r.found(f, id, hit)
			return true
		}
	}
	for to := r.low; to > 0 && more(); to -= 4 * chunk {
		from := max(0, to-4*chunk-int64(len(mark)))
		if hit := scanFor(f, mark, from, to, more); hit >= 0 {
			r.found(f, id, hit)
			return true
		}
	}
	return false
}

// timeOffset is about where the records of a time begin in [0, low).
func (r *reader) timeOffset(f io.ReaderAt, at time.Time) int64 {
	lo, hi := int64(0), r.low
	buf := make([]byte, 64<<10)
	for hi-lo > probeSpan {
		mid := lo + (hi-lo)/2
		if t := timeAfter(f, mid, hi, buf); t.IsZero() || !t.Before(at) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}

var timeKey = []byte(`"timestamp":"`)

// timeAfter is the first time of a record behind offset from.
func timeAfter(f io.ReaderAt, from, to int64, buf []byte) time.Time {
	for from < to {
		n, _ := f.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
		if n <= len(timeKey) {
			return time.Time{}
		}
		for b := buf[:n]; ; {
			i := bytes.Index(b, timeKey)
			if i < 0 {
				break
			}
			b = b[i+len(timeKey):]
			if j := bytes.IndexByte(b[:min(len(b), 40)], '"'); j > 0 {
				if t := when(string(b[:j])); !t.IsZero() {
					return t
				}
			}
		}
		from += int64(n) - int64(len(timeKey)) - 40
		if n < len(buf) {
			return time.Time{}
		}
	}
	return time.Time{}
}

// scanFor is the offset of mark in [from, to), -1 if it is not there.
func scanFor(f io.ReaderAt, mark []byte, from, to int64, more func() bool) int64 {
	lent := buffers.Get().(*[]byte)
	defer buffers.Put(lent)
	// Pieces grow: what is looked for is mostly near.
	for piece := int64(256 << 10); from < to && more(); piece = min(2*piece, 2*chunk) {
		n, _ := f.ReadAt((*lent)[:min(piece, to-from)], from)
		if i := bytes.Index((*lent)[:n], mark); i >= 0 {
			return from + int64(i)
		}
		if n <= len(mark) {
			return -1
		}
		from += int64(n - len(mark))
		if from+int64(len(mark)) >= to {
			return -1
		}
	}
	return -1
}

// found takes a launch whose result stands at hit, with its call.
func (r *reader) found(f *os.File, id string, hit int64) {
	if !r.take(f, id, hit, callBefore) {
		r.take(f, id, hit, callFar)
	}
}

// take reads the lines around a launch into events of their own: what is found
// is shown now and found again when the transcript is read whole. false: the
// call of the launch was not among them.
func (r *reader) take(f *os.File, id string, hit, before int64) bool {
	start, end := lineStart(f, max(0, hit-before)), lineEnd(f, hit, r.low)
	one := &reader{x: newExtract(r.x.id, r.x.agent)}
	one.lines(f, start, end, calls{})
	if r.early == nil {
		r.early = newExtract(r.x.id, r.x.agent)
	}
	whole := false
	for _, e := range one.x.events {
		if e.kind == launched && e.launch != nil && slices.Contains(e.ids, id) {
			r.early.add(e)
			whole = whole || !e.launch.called.IsZero()
		}
	}
	return whole
}

// lineEnd is the offset behind the line that holds offset at, at most to.
func lineEnd(f io.ReaderAt, at, to int64) int64 {
	buf := make([]byte, 16<<10)
	for at < to {
		n, _ := f.ReadAt(buf[:min(int64(len(buf)), to-at)], at)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1
		}
		if n == 0 {
			break
		}
		at += int64(n)
	}
	return at
}

// wallStart is when a process started by the clock on the wall. A recorded table
// has no boot time; a client that says when it started stands in for it.
func wallStart(table *proc.Table, id proc.ID, c *client) time.Time {
	if t := table.StartedAt(id); !t.IsZero() {
		return t
	}
	if c == nil || c.startedAt.IsZero() || c.id.Start == 0 || id.Start < c.id.Start {
		return time.Time{}
	}
	return c.startedAt.Add(time.Duration(id.Start-c.id.Start) * 10 * time.Millisecond)
}
