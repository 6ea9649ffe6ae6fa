//go:build !linux && !darwin && !windows

package proc

import (
	"time"

	"offstage/internal/world"
)

// On other systems a recording can be read; of the machine itself it is said
// that it cannot be looked at.

func systemHost(*world.World) (host, error) { return nil, ErrNoProcs }

func startOf(int) (uint64, error) { return 0, ErrNoProcs }

func cannotStop(Target) string {
	return "Processes cannot be seen on this system: end the task in the agent."
}

// PortFree asks by a connection, for want of a list.
func PortFree(port int) bool { return !answers(port) }

type handle int

const noHandle handle = -1

func openHandle(int) (handle, error) { return noHandle, ErrNoProcs }

func (handle) close()                {}
func (handle) exact() bool           { return false }
func (handle) send(int, signo) error { return ErrNoProcs }

// clock only keeps the time: all are watched by it.
type clock chan struct{}

func newWaiter() (waiter, error) { return make(clock, 1), nil }

func (clock) add(handle, int, uint64) error { return ErrNoProcs }
func (clock) remove(handle, int, uint64)    {}

func (c clock) ends(timeout time.Duration) []uint64 {
	if timeout < 0 {
		<-c
		return nil
	}
	select {
	case <-c:
	case <-time.After(timeout):
	}
	return nil
}

func (c clock) wake() {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (clock) close() {}
