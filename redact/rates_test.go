package redact

import (
	"os"
	"testing"
	"time"
)

// raceOn is set where the race detector is on.
var raceOn bool

// floors are what TestRates asks for in MB/s. The first column is a third of what
// was promised (500, 400, 150 and 100), for a machine with nothing else to do;
// the second holds on any, however busy: only a change of kind falls under it,
// such as a rule that reads a line again for each of its words.
var floors = map[string][2]float64{"clean": {167, 60}, "mixed": {133, 50}, "dense": {50, 20}, "worst": {25, 4}}

// TestRates holds the filter to the floors. Each figure is the best of many short
// runs, so that what else the machine does counts little.
func TestRates(t *testing.T) {
	if raceOn {
		t.Skip("the race detector is on: it makes all of this ten times slower")
	}
	column := 1
	if os.Getenv("OFFSTAGE_RATES") != "" {
		column = 0
	}
	check := func(kind, name string, in []byte) {
		floor := floors[kind][column]
		if best := bestRate(in, floor, 200); best < floor {
			t.Errorf("%s: %.0f MB/s, floor %.0f", name, best, floor)
		}
	}
	const part = 64 << 10
	check("clean", "clean", cleanLog()[:part])
	check("mixed", "one secret in 200 lines", mixedLog()[:part])
	check("dense", "every line a secret", denseLog()[:part])
	for name, piece := range worst {
		check("worst", name, repeated(piece, 0)[:part])
		check("worst", name+" in lines", repeated(piece, 100)[:part])
	}
}

// bestRate gives MB/s, the best of so many runs in at most two seconds; it stops
// at enough.
func bestRate(in []byte, enough float64, runs int) (best float64) {
	r := New(Options{})
	end := time.Now().Add(2 * time.Second)
	for n := 0; n < runs && best < enough && time.Now().Before(end); n++ {
		start := time.Now()
		for at := 0; at < len(in); at += 32 << 10 {
			r.Write(in[at:min(len(in), at+32<<10)])
		}
		r.Flush()
		best = max(best, float64(len(in))/1e6/time.Since(start).Seconds())
	}
	return best
}

// TestGrowth: twice the text takes about twice the time, whatever is in it: no
// rule reads a long line again and again (F15). Figures of one run are compared.
func TestGrowth(t *testing.T) {
	if raceOn {
		t.Skip("the race detector is on: it makes all of this ten times slower")
	}
	for name, piece := range worst {
		long := repeated(piece, 0)
		for n := 0; ; n++ {
			few, many := bestRate(long[:4<<10], 1e9, 40), bestRate(long[:56<<10], 1e9, 20)
			if many*5 > few {
				break
			}
			if n == 2 {
				t.Errorf("%s: %.0f MB/s in a line of 4 kB, %.0f in one of 56 kB", name, few, many)
				break
			}
		}
	}
}
