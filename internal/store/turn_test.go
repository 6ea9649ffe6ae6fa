package store

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"offstage/internal/fsys"
)

// TestTurnOfAStoppedProgram: a program that stopped while it was its turn holds up
// nobody for long, and whoever cannot take turns writes all the same.
func TestTurnOfAStoppedProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody takes turns")
	}
	s, dir := newStore(t)
	stopped, err := fsys.OpenTurn(filepath.Join(dir, fileName+".turn"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stopped.Close() }()
	if !stopped.Take(time.Second) {
		t.Fatal("no turn")
	}
	began := time.Now()
	for i := range 2 {
		if err := write(s, some("own:a")); err != nil {
			t.Fatal(i, err)
		}
	}
	if took := time.Since(began); took < maxTurn || took > 20*maxTurn {
		t.Errorf("two writes took %v", took)
	}
	stopped.Give()
	if err := write(s, some("own:b")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Record("own:b"); !ok || err != nil {
		t.Error(ok, err)
	}
}
