package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"offstage/internal/world"
)

// Usage reads what processes use, some 20 µs for each. Those that have ended, or
// whose pid is another process's now, are left out.
func Usage(ids []ID) map[ID]Use {
	dir := new(world.World).Proc()
	out := make(map[ID]Use, len(ids))
	page := int64(os.Getpagesize())
	for _, id := range ids {
		b, err := readFile(dir+"/"+strconv.Itoa(id.PID)+"/stat", 4096)
		if err != nil {
			continue
		}
		if p, ok := parseStat(b); !ok || p.Start != id.Start {
			continue
		}
		if u, ok := parseUse(b, page); ok {
			out[id] = u
		}
	}
	return out
}

// parseUse reads utime, stime and rss, fields 14, 15 and 24 of stat; the name ends
// at the last ')' and the state, field 3, follows.
func parseUse(stat []byte, page int64) (Use, bool) {
	_, rest, ok := cutLast(stat, ')')
	f := bytes.Fields(rest)
	if !ok || len(f) < 22 {
		return Use{}, false
	}
	num := func(field int) int64 {
		n, _ := strconv.ParseInt(string(f[field-3]), 10, 64) // the kernel's own figure
		return max(n, 0)
	}
	return Use{CPU: time.Duration(num(14)+num(15)) * time.Second / ticksPerSecond, Memory: num(24) * page}, true
}

func cutLast(b []byte, sep byte) (before, after []byte, ok bool) {
	i := bytes.LastIndexByte(b, sep)
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+1:], true
}
