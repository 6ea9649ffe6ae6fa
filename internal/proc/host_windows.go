package proc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"offstage/internal/world"
)

// pc reads processes through Toolhelp. There are no groups, sessions of a
// terminal or owners in it: PGID and SID are 0, UID is -1.
type pc struct{}

func systemHost(*world.World) (host, error) { return pc{}, nil }

func (pc) rows() ([]Proc, error) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, fmt.Errorf("read the process table: %w", err)
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var rows []Proc
	e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		pid := int(e.ProcessID)
		start, _ := startOf(pid) // 0 where it is not ours to ask
		name := strings.TrimSuffix(windows.UTF16ToString(e.ExeFile[:]), ".exe")
		rows = append(rows, Proc{ID: ID{PID: pid, Start: start}, PPID: int(e.ParentProcessID), UID: -1, State: 'S', Comm: name})
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, fmt.Errorf("read the process table: %w", err)
	}
	return rows, nil
}

// startOf is the creation time as a FILETIME: 100 ns since 1601.
func startOf(pid int) (uint64, error) {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return 0, ErrGone
	}
	if err != nil {
		return 0, fmt.Errorf("open process %d: %w", pid, err)
	}
	defer func() { _ = windows.CloseHandle(p) }()
	if ev, err := windows.WaitForSingleObject(p, 0); err == nil && ev == windows.WAIT_OBJECT_0 {
		return 0, ErrGone
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(p, &created, &exited, &kernel, &user); err != nil {
		return 0, fmt.Errorf("read the times of process %d: %w", pid, err)
	}
	return uint64(created.HighDateTime)<<32 | uint64(created.LowDateTime), nil
}

func (pc) startedAt(start uint64) time.Time {
	ft := windows.Filetime{LowDateTime: uint32(start), HighDateTime: uint32(start >> 32)}
	return time.Unix(0, ft.Nanoseconds())
}

func (pc) fed([]int) map[int]bool { return nil }

func (pc) link(int, int) string { return "" }

// users: which descriptors of a process are its output cannot be asked here, so
// no file can be looked at.
func (pc) users(_ []Proc, seek *search) error {
	for i := range seek.blind {
		seek.blind[i] = true
	}
	return nil
}

var tcpTable = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")

// listenersOnly is TCP_TABLE_OWNER_PID_LISTENER of iprtrmib.h.
const listenersOnly = 3

func allListeners() ([]Listener, error) {
	v4, err := readTCPTable(windows.AF_INET)
	if err != nil {
		return nil, err
	}
	out := tcpRow4.parse(v4)
	if v6, err := readTCPTable(windows.AF_INET6); err == nil {
		out = append(out, tcpRow6.parse(v6)...)
	}
	return out, nil
}

func readTCPTable(family uintptr) ([]byte, error) {
	size := uint32(32 << 10)
	for range 5 { // it may grow between two calls
		buf := make([]byte, size)
		code, _, _ := tcpTable.Call(uintptr(unsafe.Pointer(&buf[0])), uintptr(unsafe.Pointer(&size)), 0, family, listenersOnly, 0)
		switch err := windows.Errno(code); err {
		case windows.NO_ERROR:
			return buf, nil
		case windows.ERROR_INSUFFICIENT_BUFFER:
		default:
			return nil, fmt.Errorf("list listening ports: %w", err)
		}
	}
	return nil, fmt.Errorf("list listening ports: %w", windows.ERROR_INSUFFICIENT_BUFFER)
}

func (pc) listeners(pids []int) ([]Listener, error) {
	all, err := allListeners()
	return slices.DeleteFunc(all, func(l Listener) bool { return !slices.Contains(pids, l.PID) }), err
}

// PortFree says whether nobody listens on the TCP port.
func PortFree(port int) bool {
	all, err := allListeners()
	return err == nil && !slices.ContainsFunc(all, func(l Listener) bool { return l.Port == port }) && !answers(port)
}

// cannotStop: only children of our own can be ended here.
func cannotStop(tg Target) string {
	if len(tg.Roots) > 0 {
		return ""
	}
	return "On Windows nobody can tell which processes write an agent's output file: end the task in the agent."
}
