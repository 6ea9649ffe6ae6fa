package testparse

import "strings"

// Playwright 1.30 to 1.65. Header "Running 71 tests using 2 workers"; the list
// reporter writes a row for each attempt; line, dot and github show failures
// only. At the end rows of two spaces: "  4 failed" with the names beneath,
// "  1 flaky", "  3 skipped", "  63 passed (13.7s)".
type playwright struct {
	talk
	Total   int   `json:"total,omitempty"` // tests as the header says
	Signs   int   `json:"signs,omitempty"`
	Listed  bool  `json:"listed,omitempty"`
	Rows    int   `json:"rows,omitempty"` // summary rows seen
	Pending tally `json:"pending,omitzero"`
	NotRun  int   `json:"not_run,omitempty"`
	Section byte  `json:"section,omitempty"` // 'f' names of failed, 'k' of flaky tests follow
}

func (p *playwright) feed(s *stream, l line) {
	switch c := l.first(); {
	case c == 'R' && l.in == 0:
		p.header(s, l)
	case l.in == 2 && c >= '0' && c <= '9':
		if !p.blockRow(s, l) {
			p.summaryRow(s, l)
		}
	case c == '[' && l.in == 0 && p.live():
		p.run.shut(l.n, 2) // the line reporter goes on: "[15/71] …"
	case c == 'a' && l.in >= 8 && p.live() && strings.HasPrefix(l.body(), "at "):
		p.run.reach(l.n)
	case l.in == 4 && p.Section != 0:
		p.namedRow(l)
	case p.run == nil || p.run.Settled:
	case c == ':' && strings.HasPrefix(l.text, "::error "):
		p.githubRow(l)
	case l.in == 2:
		p.listRow(l)
	}
}

// playwrightHeader reads "Running 71 tests using 2 workers, shard 1 of 2".
func playwrightHeader(l line) (n int, ok bool) {
	rest, ok := strings.CutPrefix(l.text, "Running ")
	if !ok || l.in != 0 {
		return 0, false
	}
	n, rest, ok = number(rest)
	if !ok {
		return 0, false
	}
	rest, ok = strings.CutPrefix(strings.Replace(rest, " tests ", " test ", 1), " test using ")
	if !ok {
		return 0, false
	}
	_, rest, ok = number(rest)
	return n, ok && strings.HasPrefix(rest, " worker")
}

func (p *playwright) header(s *stream, l line) {
	if n, ok := playwrightHeader(l); ok {
		*p = playwright{Total: n}
		p.open(s, "playwright", l.n).Hides = true
		p.Sure = true
	}
}

// listRow reads "  ✓  13 [web] › src/a.spec.ts:9:3 › Suite › name (retry #1) (12ms)".
func (p *playwright) listRow(l line) {
	sign, rest, ok := strings.Cut(l.body(), " ")
	if !ok {
		return
	}
	n, rest, ok := number(strings.TrimLeft(rest, " "))
	if !ok || n == 0 || !strings.HasPrefix(rest, " ") || !strings.Contains(rest, " › ") {
		return
	}
	name, _ := cutDuration(rest[1:])
	name, retry := cutRetry(name)
	r := p.run
	switch sign {
	case "✓", "ok":
		r.Passed++
		if retry {
			p.mended(name)
		}
	case "✘", "x":
		if r.failOnce(name, l.n) {
			r.Failed++
		}
	case "-":
		if !retry {
			r.Skipped++
		}
	default:
		return
	}
	p.Listed, r.Hides = true, false
}

// mended makes a failed test that passed in a later attempt a flaky one.
func (p *playwright) mended(name string) {
	if i := p.run.find(name); i >= 0 {
		p.run.add(tally{Passed: -1, Failed: -1, Flaky: 1})
		p.run.drop(i)
	}
}

func cutRetry(s string) (string, bool) {
	if strings.HasSuffix(s, ")") {
		if i := strings.LastIndex(s, " (retry #"); i > 0 {
			return s[:i], true
		}
	}
	return s, false
}

// blockRow reads "  1) [web] › src/a.spec.ts:9:3 › name ────": a failure told in
// full, of a test that may yet turn out flaky.
func (p *playwright) blockRow(s *stream, l line) bool {
	_, title, ok := numbered(l.body())
	if !ok {
		return false
	}
	if p.run == nil || p.run.Settled || !strings.Contains(title, " › ") {
		return true
	}
	name := playwrightName(title)
	p.run.shut(l.n, 1)
	if p.run.failOnce(name, l.n) && !p.Listed {
		p.run.Failed++
	}
	p.run.report(p.run.find(name), l.n)
	return true
}

// githubRow reads "::error file=…,title=src/a.spec.ts%3A9%3A3 › name,line=…::…".
func (p *playwright) githubRow(l line) {
	_, title, ok := strings.Cut(l.text, ",title=")
	if !ok {
		return
	}
	title, _, _ = strings.Cut(title, "::")
	title, _, _ = strings.Cut(title, ",line=")
	title = strings.NewReplacer("%3A", ":", "%2C", ",", "%25", "%").Replace(title)
	if strings.Contains(title, " › ") && p.run.failOnce(title, l.n) && !p.Listed {
		p.run.Failed++
	}
}

func playwrightName(s string) string { return strings.TrimRight(s, "─ ") }

// namedRow reads a name beneath "  4 failed" or "  1 flaky".
func (p *playwright) namedRow(l line) {
	name := playwrightName(l.body())
	i := p.run.find(name)
	switch {
	case p.Section == 'k' && i >= 0:
		p.run.drop(i)
	case p.Section == 'f' && i < 0 && strings.Contains(name, " › "):
		p.run.fail(name, l.n)
	}
}

// summaryRow reads one row of the summary.
func (p *playwright) summaryRow(s *stream, l line) {
	n, word, ok := playwrightCount(l.body())
	if !ok {
		return
	}
	var c tally
	section := byte(0)
	switch word {
	case "failed", "interrupted":
		c.Failed, section = n, 'f'
	case "flaky":
		c.Flaky, section = n, 'k'
	case "skipped":
		c.Skipped = n
	case "passed":
		c.Passed = n
	case "did not run":
	default:
		if strings.HasPrefix(word, "error") && strings.Contains(word, "not a part of any test") && p.run != nil {
			p.run.Broken = true
		}
		return
	}
	if p.run == nil { // `| tail -5`
		if word != "passed" && word != "failed" || !s.sc.cmd.names("playwright") && !s.sc.cmd.cuts {
			return
		}
		p.open(s, "playwright", l.n)
		p.Sure = true
	}
	if p.run.Settled {
		return
	}
	if word == "did not run" {
		p.NotRun = n
	}
	p.Rows++
	p.run.shut(l.n, 1)
	p.Section = section
	p.Pending.add(c)
	p.finish(word, n)
}

// playwrightCount reads "4 failed" and "63 passed (13.7s)".
func playwrightCount(s string) (n int, word string, ok bool) {
	n, word, ok = counted(s)
	word, took, timed := strings.Cut(word, " (")
	if timed && (word != "passed" || !isDuration(strings.TrimSuffix(took, ")"))) {
		return 0, "", false
	}
	return n, word, ok
}

// finish settles with the row of the passed tests, which comes last, or, where
// there is none, once all tests are accounted for. A lone "  5 passed" that does
// not fit the header was printed by a test.
func (p *playwright) finish(word string, n int) {
	sum := p.Pending.total() + p.NotRun
	switch {
	case sum == p.Total, word == "passed" && (p.Rows > 1 || p.Total == 0):
		p.run.tally, p.run.Settled = p.Pending, true
	case word == "passed":
		p.Rows, p.Pending = 0, tally{}
	default:
		p.keep(word, n)
	}
}

// keep lets a count of the summary stand before the rest of it has come.
func (p *playwright) keep(word string, n int) {
	switch word {
	case "failed":
		p.run.Failed = n
	case "flaky":
		p.run.Flaky = n
	case "skipped":
		p.run.Skipped = n
	}
}
