package store

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestPlaces: a place is kept over a restart of the program, by run; the oldest
// go, a large one is refused, a reader writes none (B14).
func TestPlaces(t *testing.T) {
	s, dir := newStore(t)
	now := time.Unix(1_000_000, 0)
	k := RunKey{"claude:a", 2}
	if b, err := s.Place(k); b != nil || err != nil {
		t.Fatalf("an empty ledger has a place: %q, %v", b, err)
	}
	for _, data := range []string{"first", "second"} {
		if err := s.PutPlace(k, []byte(data), now); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutPlace(k, make([]byte, MaxPlace+1), now); err == nil {
		t.Error("a place of any size is kept")
	}
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if b, err := r.Place(k); string(b) != "second" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, _ := r.Place(RunKey{"claude:a", 1}); b != nil {
		t.Errorf("another run has it: %q", b)
	}
	if err := r.PutPlace(k, []byte("x"), now); !errors.Is(err, ErrReader) {
		t.Errorf("a reader wrote: %v", err)
	}
	for i := range mostPlaces {
		if err := s.PutPlace(RunKey{fmt.Sprint(i), 1}, []byte("x"), now.Add(time.Duration(i+1)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := s.Place(k); b != nil {
		t.Error("the oldest place was kept")
	}
	if b, _ := s.Place(RunKey{"0", 1}); b == nil {
		t.Error("a place within the bound is gone")
	}
	if err := s.PutPlace(RunKey{"0", 1}, nil, now); err != nil {
		t.Fatal(err)
	}
	if b, _ := s.Place(RunKey{"0", 1}); b != nil {
		t.Error("a forgotten place is there")
	}
}
