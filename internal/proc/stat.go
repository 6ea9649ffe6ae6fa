package proc

import (
	"bytes"
	"strconv"
	"time"
)

// ticksPerSecond is USER_HZ, the unit of start times in stat: 100 on every
// architecture that Go builds for.
const ticksPerSecond = 100

// parseStat reads one line of PID/stat (proc_pid_stat(5)). The name may hold
// blanks, brackets and newlines, so it ends at the last ')'.
func parseStat(line []byte) (Proc, bool) {
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 1 || end < open {
		return Proc{}, false
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(line[:open])))
	if err != nil {
		return Proc{}, false
	}
	var f [20][]byte // field 3 (state) to field 22 (starttime)
	n := 0
	for word := range bytes.FieldsSeq(line[end+1:]) {
		if f[n] = word; n == len(f)-1 {
			n++
			break
		}
		n++
	}
	if n < len(f) {
		return Proc{}, false
	}
	start, err := strconv.ParseUint(string(f[19]), 10, 64)
	if err != nil {
		return Proc{}, false
	}
	state := f[0][0]
	if threads, _ := strconv.Atoi(string(f[17])); state == 'Z' && threads > 1 {
		state = 'S' // only its first thread has ended; the process lives, and cannot be reaped
	}
	num := func(i int) int {
		v, _ := strconv.Atoi(string(f[i])) // kernel's own figure; 0 is "none"
		return v
	}
	return Proc{
		ID: ID{PID: pid, Start: start}, State: state,
		PPID: num(1), PGID: num(2), SID: num(3), TTY: num(4) != 0,
		UID: -1, Comm: string(line[open+1 : end]),
	}, true
}

// bootTime finds the "btime" line of the process folder's stat: seconds since
// the epoch at boot.
func bootTime(stat []byte) time.Time {
	for line := range bytes.Lines(stat) {
		if rest, ok := bytes.CutPrefix(line, []byte("btime ")); ok {
			if s, err := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64); err == nil {
				return time.Unix(s, 0)
			}
		}
	}
	return time.Time{}
}

// splitNul cuts a command line or an environment into its entries. A program
// that wrote its own title over its arguments leaves a tail of NULs: no entries.
func splitNul(b []byte) []string {
	b = bytes.TrimRight(b, "\x00")
	if len(b) == 0 {
		return nil
	}
	parts := bytes.Split(b, []byte{0})
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = string(p)
	}
	return out
}

// pickEnv copies the named entries out of a NUL separated environment and then
// wipes the buffer: it held every secret of the process.
func pickEnv(environ []byte, names []string) map[string]string {
	defer clear(environ)
	got := make(map[string]string, len(names))
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		key, value, ok := bytes.Cut(entry, []byte{'='})
		if !ok {
			continue
		}
		for _, n := range names {
			if _, seen := got[n]; n == string(key) && !seen {
				got[n] = string(value)
			}
		}
	}
	return got
}
