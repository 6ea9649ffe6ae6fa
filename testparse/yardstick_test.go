package testparse

import (
	"bytes"
	"testing"
	"time"
)

// measure runs pass over size bytes for as long as the benchmark wants, and says, beside
// the mean, how fast the best pass was, and next to it two yardsticks over as many
// bytes in the same run: newlines counted by bytes.Count, and a byte at a time in a plain
// loop. A machine that others use may be at half its speed; the ratios are not.
func measure(b *testing.B, log []byte, pass func()) {
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	best, count, loop := time.Hour, time.Hour, time.Hour
	sum := uint32(0)
	for b.Loop() {
		best = min(best, took(pass))
	}
	b.StopTimer()
	for range 40 {
		count = min(count, took(func() { sum += uint32(bytes.Count(log, []byte{'\n'})) }))
		loop = min(loop, took(func() {
			for _, c := range log {
				sum = (sum ^ uint32(c)) * 16777619
			}
		}))
	}
	if sum == 1 {
		b.Log(sum) // so that the loops are not left out
	}
	speed := func(d time.Duration) float64 { return float64(len(log)) / d.Seconds() / 1e6 }
	b.ReportMetric(speed(best), "best-MB/s")
	b.ReportMetric(speed(count), "count-MB/s")
	b.ReportMetric(speed(loop), "loop-MB/s")
	b.ReportMetric(speed(best)/speed(loop), "best/loop")
}

func took(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
