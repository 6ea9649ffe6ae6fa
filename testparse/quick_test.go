package testparse

import (
	"bytes"
	"strings"
	"testing"
)

// shortAndLong reads a log with and without the short ways and gives both states.
func shortAndLong(t *testing.T, log []byte) (short, long []byte) {
	t.Helper()
	var states [2][]byte
	for i := range states {
		s := New(Options{})
		s.long = i == 1
		inBlocks(s, log)
		var err error
		if states[i], err = s.Save(); err != nil {
			t.Fatal(err)
		}
	}
	return states[0], states[1]
}

// TestShortWays: the short way of a row changes what the long one would change, to the
// bit of the saved state: in all recordings, dated, prefixed, with their rows in
// other orders, and cut off behind.
func TestShortWays(t *testing.T) {
	taken := 0
	for i, r := range recordings(t) {
		if cut := bytes.LastIndexByte(r.log, '\n'); cut < 0 {
			continue
		}
		rows := lines(r.log[:bytes.LastIndexByte(r.log, '\n')+1])
		var dated, prefixed, mixed bytes.Buffer
		prefixed.WriteString("web:test: cache miss, executing 0123456789abcdef\n")
		for k, row := range rows[:len(rows)-1] {
			dated.WriteString("2026-11-30T20:00:00.000Z " + string(row))
			prefixed.WriteString("web:test: " + string(row))
			mixed.Write(row)
			mixed.Write(rows[(k*k+i)%(len(rows)-1)])
			if k%7 == 0 {
				mixed.WriteString(strings.TrimLeft(string(row), " "))
			}
		}
		for kind, log := range map[string][]byte{
			"as it is": bytes.Join(rows, nil), "dated": dated.Bytes(), "prefixed": prefixed.Bytes(), "mixed": mixed.Bytes(),
		} {
			short, long := shortAndLong(t, log)
			if !bytes.Equal(short, long) {
				t.Errorf("%s, %s:\nshort %s\nlong  %s", r.name, kind, short, long)
			}
			taken += len(log)
		}
	}
	if taken < 1<<20 {
		t.Errorf("%d bytes read", taken)
	}
}

// TestShortWaysAreTaken: in the runs that they are for, the short ways take most rows.
func TestShortWaysAreTaken(t *testing.T) {
	for _, r := range recordings(t) {
		owner := map[string]int{"vitest4-big-verbose-color": idVitest, "jest30-verbose-redirect": idJest, "node22-big-tap-redirect": idTap, "gotest-v": idGo}
		id, ok := owner[r.name]
		if !ok {
			continue
		}
		s := New(Options{})
		short := 0
		feedLines(r.log, func(raw []byte, n int64) {
			text := trimRight(string(Strip(nil, raw)))
			if s.main.Owner == id+1 && s.main.quick(text, n) {
				short++
			} else {
				s.Feed(raw, n)
			}
		})
		if want := bytes.Count(r.log, []byte{'\n'}) / 5; short < want {
			t.Errorf("%s: %d rows went the short way, want %d at least", r.name, short, want)
		}
	}
}
