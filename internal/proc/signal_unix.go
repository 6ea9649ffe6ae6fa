//go:build unix

package proc

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// SignalNumber is the number that this system gives a signal, by its name without
// SIG ("TERM") or, for a real-time signal, its number as text; 0 for another text.
func SignalNumber(name string) int {
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n < 128 {
		return n
	}
	return int(unix.SignalNum("SIG" + name))
}
