package proc

import (
	"time"

	"offstage/internal/world"
)

// Machine says in which life of which machine, and in which pid namespace, a pid
// means anything (spec 1 G6).
type Machine struct {
	// Boot is the id of this boot, "" where the system does not tell.
	Boot string
	// Namespace is the inode of the pid namespace, 0 where there is none.
	Namespace uint64
	// Since is when the machine was started, zero where unknown.
	Since time.Time
}

// MachineOf is the machine of w. What cannot be read is left empty.
func MachineOf(w *world.World) Machine { return machineOf(w) }

// Identify is pid with its start time. ErrGone where there is no such process or
// only its entry is left; another error where it cannot be known.
func Identify(pid int) (ID, error) {
	start, err := startOf(pid)
	if err != nil {
		return ID{}, err
	}
	return ID{PID: pid, Start: start}, nil
}

// Lives says whether id runs now; false too where that cannot be known.
func Lives(id ID) bool { return id.PID > 0 && id.Start > 0 && id.check() == nil }
