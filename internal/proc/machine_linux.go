package proc

import (
	"os"
	"strconv"
	"strings"

	"offstage/internal/world"
)

// machineOf reads the files of the process folder that name boot and namespace.
func machineOf(w *world.World) Machine {
	dir := w.Proc()
	if dir == "" {
		return Machine{}
	}
	var m Machine
	if b, err := readFile(dir+"/sys/kernel/random/boot_id", 256); err == nil {
		m.Boot = strings.TrimSpace(string(b))
	}
	if link, err := os.Readlink(dir + "/self/ns/pid"); err == nil { // pid:[4026531836]
		m.Namespace, _ = strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(link, "pid:["), "]"), 10, 64)
	}
	if b, err := readFile(dir+"/stat", 1<<20); err == nil {
		m.Since = bootTime(b)
	}
	return m
}

// ControlGroup is the path of the control group of pid in the one hierarchy of
// cgroup v2, or of systemd's own in the old layout; "" where there is none.
func ControlGroup(w *world.World, pid int) string {
	b, err := readFile(w.Proc()+"/"+strconv.Itoa(pid)+"/cgroup", 64<<10)
	if err != nil {
		return ""
	}
	named := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(line, "0::"); ok && path != "/" {
			return path
		}
		if _, path, ok := strings.Cut(line, ":name=systemd:"); ok {
			named = path
		}
	}
	return named
}
