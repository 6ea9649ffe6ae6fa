package proc

import (
	"maps"
	"slices"

	"offstage/internal/world"
)

// PortFree says whether nobody listens on the TCP port, here and now. Where
// that cannot be seen the answer is no: a freed port is a promise.
func PortFree(port int) bool {
	dir := new(world.World).Proc()
	if dir == "" {
		return false
	}
	table, err := folder{recording{dir: dir}}.listening()
	return err == nil && !slices.Contains(slices.Collect(maps.Values(table)), port)
}

// listening asks the kernel for the listeners; where a sandbox refuses that, the
// whole table is read.
func (f folder) listening() (map[uint64]int, error) {
	if table, err := listeningByDiag(); err == nil {
		return table, nil
	}
	return f.recording.listening()
}

func (f folder) listeners(pids []int) ([]Listener, error) {
	table, err := f.listening()
	if err != nil {
		return nil, ErrNoProcs
	}
	return f.join(pids, table), nil
}

// cannotStop is why a foreign task cannot be stopped on this system.
func cannotStop(Target) string { return "" }
