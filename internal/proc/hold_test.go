//go:build unix

package proc

import (
	"errors"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// start runs a program that the test ends and reaps.
func start(t testing.TB, cmd *exec.Cmd) ID {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	at, err := startOf(cmd.Process.Pid)
	if err != nil {
		t.Fatalf("process %d has no start time: %v", cmd.Process.Pid, err)
	}
	return ID{cmd.Process.Pid, at}
}

func waitDone(t testing.TB, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal(what + " was not told within 5 s")
	}
}

// An end is an event, also while the process is a zombie that nobody reaped.
func TestHoldTellsTheEnd(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	id := start(t, cmd)
	h, err := Hold(id)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if h.ended() {
		t.Fatal("ended before it was")
	}
	if err := h.signal(sigTerm); err != nil {
		t.Fatal(err)
	}
	waitDone(t, "the end", h.Done())
	if err := h.signal(sigKill); !errors.Is(err, ErrGone) {
		t.Errorf("signal after the end: %v", err)
	}
	if _, err := Hold(id); !errors.Is(err, ErrGone) {
		t.Errorf("hold of a zombie: %v", err)
	}
}

// K2: a pid that came back is another process; it is neither held nor signalled.
func TestHoldRefusesAnotherStart(t *testing.T) {
	id := start(t, exec.Command("sleep", "60"))
	if _, err := Hold(ID{id.PID, id.Start + 1}); !errors.Is(err, ErrGone) {
		t.Errorf("other start time: %v", err)
	}
	if _, err := Hold(ID{PID: id.PID}); err == nil || errors.Is(err, ErrGone) {
		t.Errorf("unknown start time: %v", err)
	}
	if id.check() != nil {
		t.Error("the process did not survive")
	}
}

// Where the system has no event, the clock tells the same.
func TestHoldByTheClock(t *testing.T) {
	id := start(t, exec.Command("sleep", "60"))
	h := &Held{id: id, done: make(chan struct{}), ref: noHandle}
	if err := house.add(h); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if !h.polled {
		t.Fatal("not polled")
	}
	if err := h.signal(sigKill); err != nil {
		t.Fatal(err)
	}
	waitDone(t, "the end", h.Done())
	other := &Held{id: ID{id.PID, id.Start + 1}, done: make(chan struct{}), ref: noHandle}
	if err := house.add(other); err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.signal(sigKill); !errors.Is(err, ErrGone) {
		t.Errorf("signal to another start: %v", err)
	}
}

// Two hundred held processes are one goroutine, and none is left after Close.
func TestHoldIsOneGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	id := start(t, exec.Command("sleep", "60"))
	var all []*Held
	for range 200 {
		h, err := Hold(id)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	if n := runtime.NumGoroutine() - before; n > 1 {
		t.Errorf("%d goroutines for 200 held processes", n)
	}
	for _, h := range all {
		h.Close()
		h.Close()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines before, %d after all were closed", before, n)
	}
	select {
	case <-all[0].Done():
		t.Error("Close is not an end")
	default:
	}
}
