//go:build unix

package runner

import (
	"runtime/debug"

	"offstage/internal/world"
)

// A supervisor waits nearly all of its life, and there may be a hundred of them:
// what it took to get up is given back.
const (
	smallGC   = 25
	smallHeap = 12 << 20
)

// beSmall is called once the command runs; before that a collection would only
// hold it up.
func beSmall(w *world.World) {
	debug.SetGCPercent(smallGC)
	debug.SetMemoryLimit(smallHeap)
	debug.FreeOSMemory()
	dropCode(w)
}
