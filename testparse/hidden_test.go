package testparse

import (
	"slices"
	"testing"
)

// TestHiddenUntilTheSummary: reporters that print no passing test (vitest and bun where
// an agent runs them, jest, playwright's line reporter) are known as such until the
// summary, and the counts are the summary's from then on (F1).
func TestHiddenUntilTheSummary(t *testing.T) {
	want := []string{"vitest4-agent-env", "bun-agent-green", "hostile-bun1-agent", "jest30-default-redirect", "playwright165-line-redirect", "minitest-default"}
	seen := 0
	for _, r := range recordings(t) {
		if !slices.Contains(want, r.name) {
			continue
		}
		seen++
		s := New(Options{})
		hidden := 0
		feedLines(r.log, func(raw []byte, n int64) {
			s.Feed(raw, n)
			c, ok := s.Total()
			switch {
			case !ok:
			case c.Settled == c.PassedUnknown:
				t.Errorf("%s: line %d: settled %v, passed unknown %v", r.name, n, c.Settled, c.PassedUnknown)
			case c.PassedUnknown:
				hidden++
			}
		})
		if c, _ := s.Total(); !c.Settled || hidden == 0 || !r.truth.fits(c) {
			t.Errorf("%s: %+v in the end, %d rows hidden", r.name, c, hidden)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d recordings seen", seen, len(want))
	}
}
