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

// benchSize is small enough for a pass between two turns of the scheduler.
const benchSize = 1 << 20

// inBlocks feeds a log as the lane does.
func inBlocks(s *Scanner, log []byte) {
	for n := int64(1); len(log) > 0; {
		end := bytes.LastIndexByte(log[:min(len(log), 256<<10)], '\n') + 1
		s.Lines(log[:end], n)
		n += int64(bytes.Count(log[:end], []byte{'\n'}))
		log = log[end:]
	}
}

func lines(log []byte) [][]byte { return bytes.SplitAfter(log, []byte{'\n'}) }

// BenchmarkWanted: logs without tests, 1 GB/s wanted of Lines.
func BenchmarkWanted(b *testing.B) {
	for name, log := range map[string][]byte{"plain": serverLog(benchSize, false), "colour": serverLog(benchSize, true)} {
		all := lines(log)
		b.Run("lines-"+name, func(b *testing.B) {
			s := New(Options{})
			measure(b, log, func() { inBlocks(s, log) })
			if len(s.Runs()) > 0 {
				b.Fatal("a run in a log without one")
			}
		})
		b.Run(name, func(b *testing.B) {
			measure(b, log, func() {
				n := 0
				for _, l := range all {
					if Wanted(l) {
						n++
					}
				}
				if n > len(all)/10 {
					b.Fatalf("%d of %d lines wanted", n, len(all))
				}
			})
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

// BenchmarkLongRun: inside one run; 300 MB/s wanted.
func BenchmarkLongRun(b *testing.B) {
	for name, log := range map[string][]byte{"plain": verboseLog(benchSize, false), "colour": verboseLog(benchSize, true)} {
		all := lines(log)
		b.Run(name, func(b *testing.B) {
			measure(b, log, func() {
				s := New(Options{})
				inBlocks(s, log)
				if t, _ := s.Total(); t.Passed != len(all)-3 {
					b.Fatalf("%d of %d counted", t.Passed, len(all)-3)
				}
			})
		})
	}
}

// BenchmarkInsideRun: inside of long runs, colours and all; 300 MB/s wanted. Each
// log is a recording whose lines from first to last (1-based), with what tests print
// between them, are repeated up to 1 MB, as if the run had that many more tests.
func BenchmarkInsideRun(b *testing.B) {
	for _, r := range []struct {
		name        string
		first, last int
	}{
		{"vitest4-big-verbose-color", 4, 424},
		{"jest30-verbose-redirect", 244, 294},
		{"pytest7-green-big-v-color", 7, 317},
		{"playwright165-projects-list-redirect", 4, 178},
		{"node22-big-tap-redirect", 2, 274},
		{"gotest-v", 58, 195},
		{"turbo2-continue-color", 37, 55},
		{"gotest-json", 2, 390},
	} {
		log := lengthen(b, r.name, r.first, r.last)
		rows := bytes.Count(log, []byte{'\n'})
		b.Run(r.name, func(b *testing.B) {
			measure(b, log, func() {
				s := New(Options{})
				inBlocks(s, log)
				if t, _ := s.Total(); t.Passed < rows/8 {
					b.Fatalf("%d passed in %d lines", t.Passed, rows)
				}
			})
		})
	}
}

// lengthen repeats lines first to last of a recording. Results of TAP at column 0
// get the numbers that follow: one that is out of sequence would not count.
func lengthen(b *testing.B, name string, first, last int) []byte {
	for _, r := range recordings(b) {
		if r.name != name {
			continue
		}
		all := lines(r.log)
		var out bytes.Buffer
		n := 0
		write := func(rows [][]byte) {
			for _, row := range rows {
				if _, rest, ok := bytes.Cut(row, []byte(" - ")); ok && bytes.HasPrefix(row, []byte("ok ")) {
					n++
					row = fmt.Appendf(nil, "ok %d - %s", n, rest)
				}
				out.Write(row)
			}
		}
		for write(all[:first-1]); out.Len() < benchSize; {
			write(all[first-1 : last])
		}
		return out.Bytes()
	}
	b.Fatal("no recording ", name)
	return nil
}
