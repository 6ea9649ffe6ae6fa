package proc

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"offstage/internal/world"
)

// recording is a process folder that was copied: plain files and links, and the
// open flags in fdinfo. It is read the same way on every system. The live
// folder shares its slow readers (args, cwd, env, links).
type recording struct {
	dir string
	w   *world.World
}

// Bounds of what is read of one process: Linux allows 6 MB of arguments and
// environment together, a command line that is shown or matched needs far less.
const (
	maxArgs    = 256 << 10
	maxEnviron = 2 << 20
	maxNetFile = 64 << 20
)

func (r recording) path(pid int, name string) string {
	return r.dir + "/" + strconv.Itoa(pid) + "/" + name
}

func (r recording) rows() ([]Proc, error) {
	names, err := pidNames(r.dir)
	if err != nil {
		return nil, ErrNoProcs
	}
	rows := make([]Proc, 0, len(names))
	for _, n := range names {
		line, err := readFile(r.dir+"/"+n+"/stat", 4096)
		if err != nil {
			continue // ended meanwhile, or was not recorded
		}
		if p, ok := parseStat(line); ok {
			rows = append(rows, p)
		}
	}
	return rows, nil
}

func (r recording) args(pid int) []string {
	b, err := readFile(r.path(pid, "cmdline"), maxArgs)
	if err != nil {
		return nil
	}
	return splitNul(b)
}

func (r recording) cwd(pid int) string {
	target, err := os.Readlink(r.path(pid, "cwd"))
	if err != nil {
		return ""
	}
	return target
}

func (r recording) env(pid int, names []string) map[string]string {
	f, err := os.Open(r.path(pid, "environ"))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	return pickEnv(readWiped(f, maxEnviron), names)
}

func (r recording) link(pid, fd int) string {
	target, err := os.Readlink(r.path(pid, "fd/"+strconv.Itoa(fd)))
	if err != nil {
		return ""
	}
	return target
}

func (r recording) startedAt(start uint64) time.Time {
	b, err := readFile(r.dir+"/stat", 1<<20)
	if err != nil {
		return time.Time{}
	}
	boot := bootTime(b)
	if boot.IsZero() {
		return boot
	}
	return boot.Add(time.Duration(start) * (time.Second / ticksPerSecond))
}

// stdNames are the descriptors of a process's own output.
var stdNames = []string{"1", "2"}

// users compares link texts: the inodes of a copy are not those of the machine
// that was recorded.
func (r recording) users(rows []Proc, seek *search) error {
	for _, p := range rows {
		fds := stdNames
		if !seek.std {
			fds, _ = pidNames(r.path(p.PID, "fd")) // none where it was not recorded
		}
		for _, name := range fds {
			text, err := os.Readlink(r.path(p.PID, "fd/"+name))
			if err != nil {
				continue
			}
			at, ok := seek.text[text]
			if !ok {
				continue
			}
			fd, _ := strconv.Atoi(name) // pidNames gives digits only
			write := flagsWrite(r.path(p.PID, "fdinfo/"+name))
			for _, i := range at {
				seek.found(i, p, fd, write)
			}
		}
	}
	return nil
}

func (r recording) fed(pids []int) map[int]bool {
	from := make(map[string][]int)
	for _, pid := range pids {
		for _, fd := range []int{1, 2} {
			if to := r.link(pid, fd); strings.HasPrefix(to, "pipe:") {
				from[to] = append(from[to], pid)
			}
		}
	}
	out := make(map[int]bool)
	for _, pid := range pids {
		out[pid] = len(from) > 0 && slices.ContainsFunc(from[r.link(pid, 0)], func(w int) bool { return w != pid })
	}
	return out
}

// flagsWrite reads the access mode from an fdinfo file: octal flags of open(2),
// of which the last two bits are 0 read, 1 write, 2 both.
func flagsWrite(path string) bool {
	b, err := readFile(path, 4096)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "flags:"); ok {
			v, err := strconv.ParseUint(strings.TrimSpace(rest), 8, 64)
			return err == nil && v&3 != 0
		}
	}
	return false
}

// pidNames lists the entries of dir whose names are numbers.
func pidNames(dir string) ([]string, error) {
	f, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	keep := all[:0]
	for _, n := range all {
		if n[0] >= '0' && n[0] <= '9' {
			keep = append(keep, n)
		}
	}
	return keep, nil
}

// readFile reads at most limit bytes of a small file.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, limit))
}

// readWiped reads at most limit bytes, and leaves no copy of them behind while
// its buffer grows. What could be read before an error counts.
func readWiped(r io.Reader, limit int) []byte {
	buf := make([]byte, 0, 16<<10)
	for len(buf) < limit {
		if len(buf) == cap(buf) {
			wider := make([]byte, len(buf), min(2*cap(buf), limit))
			copy(wider, buf)
			clear(buf)
			buf = wider
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			break
		}
	}
	return buf
}
