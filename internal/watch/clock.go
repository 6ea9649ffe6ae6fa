package watch

import "time"

// Pace is how often the clock looks at a file when no event comes.
type Pace int

// The paces. Focused is the file that a person looks at: each Window while it
// grows. Running is any other file of a running task: four times a second, once
// a second when it is quiet, and as rarely as an ended one when it has long been
// quiet and events tell of its folder. Ended is the file of a task that has ended.
const (
	Focused Pace = iota
	Running
	Ended
	folder
)

// Periods of the clock (systems.md 2.3). Where only polling works a focused
// file is never looked at less often than near: 300 ms to the screen.
const (
	near  = 200 * time.Millisecond
	often = 250 * time.Millisecond
	slow  = time.Second
	rare  = 5 * time.Second
	// cooled is how long after its last growth a file counts as quiet.
	cooled = 2 * time.Second
	// cold is how long after it the events of its folder are relied upon.
	cold = 10 * time.Second
)

// period is the time to the next look at s.
func (w *Watcher) period(s *sub, now time.Time) time.Duration {
	blind := !s.dir.watched
	quiet := now.Sub(s.grew) > cooled
	switch s.pace {
	case Focused:
		switch {
		case !quiet || w.flooded(now):
			return Window
		case blind:
			return near
		}
		return slow
	case Running:
		switch {
		case !quiet:
			return often
		case !blind && now.Sub(s.grew) > cold:
			return rare
		}
		return slow
	case Ended:
		return rare
	}
	if blind && !s.dir.missing {
		return slow
	}
	return 0 // a folder with events, or none yet, needs no clock
}

// flooded: events are being left in the kernel, so one for a quiet file may
// come late, and the clock looks at what a person looks at instead.
func (w *Watcher) flooded(now time.Time) bool {
	return !w.flood.IsZero() && now.Sub(w.flood) < 4*Window
}

// plan sets when s is due, on a grid, so that many quiet files cost one waking
// of the processor.
func (w *Watcher) plan(s *sub, now time.Time) {
	p := w.period(s, now)
	if p == 0 {
		s.due = time.Time{}
		return
	}
	due := now.Add(p)
	if p > Window {
		due = grid(due, often)
		if p >= slow {
			due = grid(due, slow)
		}
		if p == near {
			due = now.Add(p)
		}
	}
	if s.due.IsZero() || due.Before(s.due) || !s.due.After(now) {
		s.due = due
	}
}

// grid is the first multiple of step after t. It keeps the monotonic reading of
// t, which Truncate drops: without it a wall clock that is set back by an hour
// would put every look off by an hour.
func grid(t time.Time, step time.Duration) time.Time {
	return t.Add(step - t.Sub(t.Truncate(step)))
}

// tick wakes all that are due or owed and gives the time of the next.
func (w *Watcher) tick(now time.Time) (next time.Time) {
	first := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for s := range w.subs {
		if s.owed && now.Sub(s.last) >= Window {
			s.wake(now)
		}
		if !s.due.IsZero() && !s.due.After(now) {
			// The clock's own looks do not hold up the next event.
			if now.Sub(s.last) >= Window/2 {
				s.ring()
			}
			w.plan(s, now)
		}
		if s.owed {
			first(s.last.Add(Window))
		}
		if !s.due.IsZero() {
			first(s.due)
		}
	}
	return next
}
