package task

import (
	"testing"

	"offstage/testparse"
)

// TestTestTitle is what hover and focus say of a run (F1): its runner, and passed,
// failed, skipped, todo and flaky; of a reporter that hides passing tests, that.
func TestTestTitle(t *testing.T) {
	run := []testparse.Run{{Runner: "vitest"}}
	two := []testparse.Run{{Runner: "vitest", Package: "a"}, {Runner: "vitest", Package: "b"}, {Runner: "jest"}}
	for _, c := range []struct {
		tests Tests
		text  string
		tone  Tone
		title string
	}{
		{Tests{Totals: testparse.Totals{Passed: 38, Settled: true}, Complete: true, Runs: run}, "✓ 38", Good, "vitest, 38 passed"},
		{Tests{Totals: testparse.Totals{Passed: 412, Failed: 2, Skipped: 3, Todo: 1, Flaky: 4, Red: true}, Complete: true, Runs: two},
			"✓ 412 ✘ 2", Bad, "vitest + jest, 412 passed, 2 failed, 3 skipped, 1 todo, 4 flaky"},
		{Tests{Totals: testparse.Totals{Passed: 412, SuitesFailed: 1, Red: true, Settled: true}, Complete: true, Runs: run},
			"✓ 412 ✘ 1 suite", Bad, "vitest, 412 passed, 1 suite failed"},
		{Tests{Totals: testparse.Totals{SuitesFailed: 2, Red: true, Settled: true}, Complete: true, Runs: run},
			"✓ 0 ✘ 2 suites", Bad, "vitest, 0 passed, 2 suites failed"},
		{Tests{Totals: testparse.Totals{Failed: 1, Red: true, PassedUnknown: true}, Complete: true, Runs: run},
			"✓ ? ✘ 1", Bad, "vitest, passed tests are not printed until the summary, 1 failed"},
		{Tests{Totals: testparse.Totals{PassedUnknown: true, Settled: true}, Complete: true, Runs: []testparse.Run{{Runner: "go"}}},
			"✓ ?", Good, "go, passed tests are not printed"},
		{Tests{Totals: testparse.Totals{Passed: 7}, Runs: run}, "✓ 7", Good, "vitest, 7 passed, still counting"},
	} {
		if got := TestChip(&c.tests); got.Text != c.text || got.Tone != c.tone || got.Title != c.title {
			t.Errorf("%q in tone %d, %q; want %q in %d, %q", got.Text, got.Tone, got.Title, c.text, c.tone, c.title)
		}
	}
}
