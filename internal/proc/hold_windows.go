package proc

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// handle is a process handle: it keeps the pid from coming back, and is
// signalled when the process ends.
type handle windows.Handle

const noHandle = handle(windows.InvalidHandle)

func openHandle(pid int) (handle, error) {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return noHandle, ErrGone
	}
	if err != nil {
		return noHandle, fmt.Errorf("open process %d: %w", pid, err)
	}
	return handle(p), nil
}

func (h handle) close() {
	if h != noHandle {
		_ = windows.CloseHandle(windows.Handle(h))
	}
}

func (h handle) exact() bool { return h != noHandle }

// send: there is no way to ask a process without a window, so TERM and KILL
// are one; nothing can be made to stand still, so STOP and CONT are nothing.
func (h handle) send(pid int, s signo) error {
	if s == sigCont || s == sigStop {
		return nil
	}
	if h == noHandle {
		return fmt.Errorf("end process %d: it may not be opened", pid)
	}
	if err := windows.TerminateProcess(windows.Handle(h), 1); err != nil {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	return nil
}

// maxWaits is what WaitForMultipleObjects can take, less the event that wakes
// it; who does not fit is watched by the clock.
const maxWaits = 63

// multi waits for up to maxWaits handles in one call.
type multi struct {
	event windows.Handle
	mu    sync.Mutex
	refs  []windows.Handle
	keys  []uint64
}

var errFull = errors.New("more processes than one wait can take")

func newWaiter() (waiter, error) {
	event, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("create event: %w", err)
	}
	return &multi{event: event}, nil
}

// add wakes the wait under way, which does not know of the new handle yet.
func (m *multi) add(ref handle, _ int, key uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.refs) >= maxWaits {
		return errFull
	}
	var own windows.Handle
	self := windows.CurrentProcess()
	if err := windows.DuplicateHandle(self, windows.Handle(ref), self, &own, windows.SYNCHRONIZE, false, 0); err != nil {
		return fmt.Errorf("duplicate a process handle: %w", err)
	}
	m.refs, m.keys = append(m.refs, own), append(m.keys, key)
	m.wake()
	return nil
}

// remove leaves the handle to ends, which may be waiting on it.
func (m *multi) remove(_ handle, _ int, key uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, k := range m.keys {
		if k == key {
			m.keys[i] = 0
		}
	}
	m.wake()
}

func (m *multi) ends(timeout time.Duration) []uint64 {
	m.mu.Lock()
	m.sweep()
	waits := append([]windows.Handle{m.event}, m.refs...)
	keys := append([]uint64(nil), m.keys...)
	m.mu.Unlock()
	ms := uint32(windows.INFINITE)
	if timeout >= 0 {
		ms = uint32(timeout / time.Millisecond)
	}
	at, err := windows.WaitForMultipleObjects(waits, false, ms)
	if err != nil {
		time.Sleep(pollEvery) // never spin on what cannot be waited for
		return nil
	}
	if i := int(at - windows.WAIT_OBJECT_0); i > 0 && i <= len(keys) {
		return keys[i-1 : i]
	}
	return nil
}

// sweep closes what was removed; the lock is held and nobody waits.
func (m *multi) sweep() {
	refs, keys := m.refs[:0], m.keys[:0]
	for i, key := range m.keys {
		if key == 0 {
			_ = windows.CloseHandle(m.refs[i])
			continue
		}
		refs, keys = append(refs, m.refs[i]), append(keys, key)
	}
	m.refs, m.keys = refs, keys
}

func (m *multi) wake() { _ = windows.SetEvent(m.event) }

func (m *multi) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, ref := range m.refs {
		_ = windows.CloseHandle(ref)
	}
	_ = windows.CloseHandle(m.event)
}
