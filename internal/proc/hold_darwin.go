package proc

import (
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// handle is no more than a mark here: macOS has nothing that means one process
// for good, so the start time is read again right before each signal.
type handle int

const noHandle handle = -1

func openHandle(pid int) (handle, error) { return handle(pid), nil }

func (handle) close() {}

func (handle) exact() bool { return false }

func (handle) send(pid int, s signo) error {
	nr := map[signo]unix.Signal{sigTerm: unix.SIGTERM, sigKill: unix.SIGKILL, sigCont: unix.SIGCONT, sigStop: unix.SIGSTOP}[s]
	err := unix.Kill(pid, nr)
	if err == unix.ESRCH {
		return ErrGone
	}
	return os.NewSyscallError("send "+s.String(), err)
}

// kqueue waits for EVFILT_PROC/NOTE_EXIT of all held processes, and for a user
// event that wakes it. The kernel keeps one event per pid, so who waits for
// which pid is kept here.
type kqueue struct {
	fd   int
	mu   sync.Mutex
	keys map[int][]uint64
}

func newWaiter() (waiter, error) {
	fd, err := unix.Kqueue()
	if err != nil {
		return nil, os.NewSyscallError("kqueue", err)
	}
	unix.CloseOnExec(fd)
	q := &kqueue{fd: fd, keys: map[int][]uint64{}}
	if err := q.change(unix.Kevent_t{Filter: unix.EVFILT_USER, Flags: unix.EV_ADD | unix.EV_CLEAR}); err != nil {
		q.close()
		return nil, err
	}
	return q, nil
}

func (q *kqueue) change(ev unix.Kevent_t) error {
	_, err := unix.Kevent(q.fd, []unix.Kevent_t{ev}, nil, nil)
	return os.NewSyscallError("kevent", err)
}

// add fails with ESRCH where the process has ended since its start was read;
// the clock then finds that out.
func (q *kqueue) add(_ handle, pid int, key uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.change(unix.Kevent_t{Ident: uint64(pid), Filter: unix.EVFILT_PROC,
		Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT})
	if err == nil {
		q.keys[pid] = append(q.keys[pid], key)
	}
	return err
}

func (q *kqueue) remove(_ handle, pid int, key uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rest := slices.DeleteFunc(q.keys[pid], func(k uint64) bool { return k == key })
	if q.keys[pid] = rest; len(rest) == 0 {
		delete(q.keys, pid)
		_ = q.change(unix.Kevent_t{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_DELETE}) // gone if it fired
	}
}

func (q *kqueue) ends(timeout time.Duration) []uint64 {
	var limit *unix.Timespec
	if timeout >= 0 {
		ts := unix.NsecToTimespec(int64(timeout))
		limit = &ts
	}
	var events [64]unix.Kevent_t
	n, err := unix.Kevent(q.fd, nil, events[:], limit)
	if err != nil {
		if err != unix.EINTR {
			time.Sleep(pollEvery) // never spin on what cannot be waited for
		}
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var keys []uint64
	for _, ev := range events[:n] {
		if ev.Filter == unix.EVFILT_PROC {
			keys = append(keys, q.keys[int(ev.Ident)]...)
		}
	}
	return keys
}

func (q *kqueue) wake() {
	_ = q.change(unix.Kevent_t{Filter: unix.EVFILT_USER, Fflags: unix.NOTE_TRIGGER}) // closed: nobody waits
}

func (q *kqueue) close() { _ = unix.Close(q.fd) }
