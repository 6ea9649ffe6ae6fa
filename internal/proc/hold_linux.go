package proc

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// handle is a pidfd: it means one process for good, and becomes readable when
// that ends, also while it is still a zombie.
type handle int

const noHandle handle = -1

// openHandle needs Linux 5.3; where a sandbox refuses it the clock takes over.
func openHandle(pid int) (handle, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	switch err {
	case nil:
		return handle(fd), nil
	case unix.ESRCH:
		return noHandle, ErrGone
	}
	return noHandle, os.NewSyscallError("pidfd_open", err)
}

func (h handle) close() {
	if h != noHandle {
		_ = unix.Close(int(h)) // a pidfd has nothing to flush
	}
}

// exact: a signal through the handle cannot meet another process.
func (h handle) exact() bool { return h != noHandle }

// send goes through the pidfd; without one, to the pid whose start time was
// read just before.
func (h handle) send(pid int, s signo) error {
	nr := map[signo]unix.Signal{sigTerm: unix.SIGTERM, sigKill: unix.SIGKILL, sigCont: unix.SIGCONT, sigStop: unix.SIGSTOP}[s]
	var err error
	if h == noHandle {
		err = unix.Kill(pid, nr)
	} else {
		err = unix.PidfdSendSignal(int(h), nr, nil, 0)
	}
	if err == unix.ESRCH {
		return ErrGone
	}
	return os.NewSyscallError("send "+s.String(), err)
}

// epoll waits on all pidfds and on an eventfd that wakes it.
type epoll struct{ fd, event int }

func newWaiter() (waiter, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	event, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		_ = unix.Close(fd)
		return nil, os.NewSyscallError("eventfd", err)
	}
	e := epoll{fd, event}
	if err := e.add(handle(event), 0, 0); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// add puts the key into the eight bytes of user data; 0 is the eventfd.
func (e epoll) add(ref handle, _ int, key uint64) error {
	ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(uint32(key)), Pad: int32(uint32(key >> 32))}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.fd, unix.EPOLL_CTL_ADD, int(ref), &ev))
}

func (e epoll) remove(ref handle, _ int, _ uint64) {
	_ = unix.EpollCtl(e.fd, unix.EPOLL_CTL_DEL, int(ref), nil) // closing it would do the same
}

func (e epoll) ends(timeout time.Duration) []uint64 {
	ms := -1
	if timeout >= 0 {
		ms = int(timeout / time.Millisecond)
	}
	var events [64]unix.EpollEvent
	n, err := unix.EpollWait(e.fd, events[:], ms)
	if err != nil {
		if err != unix.EINTR {
			time.Sleep(pollEvery) // never spin on what cannot be waited for
		}
		return nil
	}
	var keys []uint64
	for _, ev := range events[:n] {
		key := uint64(uint32(ev.Fd)) | uint64(uint32(ev.Pad))<<32
		if key == 0 {
			var count [8]byte
			_, _ = unix.Read(e.event, count[:]) // only to quiet it
			continue
		}
		keys = append(keys, key)
	}
	return keys
}

func (e epoll) wake() {
	_, _ = unix.Write(e.event, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // full means: awake already
}

func (e epoll) close() {
	_ = unix.Close(e.event)
	_ = unix.Close(e.fd)
}
