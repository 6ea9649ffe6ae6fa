package testparse

import "strings"

// ctest: " 1/44 Test  #1: unit_0 ....   Passed    0.03 sec" for each test, then
// "95% tests passed, 2 tests tests failed out of 43". The summary counts skipped tests
// as passed, so the rows are trusted where they are all there.
type ctest struct {
	talk
	Total  int   `json:"total,omitempty"` // of the last summary row
	Failed int   `json:"failed,omitempty"`
	SumAt  int64 `json:"sum_at,omitempty"` // its row in the stream
}

func (c *ctest) feed(s *stream, l line) {
	switch b := l.first(); {
	case b >= '0' && b <= '9':
		if !c.test(s, l) && l.in == 0 {
			c.summary(l)
		}
	case b == 'T' && l.in == 0 && strings.HasPrefix(l.text, "Test project "):
		*c = ctest{}
		c.open(s, "ctest", l.n)
	case b == 'S' && c.live() && strings.HasPrefix(l.body(), "Start "):
		c.run.shut(l.n, 1)
	case b == 'T' && strings.HasPrefix(l.text, "Total Test time (real) ="):
		if c.SumAt > 0 && l.seq <= c.SumAt+1 {
			c.settle(s, l)
		}
	}
}

func (c *ctest) test(s *stream, l line) bool {
	_, rest, ok := number(l.body())
	if !ok || !strings.HasPrefix(rest, "/") {
		return false
	}
	if _, rest, ok = number(rest[1:]); !ok || !strings.HasPrefix(rest, " Test ") {
		return false
	}
	_, rest, ok = strings.Cut(rest, "#")
	if !ok {
		return false
	}
	_, rest, ok = strings.Cut(rest, ": ")
	if !ok || !strings.HasSuffix(rest, " sec") {
		return false
	}
	if !c.live() {
		*c = ctest{}
	}
	r := c.at(s, "ctest", l.n)
	c.Sure = true
	name, _, ok := cutLast(rest, "***")
	if !ok {
		name, _, _ = cutLast(rest, " Passed ")
	}
	name = strings.TrimRight(name, ". *")
	r.shut(l.n, 0)
	switch {
	case strings.Contains(rest, "***Skipped"), strings.Contains(rest, "(Disabled)"):
		r.Skipped++
	case strings.Contains(rest, "***"):
		r.Failed++
		r.fail(name, l.n)
		r.reportLast(l.n)
	case strings.Contains(rest, " Passed "):
		r.Passed++
	}
	return true
}

func (c *ctest) summary(l line) {
	_, rest, ok := number(l.text)
	if !ok {
		return
	}
	rest, ok = strings.CutPrefix(rest, "% tests passed, ")
	if !ok {
		return
	}
	failed, rest, ok := number(rest)
	_, out, found := strings.Cut(rest, " tests failed out of ")
	total, _, num := number(out)
	if !ok || !found || !num {
		return
	}
	c.Total, c.Failed, c.SumAt = total, failed, l.seq
	if c.live() {
		c.run.shut(l.n, 2)
	}
}

// settle takes the summary where rows are missing (`| tail`).
func (c *ctest) settle(s *stream, l line) {
	if !c.live() {
		c.open(s, "ctest", l.n)
	}
	if r := c.run; r.Passed+r.Failed+r.Skipped < c.Total {
		r.Passed, r.Failed, r.Skipped = max(0, c.Total-c.Failed), c.Failed, 0
	}
	c.run.Settled, c.Sure, c.SumAt = true, true, 0
}
