package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestCountAll: one look gives the counts of all outputs, however many there
// are: a listing is not the news of three of them (F2, A4).
func TestCountAll(t *testing.T) {
	dir := t.TempDir()
	var snap task.Snapshot
	for i := range maxLogs + 12 {
		x := one1(fmt.Sprint("t", i), task.Succeeded)
		x.Ended = noon
		x.Output.Path = filepath.Join(dir, x.Native)
		text := fmt.Sprintf("line one\nlast of %d\n", i)
		x.Output.Bytes = int64(len(text))
		if err := os.WriteFile(x.Output.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		snap.Tasks = append(snap.Tasks, x)
	}
	w := newWorld(t)
	r := New(Options{World: w, Keep: Keep{For: 200 * 24 * time.Hour, Max: 1000, Ended: true}, Sources: []Named{{Name: "x", Source: &script{snap: snap}}}})
	defer func() { _ = r.Close() }()
	got, err := r.Scan(t.Context(), 10*time.Second)
	if err != nil || len(got.Tasks) != len(snap.Tasks) {
		t.Fatalf("%d tasks, %v", len(got.Tasks), err)
	}
	for _, x := range got.Tasks {
		if x.Activity != "last of "+x.Native[1:] {
			t.Errorf("%s: %q", x.Native, x.Activity)
		}
	}
}

// TestCountTurns: outputs that grow faster than they are counted keep no other
// waiting for good.
func TestCountTurns(t *testing.T) {
	dir := t.TempDir()
	f := newFacts(newWorld(t), nil, func() {})
	defer f.close()
	var tasks []task.Task
	for i := range maxCounting + 1 {
		x := one1(fmt.Sprint("big", i), task.Running)
		x.Started = noon.Add(-time.Duration(i) * time.Minute)
		x.Output = task.OutputRef{Path: filepath.Join(dir, x.Native), Bytes: 64 << 20}
		if err := os.WriteFile(x.Output.Path, make([]byte, 8<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, x)
	}
	if n := f.follow(tasks, noon, Keep{For: time.Hour, Max: 20}); n != maxCounting {
		t.Fatalf("%d are counted at once, want %d", n, maxCounting)
	}
	small := one1("small", task.Running)
	small.Output = task.OutputRef{Path: filepath.Join(dir, "small"), Bytes: 6}
	if err := os.WriteFile(small.Output.Path, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := f.follow(append(tasks, small), noon, Keep{For: time.Hour, Max: 20}); n < 1 {
		t.Error("a small output waits for big ones")
	}
	f.mu.Lock()
	for _, l := range f.logs {
		l.opened = l.opened.Add(-2 * countTurn)
	}
	f.mu.Unlock()
	f.follow(append(tasks, small), noon, Keep{For: time.Hour, Max: 20})
	if _, ok := f.of(tasks[maxCounting]); !ok {
		t.Error("a turn that is over keeps the next one waiting")
	}
}

// TestSinksOnce: the same word for the same command, and none for what is too
// long to be parsed at every look (E1).
func TestSinksOnce(t *testing.T) {
	var s sinks
	for range 2 {
		if got := s.of("npm test 2>&1 | tail -20").At(false).Name; got != "tail" {
			t.Errorf("%q", got)
		}
	}
	if len(s.known) != 1 {
		t.Errorf("%d command lines are remembered", len(s.known))
	}
	if got := s.of(strings.Repeat("x ", maxSinkLine) + "| tail").At(false).Name; got != "" || len(s.known) != 1 {
		t.Errorf("a line without end was parsed: %q", got)
	}
	for i := range maxSinks + 5 {
		s.of(fmt.Sprint("echo ", i))
	}
	if len(s.known) > maxSinks {
		t.Errorf("%d command lines are remembered", len(s.known))
	}
}
