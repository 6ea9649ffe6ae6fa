//go:build linux

package bench

import (
	"fmt"
	"testing"
	"time"
)

// idleFor is how long a quiet program is watched; settled how long it is given
// to finish its first look, its counts and the cooling of its clocks.
const (
	idleFor = 20 * time.Second
	settled = 8 * time.Second
)

// Twenty quiet tasks in a folder of logs, each held by a process. Budget: ≤ 0.3 %
// of a core above an empty Bubble Tea program at the same frame rate in the same
// run; no byte to the terminal but the clock.
func BenchmarkIdleFiles(b *testing.B) {
	s := newStage(b)
	for i := range 20 {
		path := s.path("logs", fmt.Sprintf("task%d.log", i))
		s.sleeper(path)
		s.write(path, "ready\n")
	}
	idle(b, s, "20 background tasks running", "--files", s.path("logs"))
}

// The same for five live sessions of Claude Code with four quiet shells each.
func BenchmarkIdleClaude(b *testing.B) {
	s := newStage(b)
	for i := range 5 {
		s.session(fmt.Sprintf("live%d", i), 1<<20, 4)
	}
	idle(b, s, "20 background tasks running", "-A")
}

func idle(b *testing.B, s *stage, words string, args ...string) {
	for b.Loop() {
		ours, peer := s.offstage(args...), s.peer()
		ours.shows(words)
		peer.shows("an empty program")
		time.Sleep(settled)
		cpu, base, wrote := ours.cpu(), peer.cpu(), ours.bytes.Load()
		time.Sleep(idleFor)
		mine, theirs := ours.cpu()-cpu, peer.cpu()-base
		percent := 100 / idleFor.Seconds()
		b.ReportMetric(percent*mine.Seconds(), "%core")
		b.ReportMetric(percent*theirs.Seconds(), "%core-peer")
		b.ReportMetric(percent*(mine-theirs).Seconds(), "%core-above")
		b.ReportMetric(float64(ours.bytes.Load()-wrote)/idleFor.Seconds(), "B/s-terminal")
		ours.end()
		peer.end()
	}
	b.ReportMetric(0, "ns/op")
	load(b)
}
