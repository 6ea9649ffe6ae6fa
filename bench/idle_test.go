//go:build linux

package bench

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A quiet program is watched for so many turns; settled is how long it is given to
// finish its first look, its counts and the cooling of its clocks.
const (
	idleTurns = 15
	idleTurn  = 2 * time.Second
	settled   = 13 * time.Second
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

// idle runs the two side by side, so that what else the machine does meets both
// alike, and takes the median of short turns.
func idle(b *testing.B, s *stage, words string, args ...string) {
	for b.Loop() {
		ours, peer := s.offstage(args...), s.peer()
		ours.shows(words)
		peer.shows("an empty program")
		time.Sleep(settled)
		var mine, theirs, above []float64
		wrote := ours.bytes.Load()
		for range idleTurns {
			cpu, base := ours.cpu(), peer.cpu()
			time.Sleep(idleTurn)
			percent := 100 / idleTurn.Seconds()
			m, t := percent*(ours.cpu()-cpu).Seconds(), percent*(peer.cpu()-base).Seconds()
			mine, theirs, above = append(mine, m), append(theirs, t), append(above, m-t)
		}
		b.ReportMetric(median(mine), "%core")
		b.ReportMetric(median(theirs), "%core-peer")
		b.ReportMetric(median(above), "%core-above")
		b.ReportMetric(float64(ours.bytes.Load()-wrote)/(idleTurns*idleTurn.Seconds()), "B/s-terminal")
		ours.end()
		peer.end()
	}
	b.ReportMetric(0, "ns/op")
	load(b)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
