package console

import (
	"sort"
	"time"

	"offstage/task"
)

// When rows came (B14): a plain log has no times of its own, so what is known is
// how far the file reached when it was looked at. Rows from before the console was
// opened have no time, but the last one: the file's own.

// arrival says that the bytes from off on came at at, up to the next arrival.
type arrival struct {
	off int64
	at  time.Time
}

const (
	// mostArrivals bounds what is kept: over an hour of a line a second, and more than
	// half an hour of a flood.
	mostArrivals = 5000
	// arrivalStep is how close arrivals are told apart.
	arrivalStep = 500 * time.Millisecond
)

// arrivals are in order of both; size and gen are of the facts that came last.
type arrivals struct {
	list []arrival
	size int64
	gen  int
	any  bool
	// quiet: between two of the list lay a silence; most often there was none.
	quiet bool
}

// note takes up how far the file reaches.
func (a *arrivals) note(f task.Facts, now time.Time) {
	at := f.LastWrite
	if at.IsZero() || at.After(now) {
		at = now
	}
	switch {
	case !a.any || f.Gen != a.gen || f.Size < a.size:
		*a = arrivals{size: f.Size, gen: f.Gen, any: true}
		if f.Size > 0 && !f.LastWrite.IsZero() {
			a.list = append(a.list, arrival{f.Size - 1, at})
		}
		return
	case f.Size == a.size:
		return
	}
	if n := len(a.list); n == 0 || at.Sub(a.list[n-1].at) >= arrivalStep {
		a.quiet = a.quiet || n > 0 && at.Sub(a.list[n-1].at) >= silence
		a.list = append(a.list, arrival{a.size, at})
	}
	a.size = f.Size
	if len(a.list) > mostArrivals {
		a.list = append([]arrival(nil), a.list[mostArrivals/2:]...)
	}
}

// of is when a byte came, zero where that is not known.
func (a *arrivals) of(off int64) time.Time {
	i := sort.Search(len(a.list), func(i int) bool { return a.list[i].off > off }) - 1
	if i < 0 {
		return time.Time{}
	}
	return a.list[i].at
}

// timeOf is when a row came: its own time, else when its last byte did.
func (m *Model) timeOf(r *row) time.Time {
	switch {
	case !r.line.At.IsZero() || m.task.Decoder != nil || r.role != output || r.line.Mark != task.NoMark:
		return r.line.At
	}
	return m.came.of(max(r.line.End-1, r.line.Offset))
}
