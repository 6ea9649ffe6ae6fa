//go:build linux

package bench

import (
	"fmt"
	"testing"
	"time"
)

// Twenty running tasks with logs of 1 GB (64 MB of lines behind a hole), one of
// them open, until all are counted. Budget: ≤ 60 MB of memory.
func BenchmarkMemory(b *testing.B) {
	needsDisk(b)
	s := newStage(b)
	for i := range 20 {
		path := s.path("logs", fmt.Sprintf("task%d.log", i))
		s.log(path, 1e9, 64<<20)
		s.sleeper(path)
	}
	for b.Loop() {
		p := s.offstage("--files", s.path("logs"), "--task", "files:task7.log")
		p.shows("running", "INFO")
		var most int64
		last := time.Duration(-1)
		for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(time.Second) {
			now, _ := p.rss()
			most = max(most, now)
			cpu := p.cpu()
			if cpu-last < 20*time.Millisecond { // counted, and quiet
				break
			}
			last = cpu
		}
		now, peak := p.rss()
		b.ReportMetric(float64(now)/1e6, "MB-quiet")
		b.ReportMetric(float64(most)/1e6, "MB-counting")
		b.ReportMetric(float64(peak)/1e6, "MB-peak")
		p.end()
	}
	b.ReportMetric(0, "ns/op")
	load(b)
}
