package proc

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// sysRead is the number of the call read on this kind of machine.
var sysRead = strconv.Itoa(unix.SYS_READ)

// readsTerminal asks the kernel for the call that pid sleeps in; where that is
// hidden, for the place it sleeps at, which only a read of a terminal has.
func (f folder) readsTerminal(pid int) bool {
	if b, err := readFile(f.path(pid, "syscall"), 256); err == nil {
		words := strings.Fields(string(b))
		if len(words) < 2 || words[0] != sysRead {
			return false
		}
		fd, err := strconv.ParseUint(strings.TrimPrefix(words[1], "0x"), 16, 16)
		return err == nil && isTerminal(f.link(pid, int(fd)))
	}
	b, err := readFile(f.path(pid, "wchan"), 256)
	if err != nil {
		return false
	}
	switch strings.TrimSpace(string(b)) {
	case "n_tty_read", "wait_woken", "tty_read":
		return isTerminal(f.link(pid, 0))
	}
	return false
}

func isTerminal(link string) bool {
	return strings.HasPrefix(link, "/dev/pts/") || strings.HasPrefix(link, "/dev/tty")
}
