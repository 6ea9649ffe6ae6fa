package ui

// A panel beside an agent has nothing to do for most of the day. Whoever runs it is
// told so, and may have the program take up less of the machine until something moves.

// restAfter is after how many seconds of the clock alone the window is at rest.
const restAfter = 10

// rest counts the seconds in which nothing moved.
type rest struct {
	quiet int
	on    bool
}

// moved is called with every message that is not the clock's: at once, for a person
// may wait for the answer.
func (r *rest) moved(tell func(on bool)) {
	r.quiet = 0
	if r.on {
		r.on = false
		tell(false)
	}
}

// second is called with each of the clock's.
func (r *rest) second(tell func(on bool)) {
	if r.quiet++; r.quiet >= restAfter && !r.on && tell != nil {
		r.on = true
		tell(true)
	}
}
