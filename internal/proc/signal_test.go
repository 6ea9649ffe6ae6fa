//go:build unix

package proc

import (
	"syscall"
	"testing"
)

// TestSignalNumber: whatever a process can end by has its number (spec 5, exit codes).
func TestSignalNumber(t *testing.T) {
	for name, want := range map[string]int{
		"TERM": 15, "KILL": 9, "USR1": int(syscall.SIGUSR1), "USR2": int(syscall.SIGUSR2), "XCPU": int(syscall.SIGXCPU), "XFSZ": int(syscall.SIGXFSZ),
		"SYS": int(syscall.SIGSYS), "BUS": int(syscall.SIGBUS), "34": 34, "": 0, "NONSENSE": 0, "-3": 0, "4000": 0,
	} {
		if got := SignalNumber(name); got != want {
			t.Errorf("%q is %d, want %d", name, got, want)
		}
	}
}
