package proc

import (
	"time"

	"golang.org/x/sys/unix"

	"offstage/internal/world"
)

// machineOf asks the kernel for the id of this boot session.
func machineOf(w *world.World) Machine {
	if w.Recorded() {
		return Machine{}
	}
	var m Machine
	m.Boot, _ = unix.Sysctl("kern.bootsessionuuid")
	if tv, err := unix.SysctlTimeval("kern.boottime"); err == nil {
		m.Since = time.Unix(tv.Sec, int64(tv.Usec)*1000)
	}
	return m
}

// ControlGroup: there are none here.
func ControlGroup(*world.World, int) string { return "" }
