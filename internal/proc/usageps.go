package proc

import (
	"strconv"
	"strings"
	"time"
)

// parsePS reads lines of `ps -o pid=,rss=,time=`: memory in kilobytes, time on
// processors as [[days-]hours:]minutes:seconds with a fraction. By pid, as written.
func parsePS(out string) map[string]Use {
	uses := map[string]Use{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		kb, err := strconv.ParseInt(f[1], 10, 64)
		cpu, ok := parseCPUTime(f[2])
		if err == nil && ok && kb >= 0 {
			uses[f[0]] = Use{CPU: cpu, Memory: kb << 10}
		}
	}
	return uses
}

func parseCPUTime(s string) (time.Duration, bool) {
	days, rest, found := strings.Cut(s, "-")
	if !found {
		days, rest = "0", s
	}
	d, err := strconv.Atoi(days)
	if err != nil || d < 0 {
		return 0, false
	}
	sum := float64(d) * 24 * 60 * 60
	parts := strings.Split(rest, ":")
	scale := 1.0
	for i := len(parts) - 1; i >= 0; i-- {
		v, err := strconv.ParseFloat(strings.ReplaceAll(parts[i], ",", "."), 64)
		if err != nil || v < 0 || v > 1e6 {
			return 0, false
		}
		sum += v * scale
		scale *= 60
	}
	return time.Duration(sum * float64(time.Second)), len(parts) <= 3
}
