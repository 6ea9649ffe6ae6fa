package task

import (
	"strconv"
	"strings"

	"offstage/testparse"
)

// TestChip is what the counts of a log say in a few cells (spec 1 F1); the
// zero Chip where there is no test run.
func TestChip(t *Tests) Chip {
	if t == nil || len(t.Runs) == 0 {
		return Chip{}
	}
	passed := strconv.Itoa(t.Passed)
	if t.PassedUnknown {
		passed = "?"
	}
	c := Chip{Text: "✓ " + passed, Tone: Good}
	if t.Red {
		c.Tone = Bad
	}
	switch {
	case t.Failed > 0:
		c.Text += " ✘ " + strconv.Itoa(t.Failed)
	case t.SuitesFailed == 1:
		c.Text += " ✘ 1 suite"
	case t.SuitesFailed > 1:
		c.Text += " ✘ " + strconv.Itoa(t.SuitesFailed) + " suites"
	case t.Red:
		c.Text += " ✘"
	}
	c.Title = testTitle(t)
	return c
}

func testTitle(t *Tests) string {
	parts := []string{runners(t.Runs)}
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+word)
		}
	}
	switch {
	case !t.PassedUnknown:
		parts = append(parts, strconv.Itoa(t.Passed)+" passed")
	case t.Settled: // go test without -v
		parts = append(parts, "passed tests are not printed")
	default:
		parts = append(parts, "passed tests are not printed until the summary")
	}
	add(t.Failed, "failed")
	if t.SuitesFailed == 1 {
		add(1, "suite failed")
	} else {
		add(t.SuitesFailed, "suites failed")
	}
	add(t.Skipped, "skipped")
	add(t.Todo, "todo")
	add(t.Flaky, "flaky")
	if !t.Complete {
		parts = append(parts, "still counting")
	}
	return strings.Join(parts, ", ")
}

func runners(runs []testparse.Run) string {
	var names []string
	for _, r := range runs {
		seen := false
		for _, n := range names {
			seen = seen || n == r.Runner
		}
		if !seen {
			names = append(names, r.Runner)
		}
	}
	return strings.Join(names, " + ")
}
