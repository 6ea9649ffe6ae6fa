package proc

import (
	"context"
	"os/exec"
	"strconv"
)

// Usage asks ps what processes use, in one run. Those that have ended, or whose pid
// is another process's now, are left out.
func Usage(ids []ID) map[ID]Use {
	out := make(map[ID]Use, len(ids))
	if len(ids) == 0 {
		return out
	}
	pids := make([]int, len(ids))
	for i, id := range ids {
		pids[i] = id.PID
	}
	ctx, cancel := context.WithTimeout(context.Background(), lsofLimit)
	defer cancel()
	b, err := exec.CommandContext(ctx, "/bin/ps", "-o", "pid=,rss=,time=", "-p", list(pids)).Output()
	if err != nil && len(b) == 0 {
		return out
	}
	uses := parsePS(string(b))
	for _, id := range ids {
		u, ok := uses[strconv.Itoa(id.PID)]
		if start, err := startOf(id.PID); ok && err == nil && start == id.Start {
			out[id] = u
		}
	}
	return out
}
