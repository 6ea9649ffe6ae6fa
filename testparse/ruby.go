package testparse

import "strings"

// RSpec: "40 examples, 2 failures, 2 pending" after a row "Finished in … (files
// took …)"; failures are numbered in the section "Failures:". The documentation
// format marks them at once: "discounts (FAILED - 1)".
type rspec struct {
	talk
	Next     int   `json:"next,omitempty"`
	Listing  bool  `json:"listing,omitempty"` // within "Failures:"
	Finished int64 `json:"finished,omitempty"`
}

func (r *rspec) feed(s *stream, l line) {
	switch c := l.first(); {
	case l.in == 0 && c == 'F':
		r.word(s, l)
	case l.in == 0 && c == 'P' && strings.HasPrefix(l.text, "Pending:"):
		r.Listing = false
	case l.in == 0 && c >= '0' && c <= '9':
		r.summary(s, l)
	case l.in == 2 && r.Listing && c >= '0' && c <= '9':
		if n, title, ok := numbered(l.body()); ok && n == r.Next+1 && r.live() {
			r.Next++
			if r.run.Failed < n {
				r.run.Failed = n
			}
			r.run.shut(l.n, 1)
			if len(r.run.Fails) < n {
				r.run.fail(title, l.n)
			}
			r.run.report(n-1, l.n)
		}
	default:
		r.marked(s, l)
	}
}

func (r *rspec) word(s *stream, l line) {
	switch {
	case l.text == "Failures:":
		if !r.live() {
			*r = rspec{}
			r.open(s, "rspec", l.n).Hides = true
		}
		r.Listing = true
	case strings.HasPrefix(l.text, "Finished in ") && strings.Contains(l.text, "(files took "):
		r.Finished = l.seq
		if r.Listing = false; r.run != nil {
			r.run.shut(l.n, 1)
		}
	}
}

// marked reads "    discounts (FAILED - 1)" of the documentation format.
func (r *rspec) marked(s *stream, l line) {
	if l.in < 2 || l.text[len(l.text)-1] != ')' {
		return
	}
	name, n, ok := cutLast(l.body(), " (FAILED - ")
	if !ok {
		return
	}
	k, rest, ok := number(n)
	if !ok || rest != ")" || r.run != nil && (r.run.Settled || k != len(r.run.Fails)+1) || r.run == nil && k != 1 {
		return
	}
	run := r.at(s, "rspec", l.n)
	run.Hides = true
	run.Failed++
	run.fail(name, l.n)
	r.Sure, r.Weak = true, true
}

func (r *rspec) summary(s *stream, l line) {
	if r.Finished == 0 || l.seq > r.Finished+2 {
		return
	}
	total, outside, c := -1, 0, tally{}
	ok := list(l.text, ", ", func(n int, word string) bool {
		switch word {
		case "example", "examples":
			total = n
		case "failure", "failures":
			c.Failed = n
		case "pending":
			c.Skipped = n
		default:
			outside = n
			return strings.HasSuffix(word, "occurred outside of examples")
		}
		return true
	})
	if !ok || total < 0 {
		return
	}
	if !r.live() {
		r.open(s, "rspec", l.n)
	}
	c.Passed = max(0, total-c.Failed-c.Skipped)
	r.run.tally, r.run.Settled, r.run.Suites = c, true, outside
	r.Sure, r.Weak, r.Finished, r.Next = true, false, 0, 0
}

// minitest: "Run options: --seed 1", "# Running:", dots, numbered failures, and
// "28 runs, 26 assertions, 1 failures, 1 errors, 1 skips".
type minitest struct {
	talk
	Finished int64 `json:"finished,omitempty"`
	Next     int   `json:"next,omitempty"`
	Title    int64 `json:"title,omitempty"` // row of the last failure; its name is on the next
}

func (m *minitest) feed(s *stream, l line) {
	if m.live() && m.Title > 0 && l.seq == m.Title+1 && l.in == 0 && strings.HasSuffix(l.text, ":") {
		name, _, _ := strings.Cut(strings.TrimSuffix(l.text, ":"), " [")
		m.run.rename(len(m.run.Fails)-1, name)
		m.Title = 0
		return
	}
	switch c := l.first(); {
	case c == '#' && l.text == "# Running:", c == 'R' && strings.HasPrefix(l.text, "Run options: ") && strings.Contains(l.text, "--seed "):
		if !m.live() {
			*m = minitest{}
			m.open(s, "minitest", l.n).Hides = true
		}
		m.Sure = m.Sure || c == '#'
	case c == 'F' && l.in == 0 && strings.HasPrefix(l.text, "Finished in ") && strings.Contains(l.text, " runs/s"):
		m.Finished = l.seq
	case c >= '0' && c <= '9' && l.in == 0:
		m.summary(s, l)
	case c >= '0' && c <= '9' && l.in == 2:
		m.failure(l)
	}
}

// failure reads "  1) Error:"; the name stands on the row after it.
func (m *minitest) failure(l line) {
	n, kind, ok := numbered(l.body())
	if !ok || n != m.Next+1 || !m.live() {
		return
	}
	kind, _, _ = strings.Cut(kind, ":")
	m.Next = n
	m.run.shut(l.n, 1)
	if kind == "Error" || kind == "Failure" {
		m.run.Failed++
		m.run.fail(kind+" "+l.body()[:strings.IndexByte(l.body(), ')')], l.n)
		m.run.reportLast(l.n)
		m.Title = 0
		if len(m.run.Fails) == m.run.Failed {
			m.Title = l.seq
		}
	}
}

func (m *minitest) summary(s *stream, l line) {
	runs, seen, c := -1, 0, tally{}
	ok := list(l.text, ", ", func(n int, word string) bool {
		seen++
		switch word {
		case "run", "runs":
			runs = n
		case "failure", "failures", "error", "errors":
			c.Failed += n
		case "skip", "skips":
			c.Skipped = n
		default:
			return word == "assertions" || word == "assertion"
		}
		return true
	})
	if !ok || runs < 0 || seen < 5 || !m.live() && m.Finished == 0 {
		return
	}
	if !m.live() {
		m.open(s, "minitest", l.n)
	}
	m.run.shut(l.n, 1)
	c.Passed = max(0, runs-c.Failed-c.Skipped)
	m.run.tally, m.run.Settled = c, true
	m.Sure, m.Finished, m.Next = true, 0, 0
}
