package proc

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var memoryInfo = windows.NewLazySystemDLL("psapi.dll").NewProc("GetProcessMemoryInfo")

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size, faults                                                     uint32
	peakWorkingSet, workingSet                                       uintptr
	peakPaged, paged, peakNonPaged, nonPaged, pagefile, peakPagefile uintptr
}

// Usage asks what processes use. Those that have ended, that belong to another user,
// or whose pid is another process's now, are left out.
func Usage(ids []ID) map[ID]Use {
	out := make(map[ID]Use, len(ids))
	for _, id := range ids {
		if u, ok := useOf(id); ok {
			out[id] = u
		}
	}
	return out
}

func useOf(id ID) (Use, bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(id.PID))
	if err != nil {
		return Use{}, false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var born, died, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &born, &died, &kernel, &user) != nil || ticks(born) != id.Start {
		return Use{}, false
	}
	u := Use{CPU: time.Duration(ticks(kernel)+ticks(user)) * 100} // hundreds of nanoseconds
	m := memoryCounters{}
	m.size = uint32(unsafe.Sizeof(m))
	if ok, _, _ := memoryInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok != 0 {
		u.Memory = int64(m.workingSet)
	}
	return u, true
}

func ticks(f windows.Filetime) uint64 { return uint64(f.HighDateTime)<<32 | uint64(f.LowDateTime) }
