package testparse

import "strings"

// ExUnit: dots, numbered failures ("  1) test name (Mod)"), "Finished in 0.02
// seconds (0.00s async, 0.02s sync)" and "1 doctest, 34 tests, 2 failures, 1 skipped".
type exunit struct {
	talk
	Header   bool  `json:"header,omitempty"`
	Next     int   `json:"next,omitempty"`
	Finished int64 `json:"finished,omitempty"`
}

func (e *exunit) feed(s *stream, l line) {
	switch c := l.first(); {
	case l.in == 0 && (strings.HasPrefix(l.text, "Running ExUnit with seed: ") || strings.HasPrefix(l.text, "Excluding tags: [")):
		if !e.live() {
			*e = exunit{}
			e.open(s, "exunit", l.n).Hides = true
		}
		e.Header = true
		e.Sure = e.Sure || c == 'R'
	case c == 's' && l.in == 5 && l.body() == "stacktrace:" && e.run != nil:
		e.run.reach(l.n + 1) // it has one row at least
	case l.in == 0 && c == 'F' && strings.HasPrefix(l.text, "Finished in ") && strings.Contains(l.text, " seconds"):
		e.Finished = l.seq
	case l.in == 0 && c >= '0' && c <= '9':
		e.summary(s, l)
	case l.in == 2 && c >= '0' && c <= '9':
		e.failure(s, l)
	}
}

func (e *exunit) failure(s *stream, l line) {
	n, title, ok := numbered(l.body())
	title, isTest := strings.CutPrefix(title, "test ")
	title, isDoc := strings.CutPrefix(title, "doctest ")
	if !ok || !isTest && !isDoc || !strings.HasSuffix(title, ")") {
		return
	}
	if e.run != nil && e.run.Settled {
		*e = exunit{}
	}
	if n != e.Next+1 {
		return
	}
	e.Next = n
	r := e.at(s, "exunit", l.n)
	r.Report = nil
	r.Hides = true
	r.Failed++
	r.fail(title, l.n)
	r.reportLast(l.n)
	if e.Header {
		e.Sure = true
	}
}

func (e *exunit) summary(s *stream, l line) {
	if e.Finished == 0 || l.seq > e.Finished+2 {
		return
	}
	total, named, c := 0, false, tally{}
	ok := list(l.text, ", ", func(n int, word string) bool {
		switch word {
		case "test", "tests":
			named = true
			total += n
		case "doctest", "doctests", "property", "properties":
			total += n
		case "failure", "failures", "invalid":
			c.Failed += n
		case "skipped", "excluded":
			c.Skipped += n
		default:
			return false
		}
		return true
	})
	if !ok || !named && total == 0 {
		return
	}
	if !e.live() {
		e.open(s, "exunit", l.n)
	}
	c.Passed = max(0, total-c.Failed-c.Skipped)
	e.run.tally, e.run.Settled = c, true
	e.Sure, e.Finished, e.Next = true, 0, 0
}
