package testparse

// Run is one test run of one runner that a log holds. Counts are those of the
// lines seen so far, or of the runner's summary once it was printed (F2).
type Run struct {
	// Runner is one of the names in spec 5: vitest, jest, pytest, node:test …
	Runner string `json:"runner"`
	// Package is the turbo or pnpm package the run belongs to; "" elsewhere.
	Package      string `json:"package,omitempty"`
	Passed       int    `json:"passed"`
	Failed       int    `json:"failed"`
	Skipped      int    `json:"skipped"`
	Todo         int    `json:"todo"`
	Flaky        int    `json:"flaky"`
	SuitesFailed int    `json:"suites_failed"`
	// Red: the run is bad: a failed test, a suite that did not load, an unhandled
	// error (F1).
	Red bool `json:"red"`
	// Settled: the runner's final summary was seen.
	Settled bool `json:"settled"`
	// PassedUnknown: the reporter hides passing tests until the summary; a chip
	// shows "✓ ?" (F1).
	PassedUnknown bool     `json:"passed_unknown,omitempty"`
	First         *Failure `json:"first_failure,omitempty"`
	// Failures are the failed tests in order of their first line, at most 1,000.
	Failures []Failure `json:"-"`
	// Line is where the run starts, 1-based.
	Line int64 `json:"-"`
}

// Failure is one failed test, where the log first names it as failed, and where
// it tells of it. Lines are 1-based, of the file.
type Failure struct {
	Name string `json:"name"`
	Line int64  `json:"line"`
	// EndLine is the last line of what is told from Line on (message, diff, stack
	// as far as they follow there), 0 if not known.
	EndLine int64 `json:"-"`
	// Detail to DetailEnd is where the report of it stands when that is apart from
	// Line, before it or after it: vitest's " FAIL " section, pytest's FAILURES
	// behind -v, what `go test -v` prints before "--- FAIL". 0: nowhere else.
	Detail    int64 `json:"-"`
	DetailEnd int64 `json:"-"`
}

// Totals add up the runs of a log that stand: a rerun replaces its predecessor,
// packages of one turbo run add up (F3).
type Totals struct {
	Passed        int  `json:"passed"`
	Failed        int  `json:"failed"`
	Skipped       int  `json:"skipped"`
	Todo          int  `json:"todo"`
	Flaky         int  `json:"flaky"`
	SuitesFailed  int  `json:"suites_failed"`
	Red           bool `json:"red"`
	Settled       bool `json:"settled"`
	PassedUnknown bool `json:"passed_unknown,omitempty"`
}
