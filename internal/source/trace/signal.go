package trace

import "strconv"

// signals are those that end programs, by their number on Linux and macOS.
var signals = map[int]string{1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 6: "ABRT", 8: "FPE", 9: "KILL", 11: "SEGV", 13: "PIPE", 14: "ALRM", 15: "TERM"}

// Signal is a signal's name without SIG; the number where it has none here.
func Signal(n int) string {
	if name, ok := signals[n]; ok {
		return name
	}
	return strconv.Itoa(n)
}
