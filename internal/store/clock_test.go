package store

import (
	"path/filepath"
	"testing"
	"time"
)

// A stop says whether a person or a clock did it (H1); a listing of a ledger that
// does not know that yet goes without.
func TestStopByClock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	at := time.Now()
	if err := s.PutStop(StopIntent{Task: "x:a", Run: 1, At: at, Clock: true}); err != nil {
		t.Fatal(err)
	}
	stops, err := s.Stops(at.Add(-time.Hour))
	if err != nil || !stops[RunKey{"x:a", 1}].Clock {
		t.Fatalf("%+v %v", stops, err)
	}
	s.version = stopClock - 1
	if stops, err = s.Stops(at.Add(-time.Hour)); err != nil || len(stops) != 1 || stops[RunKey{"x:a", 1}].Clock {
		t.Errorf("an older ledger: %+v %v", stops, err)
	}
}
