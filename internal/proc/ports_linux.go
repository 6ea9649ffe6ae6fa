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
	table, err := recording{dir: dir}.listening()
	return err == nil && !slices.Contains(slices.Collect(maps.Values(table)), port)
}

// cannotStop is why a foreign task cannot be stopped on this system.
func cannotStop(Target) string { return "" }
