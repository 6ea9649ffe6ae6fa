package config

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// SizeLimit is what is done when an output has become so large (O6).
type SizeLimit struct {
	// Bytes; 0 is no limit.
	Bytes int64
	// Do is warn, trim, freeze or stop.
	Do string
}

// String is the limit as it is written: "5GiB:trim", "0" for none.
func (l SizeLimit) String() string {
	if l.Bytes == 0 {
		return "0"
	}
	n, unit := l.Bytes, 0
	for n%1024 == 0 && unit < len(units)-1 {
		n, unit = n/1024, unit+1
	}
	text := strconv.FormatInt(n, 10)
	if unit > 0 {
		text += units[unit] + "iB"
	}
	return text + ":" + l.Do
}

// Bounds of a background task's time (H1): steps of five minutes up to ten hours.
const (
	timeoutStep = 5 * time.Minute
	timeoutMost = 10 * time.Hour
)

// timeout is a setting of H1: 0 (or off), or 5m to 10h in steps of five minutes.
func timeout(at func(*Settings) *time.Duration) value {
	return value{set: func(s *Settings, v string) string {
		if v == "off" {
			v = "0"
		}
		d, ok := Duration(v)
		if !ok || d < 0 || d > timeoutMost || d%timeoutStep != 0 {
			return "0 for none, or a duration from 5m to 10h in steps of five minutes is wanted"
		}
		*at(s) = d
		return ""
	}, get: func(s *Settings) string { return short(*at(s)) }}
}

func sizeLimit(s *Settings, v string) string {
	l, ok := ParseSizeLimit(v)
	if !ok {
		return "a size and what to do, such as 5GiB:trim, is wanted (warn, trim, freeze or stop; 0 for none)"
	}
	s.SizeLimit = l
	return ""
}

// units of a size, each 1024 times the one before; KB and the like are taken for
// what people mean by them.
var units = []string{"", "K", "M", "G", "T"}

// ParseSizeLimit reads "100M:freeze", "5GiB" (which trims), "0".
func ParseSizeLimit(v string) (SizeLimit, bool) {
	size, do, given := strings.Cut(v, ":")
	if !given {
		do = "trim"
	}
	switch do {
	case "warn", "trim", "freeze", "stop":
	default:
		return SizeLimit{}, false
	}
	n, ok := Size(size)
	return SizeLimit{Bytes: n, Do: do}, ok
}

// Size reads "1536", "100M", "5GiB", "1.5 GB" as bytes.
func Size(v string) (int64, bool) {
	v = strings.ToUpper(strings.TrimSpace(v))
	v = strings.TrimSuffix(strings.TrimSuffix(v, "B"), "I")
	scale := 1.0
	for i := len(units) - 1; i > 0; i-- {
		if rest, ok := strings.CutSuffix(v, units[i]); ok {
			v, scale = rest, math.Pow(1024, float64(i))
			break
		}
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || f < 0 || f*scale > math.MaxInt64/2 || f != f {
		return 0, false
	}
	return int64(f * scale), true
}
