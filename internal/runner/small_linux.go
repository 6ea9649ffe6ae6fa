package runner

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"offstage/internal/world"
)

// dropCode takes the pages of the program's own code and constants out of this
// process. They are the file's and stay in the system's cache: what is needed
// again comes back by a soft fault, and most of what starting touched is not.
func dropCode(w *world.World) {
	self, err := os.Readlink(w.Proc() + "/self/exe")
	if err != nil {
		return // all of this is for size alone
	}
	f, err := os.Open(w.Proc() + "/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	for _, m := range codeMappings(bufio.NewScanner(f), self) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
}

// mapping is a stretch of addresses.
type mapping struct{ from, to uintptr }

// codeMappings are those of the file self in a process's smaps that may be let
// go: they cannot be written to, and hold no page that was changed by the loader
// ("Anonymous" counts those; they would come back as they stand in the file).
func codeMappings(smaps *bufio.Scanner, self string) []mapping {
	var out []mapping
	var at mapping
	for smaps.Scan() {
		line := smaps.Text()
		f := strings.Fields(line)
		switch {
		case len(f) >= 5 && !strings.HasSuffix(f[0], ":"): // "400000-e0b000 r-xp 00000000 fe:00 123 /path"
			at = mapping{}
			from, to, _ := strings.Cut(f[0], "-")
			a, err1 := strconv.ParseUint(from, 16, strconv.IntSize)
			b, err2 := strconv.ParseUint(to, 16, strconv.IntSize)
			if err1 == nil && err2 == nil && !strings.Contains(f[1], "w") && strings.HasSuffix(line, " "+self) {
				at = mapping{uintptr(a), uintptr(b)}
			}
		case len(f) == 3 && f[0] == "Anonymous:" && f[1] == "0" && at.to > at.from:
			out = append(out, at)
		}
	}
	return out
}
