package store

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkList: 1,000 records out of an open ledger; the best of all rounds is
// what the machine can do when nobody else wants it.
func BenchmarkList(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Update(false, func(tx *Tx) error {
		for i := range 1000 {
			if err := tx.PutRecord(some(fmt.Sprint("own:t-", i))); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		list, err := s.Ended(time.Unix(1, 0), 2000)
		if err != nil || len(list) != 1000 {
			b.Fatal(len(list), err)
		}
		best = min(best, time.Since(began))
	}
	b.ReportMetric(float64(best.Microseconds()), "best-µs")
}

// BenchmarkOpen: an existing ledger, as every start of the program opens it.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	_ = s.Close()
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		s, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(began))
		_ = s.Close()
	}
	b.ReportMetric(float64(best.Microseconds()), "best-µs")
}
