package redact

import (
	"os"
	"testing"
	"time"
)

// TestRates holds the filter to a floor far under its targets (bench_test.go
// measures; docs say the figures), so that only a change of kind fails on a busy
// machine: something that reads a line again for each of its words.
func TestRates(t *testing.T) {
	if os.Getenv("OFFSTAGE_RATES") == "" {
		t.Skip("OFFSTAGE_RATES is not set: a timed test is for a job of its own, without the race detector")
	}
	check := func(name string, in []byte, floor float64) {
		r, best := New(Options{}), 0.0
		for n := 0; n < 5 && best < floor; n++ {
			start := time.Now()
			for at := 0; at < len(in); at += 32 << 10 {
				r.Write(in[at:min(len(in), at+32<<10)])
			}
			r.Flush()
			best = max(best, float64(len(in))/1e6/time.Since(start).Seconds())
		}
		if best < floor {
			t.Errorf("%s: %.0f MB/s, floor %.0f", name, best, floor)
		}
	}
	check("clean", cleanLog(), 50)
	check("mixed", mixedLog(), 40)
	check("dense", denseLog(), 15)
	for name, piece := range worst {
		check(name, repeated(piece, 0), 2)
		check(name+" in lines", repeated(piece, 100), 2)
	}
}
