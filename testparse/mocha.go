package testparse

import "strings"

// mocha 6 to 11. spec: suites at two spaces, tests deeper ("    ✔ name",
// "    1) name", "    - name"); the rows "  64 passing (561ms)", "  3 pending",
// "  4 failing" end it. No header: it takes several rows to be sure, and a form
// that is more its own goes first.
type mocha struct {
	talk
	Signs int   `json:"signs,omitempty"`
	Next  int   `json:"next,omitempty"`  // number of the next failure
	Ended int64 `json:"ended,omitempty"` // row of "passing"
	Named int   `json:"named,omitempty"`
	// Title: the last noted failure is named by a suite; its own name follows.
	Title int64 `json:"title,omitempty"`
}

func (m *mocha) feed(s *stream, l line) {
	m.Keep = m.reading(l)
	if l.in < 2 {
		return
	}
	switch c := l.first(); {
	case m.Title > 0 && l.seq == m.Title+1 && l.in >= 6 && strings.HasSuffix(l.body(), ":") && len(m.run.Fails) > 0:
		last := len(m.run.Fails) - 1
		m.run.rename(last, m.run.Fails[last].Name+" "+strings.TrimSuffix(l.body(), ":"))
	case c == 'a' && l.in >= 6 && m.run != nil && strings.HasPrefix(l.body(), "at "):
		m.run.reach(l.n)
	case c >= '0' && c <= '9':
		if !m.failureRow(s, l) && l.in == 2 {
			m.summaryRow(s, l)
		}
	case c == '-':
		if l.in >= 4 && l.in%2 == 0 && m.live() && strings.HasPrefix(l.body(), "- ") {
			m.run.Skipped++
		}
	case c >= 0x80:
		sign, rest := l.mark()
		if sign == '✔' || sign == '✓' {
			m.passRow(s, l, rest)
		}
	}
}

func (m *mocha) passRow(s *stream, l line, name string) {
	if l.in%2 != 0 || l.in < 4 || strings.HasSuffix(name, " ms)") {
		return
	}
	if _, node := cutNodeTime(name); node && strings.IndexByte(name[strings.LastIndexByte(name, '('):], '.') > 0 {
		return
	}
	if m.run != nil && m.run.Settled {
		*m = mocha{}
	}
	m.at(s, "mocha", l.n).Passed++
	m.sign()
}

func (m *mocha) sign() {
	m.Signs++
	if m.Signs >= 3 && !m.Sure && m.run.Passed > 0 { // "1)" alone is any list
		m.Sure, m.Weak = true, true
	}
}

// failureRow reads "    1) name": failures are numbered in sequence. After the
// summary they come again, in full.
func (m *mocha) failureRow(s *stream, l line) bool {
	n, name, ok := numbered(l.body())
	if !ok {
		return false
	}
	if m.run != nil && m.run.Settled {
		if l.in == 2 && n == m.Named+1 {
			m.told(l, name)
		}
		return true
	}
	if l.in < 4 || n != m.Next+1 {
		return true
	}
	m.Next++
	r := m.at(s, "mocha", l.n)
	r.Failed++
	r.fail(name, l.n)
	m.sign()
	return true
}

// told reads "  1) Suite" beneath the summary: a failure in full, in the order of
// the rows that named them, if there were such.
func (m *mocha) told(l line, name string) {
	m.run.shut(l.n, 1)
	m.Named++
	switch {
	case m.Named <= len(m.run.Fails):
	case m.run.Failed > len(m.run.Fails):
		m.run.fail(name, l.n)
		m.Title = l.seq
	default:
		return
	}
	m.run.report(m.Named-1, l.n)
	m.Keep = true
}

// reading says that a report is open, and goes on.
func (m *mocha) reading(l line) bool {
	if m.run == nil || m.run.Report == nil {
		return false
	}
	if l.n > m.run.Report.Reach+maxReport {
		m.run.Report = nil
	}
	return m.run.Report != nil
}

// summaryRow reads "  64 passing (561ms)" and the rows that follow it.
func (m *mocha) summaryRow(s *stream, l line) {
	n, word, ok := counted(l.body())
	if !ok {
		return
	}
	word, took, timed := strings.Cut(word, " (")
	switch {
	case word == "passing" && timed && isDuration(strings.TrimSuffix(took, ")")):
		m.end(s, l, n)
	case m.Ended == 0 || l.seq > m.Ended+4 || timed || !m.Sure:
	case word == "pending":
		m.run.Skipped = n
	case word == "failing":
		m.run.Failed = n
	}
}

func (m *mocha) end(s *stream, l line, passed int) {
	if m.run != nil && m.run.Settled {
		*m = mocha{}
	}
	r := m.at(s, "mocha", l.n)
	if r.Passed != passed { // not the rows of this reporter
		r.tally = tally{}
	}
	r.Passed, r.Settled = passed, true
	m.Sure, m.Weak, m.Ended = true, false, l.seq
}
