package testparse

import (
	"strings"
)

// What go test says in other clothes: gotestsum's rows and `go test -json`.

// sumRow reads gotestsum's "PASS cart.TestEmpty (0.00s)".
func (g *goTest) sumRow(s *stream, l line) {
	if l.in != 0 {
		return
	}
	word, rest, ok := strings.Cut(l.text, " ")
	if !ok || word != "PASS" && word != "FAIL" && word != "SKIP" {
		return
	}
	name, timed := cutDuration(rest)
	test, ok := goTestName(name)
	if !ok || !timed || strings.IndexByte(name, ' ') >= 0 {
		return
	}
	r := g.begin(s, l.n)
	r.Settled = false
	g.Sum = true
	g.sign(1)
	switch word {
	case "PASS":
		r.Passed++
	case "SKIP":
		r.Skipped++
	case "FAIL":
		if i := r.find(test); i >= 0 {
			r.rename(i, name)
			return
		}
		if r.failOnce(name, l.n) {
			r.Failed++
		}
	}
}

// goTestName gives "TestEmpty/sub" of "cart.TestEmpty/sub".
func goTestName(s string) (string, bool) {
	for _, kind := range [...]string{".Test", ".Example", ".Fuzz", ".Benchmark"} {
		if i := strings.Index(s, kind); i > 0 {
			return s[i+1:], true
		}
	}
	return "", false
}

// doneRow reads gotestsum's "DONE 90 tests, 1 skipped, 3 failures in 1.003s".
func (g *goTest) doneRow(s *stream, l line) {
	rest, ok := strings.CutPrefix(l.text, "DONE ")
	if !ok || l.in != 0 {
		return
	}
	rest, took, ok := cutLast(rest, " in ")
	if !ok || !isDuration(took) {
		return
	}
	total, errs := -1, 0
	var c tally
	ok = list(rest, ", ", func(n int, word string) bool {
		switch word {
		case "test", "tests":
			total = n
		case "skipped":
			c.Skipped = n
		case "failure", "failures":
			c.Failed = n
		case "error", "errors":
			errs = n
		default:
			return word == "runs"
		}
		return true
	})
	if !ok || total < 0 {
		return
	}
	c.Passed = max(0, total-c.Skipped-c.Failed)
	r := g.begin(s, l.n)
	r.shut(l.n, 1)
	r.tally, r.Settled, r.Suites, r.Never = c, true, errs, false
	g.Sure, g.Sum = true, true
}
