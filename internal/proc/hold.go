package proc

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrGone: the process has ended, or its pid belongs to another one by now.
var ErrGone = errors.New("the process has ended")

// pollEvery is how often a held process is looked at where the system gives no
// event for it (an old kernel, a sandbox, more than Windows can wait for).
const pollEvery = 250 * time.Millisecond

// Held is one process that is watched until it ends or Close is called. It
// keeps what identifies the process (a pidfd, a handle), so that its pid coming
// back fools nobody.
type Held struct {
	id   ID
	key  uint64
	done chan struct{}
	// ref and polled are guarded by the hub's lock; ref is noHandle once released.
	ref    handle
	polled bool
}

// Hold watches id. All held processes share one goroutine, which lives while
// there are any. ErrGone where id has ended already; an unknown start time is
// refused, for a bare pid identifies nothing.
func Hold(id ID) (*Held, error) {
	if id.PID <= 0 || id.Start == 0 {
		return nil, fmt.Errorf("hold process %d: its start time is not known", id.PID)
	}
	ref, err := openHandle(id.PID)
	if err != nil {
		if errors.Is(err, ErrGone) {
			return nil, ErrGone
		}
		ref = noHandle // no such thing here: watch by the clock
	}
	// The order matters: what is open now cannot be replaced any more, so a start
	// time that fits now will fit at every later signal.
	if err := id.check(); err != nil {
		ref.close()
		return nil, err
	}
	h := &Held{id: id, done: make(chan struct{}), ref: ref}
	if err := house.add(h); err != nil {
		ref.close()
		return nil, err
	}
	return h, nil
}

// check is nil while id runs, ErrGone when it ended or its pid came back, and
// another error where that cannot be known.
func (id ID) check() error {
	start, err := startOf(id.PID)
	if err == nil && start != id.Start {
		return ErrGone
	}
	return err
}

// ID is the process that is held.
func (h *Held) ID() ID { return h.id }

// Done is closed when the process has ended; a zombie has.
func (h *Held) Done() <-chan struct{} { return h.done }

// Close stops watching. Done is not closed by it. It may be called twice.
func (h *Held) Close() { house.drop(h) }

// ended says whether Done is closed.
func (h *Held) ended() bool {
	select {
	case <-h.done:
		return true
	default:
		return false
	}
}

// house is the one hub of the program.
var house hub

// hub waits for all held processes in one goroutine.
type hub struct {
	mu   sync.Mutex
	wait waiter // nil while nothing is held
	held map[uint64]*Held
	next uint64
}

// waiter is the system's way to wait for many processes at once.
type waiter interface {
	// add asks for the end of ref under key; an error means: look by the clock.
	add(ref handle, pid int, key uint64) error
	remove(ref handle, pid int, key uint64)
	// ends blocks until a process ended, wake was called or the timeout (none
	// below zero) is over.
	ends(timeout time.Duration) []uint64
	wake()
	close()
}

func (b *hub) add(h *Held) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.wait == nil {
		w, err := newWaiter()
		if err != nil {
			return fmt.Errorf("watch processes: %w", err)
		}
		b.wait, b.held = w, make(map[uint64]*Held)
		go b.run(w)
	}
	b.next++
	h.key = b.next
	b.held[h.key] = h
	if h.ref == noHandle || b.wait.add(h.ref, h.id.PID, h.key) != nil {
		h.polled = true
		b.wait.wake() // the wait under way has no clock yet
	}
	return nil
}

func (b *hub) drop(h *Held) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(h)
	if len(b.held) == 0 && b.wait != nil {
		b.wait.wake()
	}
}

// release forgets h; the lock is held.
func (b *hub) release(h *Held) {
	if b.held[h.key] != h {
		return
	}
	delete(b.held, h.key)
	if !h.polled {
		b.wait.remove(h.ref, h.id.PID, h.key)
	}
	h.ref.close()
	h.ref = noHandle
}

func (b *hub) run(w waiter) {
	timeout := time.Duration(-1)
	for {
		keys := w.ends(timeout)
		b.mu.Lock()
		for _, key := range keys {
			b.end(b.held[key])
		}
		timeout = b.poll()
		if len(b.held) == 0 {
			b.wait = nil
			w.close()
			b.mu.Unlock()
			return
		}
		b.mu.Unlock()
	}
}

// poll looks at those without an event and says how long the next wait may be;
// the lock is held.
func (b *hub) poll() time.Duration {
	timeout := time.Duration(-1)
	for _, h := range b.held {
		if !h.polled {
			continue
		}
		if errors.Is(h.id.check(), ErrGone) {
			b.end(h)
			continue
		}
		timeout = pollEvery
	}
	return timeout
}

func (b *hub) end(h *Held) {
	if h == nil {
		return
	}
	b.release(h)
	close(h.done)
}

// signal is the one place of the house from which a signal leaves: to the
// process that is held and to no other. ErrGone where it has ended.
func (h *Held) signal(s signo) error {
	house.mu.Lock()
	defer house.mu.Unlock()
	if house.held[h.key] != h || h.id.PID <= 1 {
		return ErrGone
	}
	if h.ref == noHandle || !h.ref.exact() {
		if err := h.id.check(); err != nil {
			return err
		}
	}
	return h.ref.send(h.id.PID, s)
}

// signo is what may be sent.
type signo int

const (
	sigTerm signo = iota
	sigKill
	sigCont
	sigStop
)

func (s signo) String() string {
	return [...]string{"TERM", "KILL", "CONT", "STOP"}[s]
}
