package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/internal/fsys"
)

func eachKind(t *testing.T, fn func(t *testing.T, w *Watcher)) {
	t.Run("events", func(t *testing.T) { t.Parallel(); fn(t, New(Options{})) })
	t.Run("poll", func(t *testing.T) { t.Parallel(); fn(t, New(Options{PollOnly: true})) })
}

func woken(c <-chan struct{}, d time.Duration) bool {
	select {
	case <-c:
		return true
	case <-time.After(d):
		return false
	}
}

func drain(c <-chan struct{}) {
	for woken(c, 150*time.Millisecond) {
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		_ = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSubscribeWakesOnChange(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, w *Watcher) {
		dir := t.TempDir()
		c, cancel := w.Subscribe(dir)
		defer cancel()
		if !w.poll {
			drain(c)
		}
		write(t, filepath.Join(dir, "a"), "x")
		if !woken(c, 2500*time.Millisecond) {
			t.Fatal("no wake-up")
		}
	})
}

// A folder that comes later, or goes and comes again, is watched all the same.
func TestFolderComesAndGoes(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, w *Watcher) {
		dir := filepath.Join(t.TempDir(), "later")
		c, cancel := w.Subscribe(dir)
		defer cancel()
		for range 2 {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if !woken(c, 3*time.Second) {
				t.Fatal("not woken by the folder")
			}
			time.Sleep(retry + 100*time.Millisecond)
			for woken(c, 0) {
			}
			write(t, filepath.Join(dir, "f"), "x")
			if !woken(c, 2*time.Second) {
				t.Fatal("not woken by a file in it")
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
			for woken(c, 0) {
			}
		}
	})
}

// A neighbour's writes wake nobody else, and many writes make few wake-ups.
func TestCoalescedAndByName(t *testing.T) {
	w := New(Options{})
	if w.poll {
		t.Skip("no events on this system")
	}
	dir := t.TempDir()
	mine := w.Follow(filepath.Join(dir, "mine"), Ended)
	other := w.Follow(filepath.Join(dir, "other"), Ended)
	defer mine.Close()
	defer other.Close()
	drain(mine.C)
	drain(other.C)
	stop := time.Now().Add(700 * time.Millisecond)
	var mu sync.Mutex
	wakes := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for woken(mine.C, 300*time.Millisecond) {
			mu.Lock()
			wakes++
			mu.Unlock()
		}
	}()
	for time.Now().Before(stop) {
		write(t, filepath.Join(dir, "mine"), "line\n")
	}
	<-done
	mu.Lock()
	defer mu.Unlock()
	if wakes < 5 || wakes > 35 {
		t.Errorf("%d wake-ups in 0.7 s of writing, want at most one per %v", wakes, Window)
	}
	if woken(other.C, 0) {
		t.Error("woken by another file's writes")
	}
}

// Written to woken: p99 within a frame while files are quiet in between.
func TestLatencyOfFirstNews(t *testing.T) {
	w := New(Options{})
	if w.poll {
		t.Skip("no events on this system")
	}
	path := filepath.Join(t.TempDir(), "f")
	f := w.Follow(path, Ended)
	defer f.Close()
	drain(f.C)
	late := 0
	for range 40 {
		time.Sleep(Window + 5*time.Millisecond)
		start := time.Now()
		write(t, path, "x")
		if !woken(f.C, 5*time.Second) {
			t.Fatal("no wake-up")
		}
		if time.Since(start) > 50*time.Millisecond {
			late++
		}
		for woken(f.C, Window) {
		}
	}
	if late > 8 {
		t.Errorf("%d of 40 wake-ups took more than 50 ms", late)
	}
}

// Lost events wake everybody.
func TestOverflowWakesEveryone(t *testing.T) {
	t.Parallel()
	w := New(Options{})
	var fs []*Follower
	for i := range 5 {
		f := w.Follow(filepath.Join(t.TempDir(), fmt.Sprint(i)), Ended)
		defer f.Close()
		fs = append(fs, f)
	}
	for _, f := range fs {
		drain(f.C)
	}
	w.take(note{overflow: true}, true)
	for i, f := range fs {
		if !woken(f.C, time.Second) {
			t.Errorf("follower %d was not woken", i)
		}
	}
}

// Without subscribers nothing of it is left.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	w := New(Options{})
	for range 3 {
		_, cancel := w.Subscribe(t.TempDir())
		cancel()
		cancel()
		end := time.Now().Add(5 * time.Second)
		for {
			w.mu.Lock()
			gone := !w.alive && w.ev == nil && len(w.dirs) == 0
			w.mu.Unlock()
			if gone {
				break
			}
			if time.Now().After(end) {
				t.Fatal("the loop did not end")
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// The clock alone: each pace has its period, and growth brings the fast one back.
func TestPaces(t *testing.T) {
	t.Parallel()
	w := New(Options{PollOnly: true})
	now := time.Unix(1000, 0)
	d := &dir{polled: true}
	for _, c := range []struct {
		pace  Pace
		quiet time.Duration
		event bool
		want  time.Duration
	}{
		{Focused, 0, true, Window},
		{Focused, time.Minute, true, slow},
		{Focused, time.Minute, false, near},
		{Running, 0, true, often},
		{Running, cold, true, slow},
		{Running, time.Minute, true, rare},
		{Running, time.Minute, false, slow},
		{Ended, 0, true, rare},
		{folder, 0, true, 0},
		{folder, 0, false, slow},
	} {
		d.watched = c.event
		if got := w.period(&sub{dir: d, pace: c.pace, grew: now.Add(-c.quiet)}, now); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The clock's plan goes by the monotonic clock: a wall clock that is set back by
// an hour must not leave files unlooked at for an hour.
func TestPlanIgnoresTheWallClock(t *testing.T) {
	t.Parallel()
	for _, pace := range []Pace{Focused, Running, Ended, folder} {
		w := New(Options{PollOnly: true})
		now := time.Now()
		s := &sub{dir: &dir{polled: true}, pace: pace, grew: now.Add(-time.Minute)}
		w.plan(s, now)
		if !strings.Contains(s.due.String(), "m=") {
			t.Errorf("pace %d: the plan stands on the wall clock alone", pace)
		}
		if d := s.due.Sub(now); d <= 0 || d > 2*rare {
			t.Errorf("pace %d: due in %v", pace, d)
		}
	}
}

// held is an event source whose answers to Add a test holds back.
type held struct {
	mu   sync.Mutex
	add  []chan struct{}
	dirs map[string]bool
}

func (h *held) Add(dir string) error {
	c := make(chan struct{})
	h.mu.Lock()
	h.add = append(h.add, c)
	h.mu.Unlock()
	<-c
	h.mu.Lock()
	h.dirs[dir] = true
	h.mu.Unlock()
	return nil
}

func (h *held) Remove(dir string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.dirs, dir)
	return nil
}

func (h *held) Notes() <-chan note { return nil }
func (h *held) Close() error       { return nil }

// asked waits until n questions stand and gives the channels that answer them.
func (h *held) asked(t *testing.T, n int) []chan struct{} {
	t.Helper()
	for range 200 {
		h.mu.Lock()
		got := h.add
		h.mu.Unlock()
		if len(got) >= n {
			return got
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d questions did not come", n)
	return nil
}

// A folder that is left and wanted again while the system is still being asked
// keeps its events: the late answer of the first question takes nothing away.
func TestLateAnswerKeepsTheWatch(t *testing.T) {
	t.Parallel()
	if !haveEvents {
		t.Skip("no events on this system")
	}
	w, h, path := New(Options{}), &held{dirs: map[string]bool{}}, t.TempDir()
	if name, poll, _ := fsys.FileSystem(path); poll {
		t.Skipf("the test folder is on %s, which is never watched", name)
	}
	w.ev = h
	_, other := w.Subscribe(filepath.Dir(path)) // keeps the loop, and so the source
	defer other()
	h.asked(t, 1)
	_, first := w.Subscribe(path)
	h.asked(t, 2)
	first()
	_, second := w.Subscribe(path)
	defer second()
	c := h.asked(t, 3)
	close(c[2])
	for range 200 {
		w.mu.Lock()
		ok := w.dirs[path].watched
		w.mu.Unlock()
		if ok {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	close(c[1])
	time.Sleep(100 * time.Millisecond)
	h.mu.Lock()
	kept := h.dirs[path]
	h.mu.Unlock()
	w.mu.Lock()
	believed := w.dirs[path].watched
	w.mu.Unlock()
	close(c[0])
	if believed && !kept {
		t.Error("the folder counts as watched, and its watch was taken away")
	}
}

// TestMissingFolderIsQuiet: a folder that is not there wakes nobody; that it comes is
// news, and so is what is made in it then.
func TestMissingFolderIsQuiet(t *testing.T) {
	t.Parallel()
	if !haveEvents {
		t.Skip("where only polling works, the clock looks")
	}
	w := New(Options{})
	dir := filepath.Join(t.TempDir(), "later")
	c, cancel := w.Subscribe(dir)
	defer cancel()
	time.Sleep(2200 * time.Millisecond) // until it is known that it is missing
	drain(c)
	if woken(c, 3*time.Second) {
		t.Fatal("a folder that is not there wakes")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if !woken(c, 10*time.Second) {
		t.Fatal("that it came is no news")
	}
	drain(c)
	write(t, filepath.Join(dir, "a"), "x")
	if !woken(c, 10*time.Second) {
		t.Fatal("what is made in it is no news")
	}
}
