package fsys

import (
	"os"
	"sync"
	"time"
)

// A Turn is where the programs that use a thing wait for each other, in about the
// order in which they came: an advisory lock of a file that holds nothing. It is a
// courtesy and keeps nobody out: who got no turn in time goes on without.
//
// One goroutine at a time may hold or ask for it. Where the system has no such lock
// (Windows), nobody ever gets a turn.
type Turn struct {
	f  *os.File
	mu sync.Mutex
	// line is there while this program stands in line; the one goroutine that waits
	// says through it whether the turn came.
	line chan bool
	held bool
}

// handOver is how long a turn that came is held out to whoever may still want it.
const handOver = 10 * time.Millisecond

// OpenTurn opens the file at path, makes it where it is missing, and refuses a link.
func OpenTurn(path string) (*Turn, error) {
	f, err := CreatePrivate(path)
	if err != nil {
		f, err = OpenChange(path)
	}
	if err != nil {
		return nil, err
	}
	return &Turn{f: f}, nil
}

// Take waits for the turn, for about that long at most; Give is due after a true.
func (t *Turn) Take(most time.Duration) bool {
	t.mu.Lock()
	if t.line == nil && lockNow(t.f) {
		t.held = true
		t.mu.Unlock()
		return true
	}
	if t.line == nil {
		t.line = make(chan bool)
		go t.stand(t.line)
	}
	line := t.line
	t.mu.Unlock()
	over := time.NewTimer(most)
	defer over.Stop()
	select {
	case came := <-line:
		t.mu.Lock()
		t.held = came
		t.mu.Unlock()
		return came
	case <-over.C:
		return false
	}
}

// stand waits in line, which a program that stopped in its turn can make long.
func (t *Turn) stand(line chan bool) {
	came := lockWait(t.f)
	t.mu.Lock()
	t.line = nil // whoever asks from now on asks anew
	t.mu.Unlock()
	over := time.NewTimer(handOver)
	defer over.Stop()
	select {
	case line <- came:
		return
	case <-over.C:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if came && !t.held {
		unlock(t.f)
	}
}

// Give passes the turn on.
func (t *Turn) Give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = false
	unlock(t.f)
}

// Close ends the use of the turn; one that is held passes on.
func (t *Turn) Close() error { return t.f.Close() }
