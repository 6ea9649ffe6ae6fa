package testparse

import "strings"

// dotnet test: a row for each assembly, "Passed!  - Failed:     0, Passed:    10,
// Skipped:     1, Total:    11, Duration: 12 ms - App.Tests.dll (net8.0)", which
// add up; with more detail a row for each test, "  Failed Ns.Test [5 ms]". The
// terminal logger ends with "Test summary: total: 11, failed: 1, …".
type dotnet struct {
	talk
	Base tally `json:"base,omitzero"`
	In   bool  `json:"in,omitempty"`
}

func (d *dotnet) feed(s *stream, l line) {
	switch l.first() {
	case 'S', 'A', 'V':
		if l.in == 0 && (strings.HasPrefix(l.text, "Starting test execution, please wait") ||
			strings.HasPrefix(l.text, "VSTest version ") || strings.HasPrefix(l.text, "Test run for ")) {
			d.begin(s, l)
		} else {
			d.test(l)
		}
	case 'T':
		if rest, ok := strings.CutPrefix(l.text, "Test summary: "); ok {
			d.whole(s, l, rest)
		} else if strings.HasPrefix(l.text, "Test run for ") {
			d.begin(s, l)
		}
	case 'P', 'F':
		if word, rest, ok := strings.Cut(l.text, "!  - "); ok && (word == "Passed" || word == "Failed") {
			d.assembly(s, l, rest)
			return
		}
		d.test(l)
	}
}

func (d *dotnet) begin(s *stream, l line) {
	if d.run == nil {
		d.open(s, "dotnet", l.n).Hides = true
	}
	d.run.Settled = false
	d.In, d.Sure = true, true
}

// test reads "  Failed Ns.Class.Test [5 ms]".
func (d *dotnet) test(l line) {
	word, rest, ok := strings.Cut(l.body(), " ")
	if !ok || l.in != 2 || !d.In || !strings.HasSuffix(rest, "]") {
		return
	}
	name, timed := cutDuration(strings.Replace(rest, "[< ", "[", 1))
	if !timed {
		return
	}
	d.run.shut(l.n, 0)
	switch word {
	case "Passed":
		d.run.Passed++
		d.run.Hides = false
	case "Failed":
		d.run.Failed++
		d.run.fail(name, l.n)
		d.run.reportLast(l.n)
	case "Skipped":
		d.run.Skipped++
	}
}

// counts reads "Failed: 0, Passed: 10, Skipped: 1, Total: 11".
func (d *dotnet) counts(s string) (c tally, ok bool) {
	seen := 0
	for part := range strings.SplitSeq(s, ",") {
		word, value, found := strings.Cut(strings.TrimSpace(part), ":")
		n, _, num := number(strings.TrimSpace(value))
		if !found || !num {
			continue
		}
		seen++
		switch strings.ToLower(word) {
		case "failed":
			c.Failed = n
		case "passed", "succeeded":
			c.Passed = n
		case "skipped":
			c.Skipped = n
		}
	}
	return c, seen >= 4
}

func (d *dotnet) assembly(s *stream, l line, rest string) {
	c, ok := d.counts(rest)
	if !ok || !strings.Contains(rest, "Total:") {
		return
	}
	if d.run == nil {
		d.open(s, "dotnet", l.n)
	}
	d.run.shut(l.n, 1)
	d.Base.add(c)
	d.run.tally, d.run.Settled = d.Base, true
	d.In, d.Sure = false, true
}

func (d *dotnet) whole(s *stream, l line, rest string) {
	c, ok := d.counts(rest)
	if !ok {
		return
	}
	if d.run == nil {
		d.open(s, "dotnet", l.n)
	}
	d.run.tally, d.run.Settled = c, true
	d.Sure = true
}
