//go:build unix

package runner

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal between a command and its output file.
type terminal struct {
	master, out *os.File
	done        chan struct{}
	// last is when something came, in nanoseconds since 1970; lost counts bytes that
	// could not be written.
	last, lost atomic.Int64
	now        func() time.Time
}

// spawnOnTerminal starts the command as the session that owns a new terminal.
func (s *supervisor) spawnOnTerminal(path string, argv []string, attr *syscall.ProcAttr, out *os.File) (int, error) {
	master, slave, err := pty.Open()
	if err != nil {
		_ = out.Close()
		return 0, fmt.Errorf("open a terminal: %w", err)
	}
	wide, _ := strconv.Atoi(columns)
	_ = pty.Setsize(master, &pty.Winsize{Cols: uint16(wide), Rows: rows}) // without it programs take 80 columns
	attr.Files = []uintptr{slave.Fd(), slave.Fd(), slave.Fd()}
	attr.Sys.Setctty, attr.Sys.Ctty = true, 0
	pid, err := s.reap.start(func() (int, error) { return syscall.ForkExec(path, argv, attr) })
	_ = slave.Close()
	if err != nil {
		_, _ = master.Close(), out.Close()
		return 0, err
	}
	s.term = &terminal{master: master, out: out, done: make(chan struct{}), now: s.w.Now}
	go s.term.copy()
	return pid, nil
}

// copy carries what the terminal shows to the file until nobody has the terminal
// open any more. Linux says EIO then, and may say so while a last piece is still
// on its way, so it is asked once more.
func (t *terminal) copy() {
	defer close(t.done)
	buf := make([]byte, 32<<10)
	for failed := 0; failed < 2; {
		n, err := t.master.Read(buf)
		if n > 0 {
			t.last.Store(t.now().UnixNano())
			t.write(buf[:n])
			failed = 0
		}
		if err != nil && !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.EAGAIN) {
			if failed++; failed < 2 {
				time.Sleep(2 * time.Millisecond)
			}
		}
	}
}

// A full disk is waited for: the command stands still on its terminal meanwhile.
const (
	writeTries = 50
	writePause = 200 * time.Millisecond
)

// write puts b at the end of the file; what cannot be written in ten seconds is
// lost, and counted.
func (t *terminal) write(b []byte) {
	for tries := 0; len(b) > 0; tries++ {
		n, err := t.out.Write(b)
		b = b[n:]
		if err == nil {
			continue
		}
		if tries == writeTries {
			t.lost.Add(int64(len(b)))
			return
		}
		time.Sleep(writePause)
	}
}

// Bounds of the wait for the last bytes: all of it, and how long nothing may come
// where somebody in the background keeps the terminal open.
const (
	drainMax   = time.Second
	drainQuiet = 100 * time.Millisecond
)

// drain waits, after the command's death, until the file holds all that it wrote.
func (t *terminal) drain() {
	began := t.now()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-t.done:
			return
		case <-tick.C:
			now := t.now()
			quiet := now.Sub(time.Unix(0, max(t.last.Load(), began.UnixNano())))
			if now.Sub(began) >= drainMax || quiet >= drainQuiet {
				return
			}
		}
	}
}

// answerPatience bounds a write to a command that reads nothing.
const answerPatience = time.Second

// answer types text and Enter.
func (t *terminal) answer(text string) error {
	_ = t.master.SetWriteDeadline(t.now().Add(answerPatience))
	if _, err := t.master.Write([]byte(text + "\r")); err != nil {
		return fmt.Errorf("write to the task's terminal: %w", err)
	}
	return nil
}
