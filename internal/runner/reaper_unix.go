//go:build unix

package runner

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"offstage/internal/proc"
)

// reaper owns all waiting for children. Only the loop's goroutine sweeps and
// starts; the lock is for a stop that signals the command's group meanwhile,
// whose number is safe exactly until its leader is reaped.
type reaper struct {
	chld chan os.Signal

	mu   sync.Mutex
	want map[int]bool
	dead []death
	// alone: at the last sweep there was no child at all.
	alone bool
}

// death is how a child that was asked for ended.
type death struct {
	pid    int
	status syscall.WaitStatus
}

func (r *reaper) listen() {
	r.chld = make(chan os.Signal, 1) // one pending is enough: a sweep takes all
	r.want = map[int]bool{}
	signal.Notify(r.chld, syscall.SIGCHLD)
}

// start runs fork and remembers the child, whose death sweep tells.
func (r *reaper) start(fork func() (int, error)) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := fork()
	if err == nil {
		r.want[pid], r.alone = true, false
	}
	return pid, err
}

// sweep reaps all that have ended and gives back those that were started here.
func (r *reaper) sweep() []death {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dead = r.dead[:0]
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil || pid == 0:
			r.alone = err == syscall.ECHILD
			return r.dead
		}
		if r.want[pid] {
			delete(r.want, pid)
			r.dead = append(r.dead, death{pid, status})
		}
	}
}

// interrupt sends INT to the group of a child that is not reaped yet.
func (r *reaper) interrupt(pid int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.want[pid] {
		return proc.ErrGone
	}
	return proc.InterruptGroup(pid)
}
