package proc

import (
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Command line, folder and environment of another process. The first has a
// question of its own, the others are read from its memory: the parameters that
// its PEB points at. Same bitness only; anything else reads as unknown.

func (pc) args(pid int) []string {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(p) }()
	buf := make([]byte, 64<<10) // a command line has at most 32,767 characters
	err = windows.NtQueryInformationProcess(p, windows.ProcessCommandLineInformation, unsafe.Pointer(&buf[0]), uint32(len(buf)), nil)
	if err != nil {
		return nil
	}
	s := (*windows.NTUnicodeString)(unsafe.Pointer(&buf[0]))
	args, err := windows.DecomposeCommandLine(s.String())
	if err != nil {
		return nil
	}
	return args
}

func (pc) cwd(pid int) string {
	dir := ""
	_ = parameters(pid, func(p windows.Handle, rp *windows.RTL_USER_PROCESS_PARAMETERS) error {
		b := make([]uint16, rp.CurrentDirectory.DosPath.Length/2)
		err := readMemory(p, uintptr(unsafe.Pointer(rp.CurrentDirectory.DosPath.Buffer)), b)
		dir = strings.TrimSuffix(windows.UTF16ToString(b), `\`)
		return err
	}) // unknown is ""
	return dir
}

func (pc) env(pid int, names []string) map[string]string {
	var got map[string]string
	_ = parameters(pid, func(p windows.Handle, rp *windows.RTL_USER_PROCESS_PARAMETERS) error {
		b := make([]uint16, min(rp.EnvironmentSize, maxEnviron)/2)
		err := readMemory(p, uintptr(rp.Environment), b)
		if err == nil {
			got = pickEnv16(b, names, strings.EqualFold, windows.UTF16ToString)
		}
		return err
	}) // unknown is nil
	return got
}

// parameters opens pid and hands its parameters to read.
func parameters(pid int, read func(windows.Handle, *windows.RTL_USER_PROCESS_PARAMETERS) error) error {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("open process %d: %w", pid, err)
	}
	defer func() { _ = windows.CloseHandle(p) }()
	var info windows.PROCESS_BASIC_INFORMATION
	if err := windows.NtQueryInformationProcess(p, windows.ProcessBasicInformation, unsafe.Pointer(&info), uint32(unsafe.Sizeof(info)), nil); err != nil {
		return fmt.Errorf("ask for process %d: %w", pid, err)
	}
	peb := make([]windows.PEB, 1)
	if err := readMemory(p, uintptr(unsafe.Pointer(info.PebBaseAddress)), peb); err != nil {
		return err
	}
	params := make([]windows.RTL_USER_PROCESS_PARAMETERS, 1)
	if err := readMemory(p, uintptr(unsafe.Pointer(peb[0].ProcessParameters)), params); err != nil {
		return err
	}
	return read(p, &params[0])
}

// readMemory fills into from address at of process p.
func readMemory[T any](p windows.Handle, at uintptr, into []T) error {
	if len(into) == 0 {
		return nil
	}
	size := uintptr(len(into)) * unsafe.Sizeof(into[0])
	if err := windows.ReadProcessMemory(p, at, (*byte)(unsafe.Pointer(&into[0])), size, nil); err != nil {
		return fmt.Errorf("read memory of a process: %w", err)
	}
	return nil
}
