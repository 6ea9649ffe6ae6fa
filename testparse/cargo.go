package testparse

import "strings"

// cargo test: for each binary "running 45 tests", "test a::b ... ok", and
// "test result: ok. 43 passed; 1 failed; …", which add up. Settled while no
// binary is under way.
type cargo struct {
	talk
	Base  tally `json:"base,omitzero"` // of the binaries that ended
	In    bool  `json:"in,omitempty"`  // within a binary
	Signs int   `json:"signs,omitempty"`
}

func (c *cargo) feed(s *stream, l line) {
	if l.in != 0 {
		if l.in == 4 && strings.HasPrefix(l.body(), "Finished `test` profile") && c.run != nil && c.run.Settled {
			*c = cargo{} // cargo test once more
		}
		return
	}
	switch l.first() {
	case 'r':
		c.binary(s, l)
	case '-', 'f':
		c.reportRow(l)
	case 't':
		if rest, ok := strings.CutPrefix(l.text, "test result: "); ok {
			c.result(s, l, rest)
			return
		}
		if rest, ok := strings.CutPrefix(l.text, "test "); ok {
			c.test(l, rest)
			return
		}
		c.quiet(l)
	default:
		c.quiet(l)
	}
}

// reportRow reads "---- a::b stdout ----" and the "failures:" around the reports.
func (c *cargo) reportRow(l line) {
	if !c.In {
		return
	}
	if l.text == "failures:" {
		c.run.shut(l.n, 2)
		return
	}
	if name, ok := strings.CutSuffix(strings.TrimPrefix(l.text, "---- "), " stdout ----"); ok {
		name = cut(name)
		c.run.shut(l.n, 1)
		c.run.report(c.run.untold(func(s string) bool { return s == name || strings.TrimSuffix(s, " - should panic") == name }), l.n)
	}
}

// quiet reads "a::b --- FAILED" of -q.
func (c *cargo) quiet(l line) {
	if name, ok := strings.CutSuffix(l.text, " --- FAILED"); ok && c.In && strings.IndexByte(name, ' ') < 0 {
		c.run.Failed++
		c.run.fail(name, l.n)
		c.run.Hides = true
		c.sign()
	}
}

func (c *cargo) sign() {
	c.Signs++
	if c.Signs >= 2 {
		c.Sure = true
	}
}

// binary reads "running 45 tests".
func (c *cargo) binary(s *stream, l line) {
	n, word, ok := counted(strings.TrimPrefix(l.text, "running "))
	if !ok || word != "tests" && word != "test" || !strings.HasPrefix(l.text, "running ") || n < 0 {
		return
	}
	r := c.at(s, "cargo", l.n)
	r.Settled = false
	r.tally = c.Base
	c.In = true
	c.sign()
}

// test reads "a::b ... ok", "a::b - should panic ... FAILED", "a::b ... ignored, why".
func (c *cargo) test(l line, rest string) {
	name, word, ok := cutLast(rest, " ... ")
	if !ok || !c.In {
		return
	}
	word, _, _ = strings.Cut(word, ",")
	word, _, _ = strings.Cut(word, " <") // --report-time
	if strings.HasSuffix(word, " FAILED") {
		word = "FAILED" // of --nocapture, what another test printed before it
	}
	switch word {
	case "ok":
		c.run.Passed++
	case "FAILED":
		c.run.Failed++
		c.run.fail(name, l.n)
	case "ignored":
		c.run.Skipped++
	default:
		return
	}
	c.sign()
}

// result reads the whole of "ok. 43 passed; 1 failed; 1 ignored; 0 measured; 0
// filtered out; finished in 0.00s"; shorter ones were printed by tests.
func (c *cargo) result(s *stream, l line, rest string) {
	word, rest, ok := strings.Cut(rest, ". ")
	if !ok || word != "ok" && word != "FAILED" {
		return
	}
	rest, took, _ := strings.Cut(rest, "; finished in ")
	var t tally
	parts := 0
	ok = list(rest, ";", func(n int, word string) bool {
		parts++
		switch word {
		case "passed":
			t.Passed = n
		case "failed":
			t.Failed = n
		case "ignored":
			t.Skipped = n
		}
		return true
	})
	if !ok || parts < 5 || !isDuration(took) || !c.In && c.run != nil {
		return
	}
	r := c.at(s, "cargo", l.n)
	r.Report = nil
	c.Base.add(t)
	r.tally, r.Settled = c.Base, true
	r.Broken = r.Broken || word == "FAILED"
	c.In, c.Sure = false, true
}
