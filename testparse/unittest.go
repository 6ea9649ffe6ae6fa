package testparse

import "strings"

// Python's unittest: with -v "test_x (mod.Class.test_x) ... ok"; blocks "FAIL:
// test_x (…)"; "Ran 34 tests in 0.001s" and below it OK or FAILED (failures=1).
type unittest struct {
	talk
	Signs int   `json:"signs,omitempty"`
	Rows  bool  `json:"rows,omitempty"`
	Ruled int64 `json:"ruled,omitempty"` // row of the last "====" rule
	RanAt int64 `json:"ran_at,omitempty"`
	Ran   int   `json:"ran,omitempty"`
	Begun int64 `json:"begun,omitempty"`
}

func (u *unittest) feed(s *stream, l line) {
	if l.in != 0 {
		return
	}
	switch l.first() {
	case '=':
		if len(l.text) == 70 && strings.Trim(l.text, "=") == "" {
			u.Ruled = l.seq
			u.endReport(l.n - 1)
		}
	case 'R':
		u.ran(l)
	case 'O', 'F', 'E':
		if u.RanAt > 0 && l.seq <= u.RanAt+1 && u.verdict(s, l) {
			return
		}
		u.block(s, l)
	}
	if strings.Contains(l.text, " ... ") {
		u.test(s, l)
	}
}

// test reads "test_x (mod.Class.test_x) ... ok".
func (u *unittest) test(s *stream, l line) {
	name, word, ok := cutLast(l.text, " ... ")
	if !ok || !isUnittestName(name) {
		return
	}
	var c tally
	switch {
	case word == "ok", word == "expected failure":
		c.Passed = 1
	case word == "FAIL", word == "ERROR", word == "unexpected success":
		c.Failed = 1
	case strings.HasPrefix(word, "skipped "):
		c.Skipped = 1
	default:
		return
	}
	if u.run != nil && u.run.Settled {
		*u = unittest{}
	}
	r := u.at(s, "unittest", l.n)
	r.add(c)
	u.Rows = true
	if c.Failed > 0 {
		r.fail(name, l.n)
	}
	u.Signs++
	if u.Signs >= 2 {
		u.Sure = true
	}
}

// isUnittestName reads "test_x (mod.Class.test_x)".
func isUnittestName(s string) bool {
	i := lastOpen(s)
	return i > 0 && strings.HasSuffix(s, ")") && strings.IndexByte(s[:i], ' ') < 0 && strings.IndexByte(s[i+2:], ' ') < 0
}

// block reads "FAIL: test_x (mod.Class)" beneath a rule.
func (u *unittest) block(s *stream, l line) {
	word, name, ok := strings.Cut(l.text, ": ")
	if !ok || word != "FAIL" && word != "ERROR" || l.seq != u.Ruled+1 {
		return
	}
	if u.Rows && u.live() {
		name = cut(name)
		u.run.report(u.run.untold(func(s string) bool { return s == name }), l.n)
	}
	if u.Rows {
		return
	}
	if u.run != nil && u.run.Settled {
		*u = unittest{}
	}
	r := u.at(s, "unittest", l.n)
	r.Hides = true
	r.Failed++
	r.fail(name, l.n)
	r.reportLast(l.n)
}

// endReport ends a report before line n, the blank one above a rule.
func (u *unittest) endReport(n int64) {
	if u.run != nil {
		u.run.shut(n, 0)
	}
}

// ran reads "Ran 34 tests in 0.001s".
func (u *unittest) ran(l line) {
	rest, ok := strings.CutPrefix(l.text, "Ran ")
	if !ok {
		return
	}
	n, word, ok := counted(rest)
	_, took, in := strings.Cut(word, " in ")
	if ok && in && strings.HasPrefix(word, "test") && isDuration(took) {
		u.Ran, u.RanAt, u.Begun = n, l.seq, l.n
		u.endReport(l.n - 2)
	}
}

// verdict reads "OK", "OK (skipped=1)", "FAILED (failures=1, errors=1)".
func (u *unittest) verdict(s *stream, l line) bool {
	word, rest, _ := strings.Cut(l.text, " (")
	if word != "OK" && word != "FAILED" {
		return false
	}
	expected, c := 0, tally{}
	for part := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		key, value, ok := strings.Cut(part, "=")
		n, _, num := number(value)
		if !ok || !num {
			continue
		}
		switch key {
		case "failures", "errors", "unexpected successes":
			c.Failed += n
		case "skipped":
			c.Skipped = n
		case "expected failures":
			expected = n
		}
	}
	if !u.live() {
		u.open(s, "unittest", u.Begun)
	}
	c.Passed = max(0, u.Ran-c.Failed-c.Skipped-expected)
	u.run.tally, u.run.Settled = c, true
	u.Sure, u.RanAt = true, 0
	return true
}
