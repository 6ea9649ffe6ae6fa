package task

import (
	"fmt"
	"strconv"
	"time"
)

// Rough is a duration in its largest unit: "45 s", "12 min", "3 h", "2 d"; an age
// that a clock set back made negative is "0 s".
func Rough(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + " d"
}

// Clock is a run time in the fixed form of rows: "41s", "3m04s", "1h12m", "2d03h".
func Clock(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	s := int(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 24*3600:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd%02dh", s/(24*3600), s/3600%24)
}

// Size is a number of bytes to two digits: "812 B", "2.1 MB", "1.4 TB".
func Size(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, units := float64(n), []string{"kB", "MB", "GB", "TB", "PB"}
	for i, u := range units {
		f /= 1000
		if f < 999.5 || i == len(units)-1 {
			if f < 9.95 {
				return strconv.FormatFloat(f, 'f', 1, 64) + " " + u
			}
			return strconv.FormatFloat(f, 'f', 0, 64) + " " + u
		}
	}
	return ""
}

// Elapsed is how long a task has run, or ran.
func Elapsed(t Task, now time.Time) time.Duration {
	end := now
	if t.Status.Ended() && !t.Ended.IsZero() {
		end = t.Ended
	}
	if t.Started.IsZero() || !end.After(t.Started) {
		return 0
	}
	return end.Sub(t.Started)
}
