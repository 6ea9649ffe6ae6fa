package testparse

import "strings"

// deno test 1.3x and 2: "running 5 tests from ./a_test.ts", "name ... ok (5ms)", and
// "ok | 5 passed (2 steps) | 0 failed | 1 ignored (10ms)".
type deno struct {
	talk
	Output bool  `json:"output,omitempty"` // what a test printed, up to its end
	Told   bool  `json:"told,omitempty"`   // ERRORS came: failures in full
	Listed int64 `json:"listed,omitempty"` // line of FAILURES, with or without a header before it
}

func (d *deno) feed(s *stream, l line) {
	if l.in == 1 {
		d.title(l)
	}
	if d.Told && !strings.HasPrefix(l.text, "FAILED | ") {
		d.told(s, l)
		return
	}
	if l.in != 0 {
		return
	}
	if c := l.first(); c == '-' {
		d.Output = strings.HasPrefix(l.text, "------- ") || d.Output && !strings.HasPrefix(l.text, "----- ")
		return
	}
	if d.Output {
		return
	}
	if rest, ok := strings.CutPrefix(l.text, "running "); ok {
		if n, word, ok := counted(rest); ok && n >= 0 && (strings.HasPrefix(word, "tests from ") || strings.HasPrefix(word, "test from ")) {
			if d.run != nil && d.run.Settled {
				*d = deno{}
			}
			d.at(s, "deno", l.n)
			d.Sure = true
		}
		return
	}
	if rest, ok := strings.CutPrefix(l.text, "ok | "); ok {
		d.summary(s, l, rest)
	} else if rest, ok := strings.CutPrefix(l.text, "FAILED | "); ok {
		d.summary(s, l, rest)
	} else if d.live() && d.Sure {
		d.test(l)
	}
}

// title reads " ERRORS" and " FAILURES", the headings of the report.
func (d *deno) title(l line) {
	switch l.body() {
	case "ERRORS":
		d.Told = true
	case "FAILURES":
		if d.Told, d.Listed = false, l.n; d.live() {
			d.run.shut(l.n, 1)
		}
	}
}

// told reads "name => ./a_test.ts:4:6" above an error. Names that begin with a space,
// and all of the dot reporter, which has no header, come here first.
func (d *deno) told(s *stream, l line) {
	name, at, ok := cutLast(l.text, " => ")
	if !ok || strings.IndexByte(at, ' ') >= 0 || !placed(at) {
		return
	}
	r := d.at(s, "deno", l.n)
	r.shut(l.n, 1)
	name = cut(name)
	if i := r.untold(func(s string) bool { return s == name }); i >= 0 {
		r.report(i, l.n)
		return
	}
	r.fail(name, l.n)
	r.Failed = max(r.Failed, len(r.Fails))
	r.reportLast(l.n)
}

func (d *deno) test(l line) {
	name, word, ok := cutLast(l.text, " ... ")
	if !ok {
		return
	}
	word, _ = cutDuration(word)
	switch word {
	case "ok":
		d.run.Passed++
	case "FAILED":
		d.run.Failed++
		d.run.fail(name, l.n)
	case "ignored":
		d.run.Skipped++
	}
}

// summary reads "22 passed (3 steps) | 6 failed | 3 ignored (13ms)". The dot reporter
// has no header: there its failures above it are the proof, or the command.
func (d *deno) summary(s *stream, l line, rest string) {
	rest, timed := cutDuration(rest)
	bare := d.Listed > 0 && l.n-d.Listed < 2*maxFailures || s.sc.cmd.names("deno")
	if !timed || !d.Sure && !bare || d.run != nil && d.run.Settled {
		return
	}
	var c tally
	ok := list(rest, " | ", func(n int, word string) bool {
		word, steps, nested := strings.Cut(word, " (")
		if nested && !strings.HasSuffix(steps, " steps)") && steps != "1 step)" {
			return false
		}
		switch word {
		case "passed":
			c.Passed = n
		case "failed":
			c.Failed = n
		case "ignored":
			c.Skipped = n
		default:
			return word == "filtered out" || word == "measured"
		}
		return true
	})
	if !ok || d.run != nil && c.total() < d.run.total() {
		return
	}
	r := d.at(s, "deno", l.n)
	r.shut(l.n, 1)
	r.tally, r.Settled, d.Sure = c, true, true
	d.Told, d.Listed = false, 0
}
