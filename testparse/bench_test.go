package testparse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// serverLog is a log without a test, as a server writes it.
func serverLog(size int, colour bool) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	words := []string{"request served", "cache: miss for key", "user logged in", "slow query (312 ms)", "retrying upstream 10.0.0.5", "job finished."}
	for i := 0; b.Len() < size; i++ {
		level := []string{"INFO", "WARN", "DEBUG"}[r.IntN(3)]
		if colour {
			level = "\x1b[32m" + level + "\x1b[0m"
		}
		fmt.Fprintf(&b, "2026-11-30T20:%02d:%02d.%03dZ %s %s path=/api/items/%d id=%x\n", i%60, r.IntN(60), r.IntN(1000), level, words[r.IntN(len(words))], i, r.Uint64())
	}
	return b.Bytes()
}

func lines(log []byte) [][]byte { return bytes.SplitAfter(log, []byte{'\n'}) }

// BenchmarkWanted: logs without tests, 1 GB/s wanted.
func BenchmarkWanted(b *testing.B) {
	for name, log := range map[string][]byte{"plain": serverLog(4<<20, false), "colour": serverLog(4<<20, true)} {
		all := lines(log)
		b.Run("feed-"+name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			s := New(Options{})
			for b.Loop() {
				for i, l := range all {
					s.Feed(l, int64(i+1))
				}
			}
			if len(s.Runs()) > 0 {
				b.Fatal("a run in a log without one")
			}
		})
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, l := range all {
					if Wanted(l) {
						n++
					}
				}
				if n > len(all)/10 {
					b.Fatalf("%d of %d lines wanted", n, len(all))
				}
			}
		})
	}
}

// verboseLog is a long run of vitest's verbose reporter.
func verboseLog(size int, colour bool) []byte {
	green, dim, bold, off := "\x1b[32m", "\x1b[2m", "\x1b[22m", "\x1b[39m"
	if !colour {
		green, dim, bold, off = "", "", "", ""
	}
	var b bytes.Buffer
	b.WriteString(" RUN  v3.2.7 /srv/app\n\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, " %s✓%s src/mod%03d/mod.test.ts%s > %sSuite number %d%s > %sdoes the thing number %d as it should%s %d%sms%s%s\n",
			green, off, i%300, dim, bold, i%40, dim, bold, i, green, i%9, dim, bold, off)
	}
	return b.Bytes()
}

// BenchmarkLongRun: inside one run, by Feed; 300 MB/s wanted.
func BenchmarkLongRun(b *testing.B) {
	for name, log := range map[string][]byte{"plain": verboseLog(4<<20, false), "colour": verboseLog(4<<20, true)} {
		all := lines(log)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				s := New(Options{})
				for i, l := range all {
					s.Feed(l, int64(i+1))
				}
				if t, _ := s.Total(); t.Passed != len(all)-3 {
					b.Fatalf("%d of %d counted", t.Passed, len(all)-3)
				}
			}
		})
	}
}

// BenchmarkInsideRun: whole runs, colours and all: by Feed. They are short: much of it is the
// beginning and the end of a run.
func BenchmarkInsideRun(b *testing.B) {
	for _, name := range []string{"vitest4-big-verbose-color", "jest30-verbose-redirect", "pytest7-green-big-v-color", "playwright165-projects-list-redirect",
		"node22-big-tap-redirect", "gotest-v", "turbo2-continue-color", "gotest-json"} {
		for _, r := range recordings(b) {
			if r.name != name {
				continue
			}
			all := lines(r.log)
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(r.log)))
				b.ReportAllocs()
				for b.Loop() {
					s := New(Options{})
					for i, l := range all {
						s.Feed(l, int64(i+1))
					}
					if len(s.Runs()) == 0 {
						b.Fatal("no run")
					}
				}
			})
		}
	}
}
