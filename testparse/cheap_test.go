package testparse

import (
	"bytes"
	"testing"
)

// TestNoAllocations: a line that says nothing costs no allocation, before a run,
// within one and after one, plain or coloured, with a prefix or without.
func TestNoAllocations(t *testing.T) {
	nothing := bytes.SplitAfter([]byte("2026-11-30T20:00:00.000Z INFO request served path=/api/items/7 id=8f\n"+
		"\x1b[32mINFO\x1b[0m request served \x1b[2mpath=/api\x1b[0m\n"+
		"GET /api/items 200 12ms\r\n"+
		"    at listOnTimeout (node:internal/timers:581:17)\n"+
		"web:test: INFO request served\n"+
		"\x1b[34mweb:test: \x1b[0mINFO request served\n"+
		"      \"version\": \"1.2.3\",\n"+
		"2 files changed, 3 insertions(+)\n"+
		"\n"+
		"- an item of a list\n"+
		"warning: unused variable: `x`\n"+
		"Progress 10%\rProgress 20%\rProgress 30%\n"), []byte{'\n'})
	for _, r := range recordings(t) {
		if r.truth.ChipOptional {
			continue
		}
		s := New(Options{})
		var end int64
		feedLines(r.log, func(raw []byte, n int64) { s.Feed(raw, n); end = n })
		for _, line := range nothing {
			before := s.Rev()
			if n := testing.AllocsPerRun(20, func() { end++; s.Feed(line, end) }); n > 0 && s.Rev() == before {
				t.Errorf("%s: %v allocations for %q", r.name, n, line)
			}
			if n := testing.AllocsPerRun(20, func() { Wanted(line) }); n > 0 {
				t.Errorf("%v allocations for Wanted(%q)", n, line)
			}
		}
	}
}

// TestFewAllocations: within a long run a passing test costs none, either.
func TestFewAllocations(t *testing.T) {
	for _, colour := range []bool{false, true} {
		rows := lines(verboseLog(200_000, colour))
		s := New(Options{})
		i := 0
		if n := testing.AllocsPerRun(len(rows)-2, func() { s.Feed(rows[i], int64(i+1)); i++ }); n > 0 {
			t.Errorf("colour %v: %v allocations a row", colour, n)
		}
	}
}
