package testparse

import "strings"

// What jest says at the end, live and for good.

// summaryRow reads "Test Suites: …", "Tests: …", "Snapshots: …", "Time: …" in
// this order; "Time:" settles, unless the block is wiped at once.
func (j *jest) summaryRow(s *stream, l line) {
	if l.in > 1 {
		return
	}
	label, value, ok := strings.Cut(l.body(), ":")
	if !ok {
		j.words(l)
		return
	}
	value = strings.TrimSpace(value)
	switch label {
	case "Test Suites":
		if j.run != nil {
			j.endReport(l.n)
		}
		j.Block, j.BlockAt, j.BlockLine = 0, l.seq, l.n
		if c, ok := jestCounts(value); ok {
			j.Block, j.Broke, j.Partly = 1, c.Failed, strings.Contains(value, " of ")
		}
	case "Tests":
		if c, ok := jestCounts(value); ok && j.Block == 1 && l.seq == j.BlockAt+1 {
			j.Block, j.Pending = 2, c
			if j.run == nil && s.sc.cmd.cuts { // `| grep Tests`
				j.Partly = false
				j.end(s, l)
			}
		}
	case "Snapshots":
		if j.Block == 2 && l.seq == j.BlockAt+2 && strings.HasSuffix(value, " total") {
			j.Block = 3
		}
	case "Time":
		if (j.Block == 3 || j.Block == 2) && l.seq <= j.BlockAt+3 && digitAt(value, 0) {
			took, _, _ := strings.Cut(value, " s")
			j.Partly = j.Partly || l.wiped || strings.IndexByte(took, '.') < 0
			j.end(s, l)
		}
		j.Block = 0
	case "Jest":
		if strings.Contains(value, "threshold") && j.run != nil && j.Sure {
			j.run.Broken = true
		}
	}
}

// words reads the rows without a label.
func (j *jest) words(l line) {
	switch {
	case strings.HasPrefix(l.body(), "Summary of all failing tests"):
		if j.Repeats = true; j.run != nil {
			j.endReport(l.n)
		}
	case strings.HasPrefix(l.body(), "Ran all test suites"):
		if j.live() && j.Sure && j.Live && l.seq <= j.BlockAt+6 {
			j.settle()
		}
	case strings.HasPrefix(l.body(), "Determining test suites to run"):
		j.Signs++
	}
}

// end takes the block's counts: live ones, or the final ones.
func (j *jest) end(s *stream, l line) {
	if j.run != nil && j.run.Settled {
		if j.Pending.total() == 0 {
			return
		}
		*j = jest{Pending: j.Pending, Broke: j.Broke, Partly: j.Partly, BlockLine: j.BlockLine, BlockAt: j.BlockAt}
	}
	r := j.at(s, "jest", j.BlockLine)
	r.tally = j.Pending
	r.Hides = false
	j.Sure = true
	if j.Partly {
		j.Live = true
		return
	}
	j.settle()
}

// settle ends the run with the counts it has.
func (j *jest) settle() {
	r := j.run
	if j.Broke > 0 && r.Failed == 0 && r.Suites == 0 {
		r.Suites = j.Broke
	}
	r.Settled = true
	j.InFile, j.Repeats = false, false
}

// jestCounts reads "5 failed, 2 skipped, 1 todo, 63 passed, 71 total" and "1 failed, 3 of 7 total".
func jestCounts(s string) (c tally, ok bool) {
	for part := range strings.SplitSeq(s, ", ") {
		n, word, good := counted(part)
		if !good {
			return c, false
		}
		switch {
		case word == "failed":
			c.Failed = n
		case word == "skipped":
			c.Skipped = n
		case word == "todo":
			c.Todo = n
		case word == "passed":
			c.Passed = n
		case word == "total", strings.HasPrefix(word, "of ") && strings.HasSuffix(word, " total"):
			ok = true
		default:
			return c, false
		}
	}
	return c, ok
}
