package testparse

import "strings"

// Maven Surefire and Failsafe: "[INFO] Running com.acme.CartTest", a row with the
// class's counts and "Time elapsed", and one without it for the module. Modules
// add up.
type surefire struct {
	talk
	Base tally `json:"base,omitzero"` // of the modules that ended
	In   bool  `json:"in,omitempty"`  // after the heading " T E S T S"
}

func (m *surefire) feed(s *stream, l line) {
	body := l.body()
	if strings.HasPrefix(body, "[") {
		for _, level := range [...]string{"[INFO]", "[ERROR]", "[WARNING]"} {
			if rest, ok := strings.CutPrefix(body, level); ok {
				body = strings.TrimPrefix(rest, " ")
				break
			}
		}
	}
	switch {
	case body == "Results:" && m.In:
		m.run.shut(l.n, 2)
	case strings.TrimSpace(body) == "T E S T S":
		if m.run != nil && m.run.Settled {
			m.run.Settled = false
		}
		m.at(s, "surefire", l.n)
		m.In, m.Sure = true, true
	case !m.In:
	case strings.HasPrefix(body, "Tests run: "):
		m.counts(body)
	case strings.Contains(body, "<<< FAILURE!") || strings.Contains(body, "<<< ERROR!"):
		name, _, _ := strings.Cut(body, "  Time elapsed: ")
		name, _, _ = strings.Cut(name, " -- Time elapsed: ")
		m.run.shut(l.n, 1)
		m.run.fail(strings.TrimSpace(name), l.n)
		m.run.reportLast(l.n)
	}
}

// counts reads "Tests run: 39, Failures: 1, Errors: 1, Skipped: 1[, Time elapsed: …]".
func (m *surefire) counts(body string) {
	head, _, class := strings.Cut(body, ", Time elapsed: ")
	total, seen, c := 0, 0, tally{}
	ok := labels(trimRight(head), func(n int, word string) bool {
		seen++
		switch word {
		case "Tests run":
			total = n
		case "Failures", "Errors":
			c.Failed += n
		case "Skipped":
			c.Skipped = n
		case "Flakes":
			c.Flaky = n
		default:
			return false
		}
		return true
	})
	if !ok || seen < 4 {
		return
	}
	c.Passed = max(0, total-c.Failed-c.Skipped-c.Flaky)
	if class {
		m.run.add(c)
		return
	}
	m.Base.add(c)
	m.run.tally, m.run.Settled = m.Base, true
	m.In = false
}

// Gradle with test events: "com.acme.CartTest > discount FAILED". A green run has
// no count, a red one "39 tests completed, 2 failed, 1 skipped".
type gradle struct {
	talk
	Signs int `json:"signs,omitempty"`
}

func (g *gradle) feed(s *stream, l line) {
	if l.in != 0 {
		return
	}
	switch c := l.first(); {
	case c >= '0' && c <= '9':
		g.summary(s, l)
	case c == 'B' && strings.HasPrefix(l.text, "BUILD "):
		if g.live() && g.Sure {
			g.run.Settled = true
		}
	default:
		g.event(s, l)
	}
}

func (g *gradle) event(s *stream, l line) {
	name, word, ok := cutLast(l.text, " ")
	if !ok || word != "PASSED" && word != "FAILED" && word != "SKIPPED" {
		return
	}
	class, _, ok := strings.Cut(name, " > ")
	if !ok || strings.IndexByte(class, ' ') >= 0 || strings.HasPrefix(class, "/") {
		return
	}
	if g.run != nil && g.run.Settled {
		*g = gradle{}
	}
	r := g.at(s, "gradle", l.n)
	r.shut(l.n, 1)
	switch word {
	case "PASSED":
		r.Passed++
	case "FAILED":
		r.Failed++
		r.fail(name, l.n)
		r.reportLast(l.n)
	case "SKIPPED":
		r.Skipped++
	}
	g.Signs++
	if g.Signs >= 2 {
		g.Sure = true
	}
}

// summary reads "39 tests completed, 2 failed, 1 skipped", once for each module.
func (g *gradle) summary(s *stream, l line) {
	head, _, ok := strings.Cut(l.text, ", ")
	if !ok || !strings.HasSuffix(head, " completed") || !strings.Contains(head, " test") {
		return
	}
	total, c := 0, tally{}
	ok = list(l.text, ", ", func(n int, word string) bool {
		switch word {
		case "tests completed", "test completed":
			total = n
		case "failed":
			c.Failed = n
		case "skipped":
			c.Skipped = n
		default:
			return false
		}
		return true
	})
	if !ok {
		return
	}
	r := g.at(s, "gradle", l.n)
	r.shut(l.n, 1)
	c.Passed = max(0, total-c.Failed-c.Skipped)
	if c.total() >= r.total() {
		r.tally = c
	}
	r.Settled, g.Sure = true, true
}
