package task

import (
	"strconv"
)

// Counts are what a list of tasks adds up to.
type Counts struct {
	Running, Finished, Failed, Waiting int
	ByKind                             map[Kind]int
}

// Count adds up tasks; foreground and hidden ones are left out (L5, A5).
func Count(tasks []Task) Counts {
	c := Counts{ByKind: map[Kind]int{}}
	for _, t := range tasks {
		switch {
		case t.Foreground || t.Hidden:
		case t.Status.Ended():
			c.Finished++
			if t.Status == Failed || t.Status == TimedOut {
				c.Failed++
			}
		default:
			c.Running++
			c.ByKind[t.Kind]++
			if t.Waiting != "" {
				c.Waiting++
			}
		}
	}
	return c
}

// Collapsed is the one line of the closed panel (A1), without its spinner:
// "2 background tasks running · 1 finished".
func Collapsed(c Counts) string {
	var s string
	switch c.Running {
	case 0:
		s = "No background tasks running"
	case 1:
		s = "1 background task running"
	default:
		s = strconv.Itoa(c.Running) + " background tasks running"
	}
	if c.Finished > 0 {
		s += " · " + strconv.Itoa(c.Finished) + " finished"
	}
	return s
}
