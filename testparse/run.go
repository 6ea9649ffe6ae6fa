package testparse

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what one run and one scanner remember.
const (
	maxFailures = 1000 // failed tests kept of one run
	maxName     = 300  // bytes of a test's name
	maxRuns     = 256  // standing runs of one log
	maxStreams  = 256  // prefixes ("web:test: ") told apart in one log
)

// tally is what a run counts. A summary replaces it as a whole.
type tally struct {
	Passed  int `json:"p,omitempty"`
	Failed  int `json:"f,omitempty"`
	Skipped int `json:"s,omitempty"`
	Todo    int `json:"t,omitempty"`
	Flaky   int `json:"k,omitempty"`
}

func (t *tally) add(o tally) {
	t.Passed += o.Passed
	t.Failed += o.Failed
	t.Skipped += o.Skipped
	t.Todo += o.Todo
	t.Flaky += o.Flaky
}

func (t tally) total() int { return t.Passed + t.Failed + t.Skipped + t.Todo + t.Flaky }

// failure is a Failure as it is saved.
type failure struct {
	Name      string `json:"n"`
	Line      int64  `json:"l"`
	EndLine   int64  `json:"e,omitempty"`
	Detail    int64  `json:"d,omitempty"`
	DetailEnd int64  `json:"de,omitempty"`
}

// visible is all of a run that a caller can see change.
type visible struct {
	tally
	Suites int `json:"suites,omitempty"`
	// Broken: red for another reason than a test or a suite: an unhandled error,
	// a coverage threshold, a build that failed.
	Broken  bool `json:"broken,omitempty"`
	Settled bool `json:"settled,omitempty"`
	// Hides: passing tests are not shown before the summary; Never: not even then.
	Hides bool `json:"hides,omitempty"`
	Never bool `json:"never,omitempty"`

	edits int // counts changes of failures and of the run's name
}

// runState is a run while it is read: counted from its lines until its summary
// sets the counts and settles it.
type runState struct {
	ID      int64  `json:"id"`
	Runner  string `json:"runner"`
	Package string `json:"package,omitempty"`
	// Where tells runs of one runner apart (its folder); the package as the log
	// names it where Package stays unsaid.
	Where string `json:"where,omitempty"`
	Line  int64  `json:"line"`
	visible
	Fails      []failure `json:"fails,omitempty"`
	SuiteFails []failure `json:"suite_fails,omitempty"`
	Report     *report   `json:"report,omitempty"`
	// Reports counts the look-ups of untold, Next is where the next one begins.
	Reports int `json:"reports,omitempty"`
	Next    int `json:"next_report,omitempty"`

	names map[string]int // name -> index in Fails, built when first asked for
}

// fail notes a failed test by its first line; the counts are the caller's.
func (r *runState) fail(name string, n int64) {
	if len(r.Fails) >= maxFailures {
		return
	}
	name = clip(name)
	if r.names != nil {
		if _, ok := r.names[name]; !ok {
			r.names[name] = len(r.Fails)
		}
	}
	r.Fails = append(r.Fails, failure{Name: name, Line: n})
	r.edits++
}

// failOnce is fail for a name that is not noted yet; it says whether it was new.
func (r *runState) failOnce(name string, n int64) bool {
	if r.find(name) >= 0 {
		return false
	}
	r.fail(name, n)
	return true
}

// find gives the index of a noted failure, -1 if there is none of that name.
func (r *runState) find(name string) int {
	if r.names == nil {
		r.names = make(map[string]int, len(r.Fails))
		for i, f := range r.Fails {
			if _, ok := r.names[f.Name]; !ok {
				r.names[f.Name] = i
			}
		}
	}
	if i, ok := r.names[cut(name)]; ok {
		return i
	}
	return -1
}

// rename gives a noted failure its full name.
func (r *runState) rename(i int, name string) {
	name = clip(name)
	if _, taken := r.names[name]; taken || len(r.names) != len(r.Fails) {
		r.names = nil // some share a name: look them all up anew
	} else {
		delete(r.names, r.Fails[i].Name)
		r.names[name] = i
	}
	r.Fails[i].Name = name
	r.edits++
}

// drop forgets a noted failure: the test passed in a later attempt.
func (r *runState) drop(i int) {
	if i == len(r.Fails)-1 && len(r.names) == len(r.Fails) {
		delete(r.names, r.Fails[i].Name)
	} else {
		r.names = nil
	}
	r.Fails = append(r.Fails[:i], r.Fails[i+1:]...)
	r.Report.forget(i)
	r.edits++
}

// failSuite notes a suite that did not load; the count is the caller's.
func (r *runState) failSuite(name string, n int64) {
	if len(r.SuiteFails) < maxFailures {
		r.SuiteFails = append(r.SuiteFails, failure{Name: clip(name), Line: n})
		r.edits++
	}
}

// head is the run as the callers see it, without its failures.
func (r *runState) head() Run {
	return Run{
		Runner: r.Runner, Package: r.Package,
		Passed: r.Passed, Failed: r.Failed, Skipped: r.Skipped, Todo: r.Todo, Flaky: r.Flaky,
		SuitesFailed:  r.Suites,
		Red:           r.Failed > 0 || r.Suites > 0 || r.Broken,
		Settled:       r.Settled,
		PassedUnknown: r.Never || r.Hides && !r.Settled,
		Line:          r.Line,
	}
}

// export is the run as the callers see it.
func (r *runState) export() Run {
	out := r.head()
	if r.Failed > 0 {
		out.Failures = make([]Failure, len(r.Fails))
		for i, f := range r.Fails {
			out.Failures[i] = Failure(f)
		}
	}
	switch {
	case len(out.Failures) > 0:
		f := out.Failures[0]
		out.First = &f
	case len(r.SuiteFails) > 0 && r.Suites > 0:
		f := Failure(r.SuiteFails[0])
		out.First = &f
	}
	return out
}

// hasResult says that the run has shown more than its header.
func (r *runState) hasResult() bool { return r.total() > 0 || r.Suites > 0 || r.Settled }

// repeats says that a run replaces another: the same runner in the same place.
func (r *runState) repeats(o *runState) bool {
	return r.Runner == o.Runner && r.Package == o.Package && r.Where == o.Where
}

// clip copies a name, cut to its bound and made valid UTF-8: what it is part of may
// be a buffer that is used again, and a saved state is JSON.
func clip(name string) string { return strings.Clone(cut(name)) }

// cut is clip without the copy, to compare with.
func cut(name string) string {
	name = shorten(name)
	if utf8.ValidString(name) {
		return name
	}
	return shorten(strings.ToValidUTF8(name, "\uFFFD"))
}

func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	end := maxName
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}
