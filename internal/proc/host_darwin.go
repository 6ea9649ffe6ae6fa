package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"offstage/internal/world"
)

// mac reads processes through sysctl and open files through lsof, which every
// Mac has. No C is needed.
type mac struct{}

// The offsets of kinfo.go are those of x/sys, or this does not compile.
var kinfo unix.KinfoProc

var (
	_ = [1]byte{}[unsafe.Sizeof(kinfo)-kinfoSize]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Proc.P_stat)-kinfoStat]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Proc.P_pid)-kinfoPID]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Proc.P_comm)-kinfoComm]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Ucred)+unsafe.Offsetof(kinfo.Eproc.Ucred.Uid)-kinfoUID]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Ppid)-kinfoPPID]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Pgid)-kinfoPGID]
	_ = [1]byte{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Tdev)-kinfoTdev]
)

func systemHost(*world.World) (host, error) { return mac{}, nil }

// tableTries: the table may grow between the question for its size and the
// answer; then the kernel says ENOMEM and is asked again.
const tableTries = 5

func (mac) rows() ([]Proc, error) {
	var raw []byte
	var err error
	for range tableTries {
		if raw, err = unix.SysctlRaw("kern.proc.all"); err != unix.ENOMEM {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the process table: %w", err)
	}
	rows := parseKinfo(raw)
	for i := range rows {
		if sid, err := unix.Getsid(rows[i].PID); err == nil {
			rows[i].SID = sid
		}
	}
	if len(rows) == 0 {
		return nil, ErrNoProcs
	}
	return rows, nil
}

func startOf(pid int) (uint64, error) {
	raw, err := unix.SysctlRaw("kern.proc.pid", pid)
	if err != nil {
		return 0, fmt.Errorf("read process %d: %w", pid, err)
	}
	rows := parseKinfo(raw)
	if len(rows) == 0 || rows[0].PID != pid || rows[0].Dead() {
		return 0, ErrGone
	}
	return rows[0].Start, nil
}

func (mac) args(pid int) []string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil
	}
	args, environ := parseProcArgs(raw)
	clear(environ)
	return args
}

func (mac) env(pid int, names []string) map[string]string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil
	}
	_, environ := parseProcArgs(raw)
	return pickEnv(environ, names)
}

func (mac) startedAt(start uint64) time.Time { return time.UnixMicro(int64(start)) }

func (mac) cwd(pid int) string {
	files, err := lsof("-a", "-p", strconv.Itoa(pid), "-d", "cwd", "-F", "pfn")
	if err != nil || len(files) == 0 {
		return ""
	}
	return files[0].Name
}

func (mac) link(pid, fd int) string {
	files, err := lsof("-a", "-p", strconv.Itoa(pid), "-d", strconv.Itoa(fd), "-F", "pfn")
	if err != nil || len(files) == 0 {
		return ""
	}
	return files[0].Name
}

// users asks lsof once for all files that are there; of a file that is gone
// nothing can be said.
func (mac) users(rows []Proc, seek *search) error {
	var there []string
	for i, path := range seek.paths {
		if seek.blind[i] = seek.info[i] == nil; !seek.blind[i] {
			there = append(there, path)
		}
	}
	if len(there) == 0 {
		return nil
	}
	files, err := lsof(append([]string{"-F", "pRgfauDin", "--"}, lsofPaths(there)...)...)
	if err != nil {
		return err
	}
	row := make(map[int]Proc, len(rows))
	for _, p := range rows {
		row[p.PID] = p
	}
	for i := range seek.paths {
		st, ok := fileID(seek.info[i])
		if ok && st.Uid != uint32(os.Geteuid()) && os.Geteuid() != 0 {
			seek.blind[i] = true // others' processes are not shown to us
		}
		for _, f := range files {
			p, known := row[f.PID]
			if known && f.FD >= 0 && (!seek.std || f.FD == 1 || f.FD == 2) && ok && isFile(f, st, seek.paths[i]) {
				seek.found(i, p, f.FD, f.write())
			}
		}
	}
	return nil
}

func fileID(info os.FileInfo) (*syscall.Stat_t, bool) {
	if info == nil {
		return nil, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return st, ok
}

func isFile(f lsofFile, st *syscall.Stat_t, path string) bool {
	if f.Inode != "" && f.Device != "" {
		dev, err := strconv.ParseUint(strings.TrimPrefix(f.Device, "0x"), 16, 64)
		return err == nil && dev == uint64(uint32(st.Dev)) && f.Inode == strconv.FormatUint(st.Ino, 10)
	}
	return sameName(f.Name) == sameName(path)
}

func (mac) fed(pids []int) map[int]bool {
	files, err := lsof("-a", "-p", list(pids), "-d", "0-2", "-F", "pfdn")
	if err != nil {
		return nil
	}
	return pipedTo(files)
}

// list is pids as lsof takes them.
func list(pids []int) string {
	words := make([]string, len(pids))
	for i, pid := range pids {
		words[i] = strconv.Itoa(pid)
	}
	return strings.Join(words, ",")
}

func (mac) listeners(pids []int) ([]Listener, error) {
	files, err := lsof("-a", "-p", list(pids), "-iTCP", "-sTCP:LISTEN", "-F", "pfn")
	if err != nil {
		return nil, err
	}
	var out []Listener
	seen := map[Listener]bool{}
	for _, f := range files {
		if l := (Listener{PID: f.PID, Port: f.port()}); l.Port != 0 && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out, nil
}

// lsofLimit bounds one question: a dead file server must not hold us up.
const lsofLimit = 5 * time.Second

// lsof runs it once. It ends with 1 where it found nothing, or not for all
// names; then what it did say counts.
func lsof(args ...string) ([]lsofFile, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lsofLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/usr/sbin/lsof", append([]string{"-n", "-P", "-w"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (ctx.Err() != nil || !errors.As(err, &exit)) {
		return nil, fmt.Errorf("run lsof: %w", err)
	}
	return parseLsof(out.String()), nil
}

// PortFree says whether nobody listens on the TCP port: lsof for our own
// processes, and a connection to this machine for everybody else's.
func PortFree(port int) bool {
	files, err := lsof("-iTCP:"+strconv.Itoa(port), "-sTCP:LISTEN", "-F", "pfn")
	return err == nil && len(files) == 0 && !answers(port)
}

func cannotStop(Target) string { return "" }
