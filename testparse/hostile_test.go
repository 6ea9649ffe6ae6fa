package testparse

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// hostile are the recordings whose tests are called, print and throw what runners
// print: "5 passed (1.2s)", "--- FAIL: TestGhost (0.00s)", "● Console", "}".
func hostile(t *testing.T) []recording {
	t.Helper()
	var all []recording
	for _, r := range recordings(t) {
		if len(r.truth.FailedNames) > 0 {
			all = append(all, r)
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d hostile recordings", len(all))
	}
	return all
}

// TestHostileNames: the failed tests are those that the runner's own report names,
// each once, whatever they are called. Counts are held by TestRecordings (F2).
func TestHostileNames(t *testing.T) {
	for _, r := range hostile(t) {
		runs, _, _, err := Parse(bytes.NewReader(r.log), Options{})
		if err != nil || len(runs) != 1 {
			t.Errorf("%s: %d runs, error %v", r.name, len(runs), err)
			continue
		}
		left := append([]string(nil), r.truth.FailedNames...)
		for _, f := range runs[0].Failures {
			i := indexName(left, f.Name)
			if i < 0 {
				t.Errorf("%s: line %d names %q, which is none of %q", r.name, f.Line, f.Name, left)
				continue
			}
			left = append(left[:i], left[i+1:]...)
		}
		if len(left) > 0 {
			t.Errorf("%s: not named: %q", r.name, left)
		}
	}
}

// indexName finds the name that a log's name holds, or that holds it: logs put suites
// before it and modules behind it, pytest's titles lack the file.
func indexName(names []string, of string) int {
	of = strings.ReplaceAll(of, "TestCart.", "TestCart::")
	for i, name := range names {
		if name = strings.TrimSpace(name); strings.HasSuffix(of, name) || strings.HasSuffix(name, of) {
			return i
		}
	}
	return slices.IndexFunc(names, func(name string) bool { return strings.Contains(of, strings.TrimSpace(name)) })
}

// above says that a count exceeds the truth, where that is known, by more than slack.
func above(n int, truth *int, slack int) bool { return truth != nil && n > *truth+slack }

// TestHostileHalves: cut after any line, a log shows one run, not settled and with
// no more tests of any kind than it has in the end.
func TestHostileHalves(t *testing.T) {
	for _, r := range hostile(t) {
		s := New(Options{})
		var at int64 // where it settled
		more := 0
		if strings.HasSuffix(r.name, "-tap") {
			more = 1 // that a result was a suite's stands some rows beneath it
		}
		feedLines(r.log, func(raw []byte, n int64) {
			s.Feed(raw, n)
			c, ok := s.Total()
			if !ok {
				return
			}
			if len(s.Runs()) > 1 {
				t.Fatalf("%s: line %d begins another run: %+v", r.name, n, s.Runs())
			}
			if above(c.Passed, r.truth.Passed, more) || above(c.Failed, r.truth.Failed, more) || above(c.Skipped, r.truth.Skipped, 0) {
				t.Fatalf("%s: at line %d %+v, more than in the end", r.name, n, c)
			}
			if c.Settled && at == 0 {
				at = n
			}
			if !c.Settled && at > 0 && !openEnded[s.Runs()[0].Runner] {
				t.Fatalf("%s: settled at line %d, at %d no more", r.name, at, n)
			}
		})
		if at == 0 {
			t.Errorf("%s: not settled", r.name)
		}
	}
}
