package testparse

import "strings"

// PHPUnit 8 to 12: header "PHPUnit 9.6.7 by Sebastian Bergmann …", rows of
// letters with a margin, numbered failures, and "OK (1 test, 1 assertion)" or
// "Tests: 76, Assertions: 72, Errors: 1, Failures: 1, Skipped: 1.".
type phpunit struct {
	talk
	Listing bool `json:"listing,omitempty"` // errors or failures follow
	// Time is the line of "Time: …, Memory: …", which comes once all tests have run;
	// Verdict that of "FAILURES!" and its like, above the summary.
	Time    int64 `json:"time,omitempty"`
	Verdict int64 `json:"verdict,omitempty"`
}

func (p *phpunit) feed(s *stream, l line) {
	if l.in != 0 {
		p.testdox(l)
		return
	}
	if strings.HasPrefix(l.text, "PHPUnit ") && strings.Contains(l.text, " by Sebastian Bergmann") {
		*p = phpunit{}
		p.open(s, "phpunit", l.n)
		p.Sure = true
		return
	}
	if !p.live() {
		return
	}
	switch c := l.first(); {
	case isPHPUnitVerdict(l.text):
		p.run.shut(l.n, 1)
		p.Verdict = l.n
	case c == 'T' && strings.HasPrefix(l.text, "Time: ") && strings.Contains(l.text, ", Memory: "):
		p.run.shut(l.n, 1)
		p.Time = l.n
	case c == 'T' && strings.HasPrefix(l.text, "There w"):
		p.run.shut(l.n, 3) // a blank line, "--", a blank line
		p.Listing = strings.Contains(l.text, "error") || strings.Contains(l.text, "failure")
	case c == 'T' && p.Verdict > 0 && l.n == p.Verdict+1:
		p.summary(l.text)
	case c == 'O' && p.Time > 0 && strings.HasPrefix(l.text, "OK ("):
		n, rest, ok := number(l.text[len("OK ("):])
		if ok && strings.HasPrefix(rest, " test") && strings.Contains(rest, " assertion") {
			p.run.tally, p.run.Settled = tally{Passed: n}, true
		}
	case c >= '0' && c <= '9':
		if _, name, ok := numbered(l.text); ok && p.Listing {
			p.run.shut(l.n, 1)
			p.run.fail(name, l.n)
			p.run.reportLast(l.n)
		}
	default:
		p.letters(l)
	}
}

// isPHPUnitVerdict knows what stands above "Tests: 76, …".
func isPHPUnitVerdict(s string) bool {
	switch s {
	case "FAILURES!", "ERRORS!", "WARNINGS!":
		return true
	}
	return strings.HasPrefix(s, "OK, but ") && strings.HasSuffix(s, "!")
}

// testdox reads " ✔ Name" of --testdox; failures come again after the time.
func (p *phpunit) testdox(l line) {
	sign, name := l.mark()
	if l.in != 1 || sign == 0 || !p.live() || p.Time > 0 {
		return
	}
	var c tally
	switch sign {
	case '✔':
		c.Passed = 1
	case '✘':
		c.Failed = 1
	case '↩', '∅':
		c.Skipped = 1
	default:
		return
	}
	p.run.shut(l.n, 1)
	p.run.add(c)
	if c.Failed > 0 {
		name, _ = cutDuration(name)
		p.run.fail(name, l.n)
		p.run.reportLast(l.n)
	}
}

// letters reads ".....FESIR.      76 / 76 (100%)".
func (p *phpunit) letters(l line) {
	signs, rest, ok := strings.Cut(l.text, " ")
	if !ok || !strings.HasSuffix(rest, "%)") || !strings.Contains(rest, " / ") || !allIn(signs, isPHPUnitSign) {
		return
	}
	for i := range len(signs) {
		switch signs[i] {
		case '.', 'W', 'D', 'N':
			p.run.Passed++
		case 'F', 'E':
			p.run.Failed++
		case 'S', 'I':
			p.run.Skipped++
		}
	}
}

func (p *phpunit) summary(text string) {
	text, ok := strings.CutSuffix(text, ".")
	if !ok {
		return
	}
	total, risky, c := -1, 0, tally{}
	ok = labels(text, func(n int, word string) bool {
		switch word {
		case "Tests":
			total = n
		case "Errors", "Failures":
			c.Failed += n
		case "Skipped", "Incomplete":
			c.Skipped += n
		case "Risky":
			risky = n
		}
		return true
	})
	if !ok || total < 0 {
		return
	}
	c.Passed = max(0, total-c.Failed-c.Skipped-risky)
	p.run.tally, p.run.Settled = c, true
}

var isPHPUnitSign = bytesOf(".FESIRWDN")
