package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func newStore(t *testing.T) (*Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

// TestModes: the ledger is its owner's alone.
func TestModes(t *testing.T) {
	_, dir := newStore(t)
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, fileName): 0o600, filepath.Join(dir, fileName+"-wal"): 0o600} {
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, st.Mode().Perm(), want)
		}
	}
}

// TestFacts: a checkpoint only goes forward (F2: not read again after a restart).
func TestFacts(t *testing.T) {
	s, _ := newStore(t)
	k, now := FileKey{Dev: 1<<63 + 5, Ino: 7, Birth: 9}, time.Unix(1000, 0)
	if _, ok, err := s.Fact(k); ok || err != nil {
		t.Fatalf("an empty ledger has a checkpoint: %v %v", ok, err)
	}
	for _, f := range []Fact{{100, []byte("a")}, {300, []byte("c")}, {200, []byte("b")}} {
		if err := s.PutFact(k, f, now); err != nil {
			t.Fatal(err)
		}
	}
	if f, ok, err := s.Fact(k); !ok || err != nil || f.Offset != 300 || string(f.Data) != "c" {
		t.Errorf("got %v %v %v, want offset 300", f, ok, err)
	}
	if err := s.DropFact(k); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.Fact(k); ok {
		t.Error("a dropped checkpoint is still there")
	}
}

// TestStops: an intent stays, its proof is added, and it is per run (K7, L3).
func TestStops(t *testing.T) {
	s, dir := newStore(t)
	at := time.UnixMilli(123456)
	for _, i := range []StopIntent{{Task: "claude:b1", Run: 1, At: at, PID: 4}, {Task: "claude:b1", Run: 1, At: at.Add(time.Hour), PID: 5, Proven: true}} {
		if err := s.PutStop(i); err != nil {
			t.Fatal(err)
		}
	}
	other, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	got, err := other.Stops(at)
	if err != nil {
		t.Fatal(err)
	}
	i, ok := got[RunKey{"claude:b1", 1}]
	if !ok || !i.At.Equal(at) || !i.Proven || i.PID != 4 {
		t.Errorf("got %+v", got)
	}
	if _, ok := got[RunKey{"claude:b1", 2}]; ok {
		t.Error("the next run of a task is taken as stopped")
	}
	if later, _ := other.Stops(at.Add(time.Second)); len(later) != 0 {
		t.Errorf("old stops are listed: %v", later)
	}
}

// TestPrune: what is older than the retention goes, the rest stays (R6).
func TestPrune(t *testing.T) {
	s, _ := newStore(t)
	now := time.Unix(1_000_000, 0)
	old := now.Add(-8 * 24 * time.Hour)
	_ = s.PutSeen(RunKey{"a", 1}, old)
	_ = s.PutSeen(RunKey{"b", 1}, now)
	_ = s.PutStop(StopIntent{Task: "a", Run: 1, At: old})
	if err := s.Prune(now, 7*24*time.Hour); err != nil {
		t.Fatal(err)
	}
	seen, _ := s.Seen(time.Unix(0, 0))
	if len(seen) != 1 || !seen[RunKey{"b", 1}] {
		t.Errorf("seen after pruning: %v", seen)
	}
	if stops, _ := s.Stops(time.Unix(0, 0)); len(stops) != 0 {
		t.Errorf("stops after pruning: %v", stops)
	}
}

// TestDamaged: a file that is no database is put aside, not lost (R11).
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	junk := strings.Repeat("this is no database ", 400)
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte(junk), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if s.Note() == "" {
		t.Error("nothing is said of the damaged ledger")
	}
	aside, _ := filepath.Glob(filepath.Join(dir, fileName+".broken-*"))
	if len(aside) != 1 {
		t.Fatalf("put aside: %v", aside)
	}
	if b, _ := os.ReadFile(aside[0]); string(b) != junk {
		t.Error("the damaged file was changed")
	}
}

// TestNewer: a ledger of a newer program is refused and left as it is.
func TestNewer(t *testing.T) {
	s, dir := newStore(t)
	if _, err := s.db.Exec(fmt.Sprintf("PRAGMA user_version=%d", len(steps)+1)); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	if _, err := Open(dir); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v, want ErrNewer", err)
	}
}

// TestManyProcesses: processes that open and write at once lose nothing (R8).
func TestManyProcesses(t *testing.T) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		child(t, dir)
		return
	}
	dir := filepath.Join(t.TempDir(), "state")
	var procs []*exec.Cmd
	for n := range 4 {
		c := exec.Command(os.Args[0], "-test.run=^TestManyProcesses$")
		c.Env = append(os.Environ(), "STORE_TEST_DIR="+dir, fmt.Sprintf("STORE_TEST_N=%d", n))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		procs = append(procs, c)
	}
	for _, c := range procs {
		if err := c.Wait(); err != nil {
			t.Errorf("a writer failed: %v", err)
		}
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if got, _ := s.Seen(time.Unix(0, 0)); len(got) != 4*50 {
		t.Errorf("%d of %d writes are there", len(got), 4*50)
	}
}

func child(t *testing.T, dir string) {
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for i := range 50 {
		if err := s.PutSeen(RunKey{os.Getenv("STORE_TEST_N"), i}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
}
