package testparse

import "strings"

// pytest 6 to 8, with xdist, rerunfailures, subtests. Header "=== test session
// starts ==="; letters after a file's name or a word after a test's name; then
// sections between "===" rules; the last rule is the summary. With -q there is
// neither header nor rule around the summary.
type pytest struct {
	talk
	// Part: 0 nothing yet, 'h' header, 'l' live rows, 's' a section of the report
	Part   byte `json:"part,omitempty"`
	Signs  int  `json:"signs,omitempty"`
	Named  bool `json:"named,omitempty"`  // -v: rows give names
	Report byte `json:"report,omitempty"` // section: 'e' ERRORS, 'f' FAILURES, 'i' short summary, 'o' other
	Inner  bool `json:"inner,omitempty"`  // captured output within a section
	Quiet  bool `json:"quiet,omitempty"`  // no header: -q
	// Last is the name of a -v row whose word has not come yet (-s).
	Last   string `json:"last,omitempty"`
	LastAt int64  `json:"last_at,omitempty"`
	// Open: the last live row was letters, so a row of letters may go on with it.
	Open bool `json:"open,omitempty"`
}

func (p *pytest) feed(s *stream, l line) {
	if l.in != 0 {
		return
	}
	switch c := l.first(); c {
	case '=':
		p.rule(s, l)
		return
	case '_':
		p.title(l)
		return
	case '-':
		if p.Part == 's' && strings.HasPrefix(l.text, "-----") && strings.Contains(l.text, " Captured ") {
			p.Inner = true
		}
		return
	case '!':
		return
	}
	if p.Part == 's' {
		p.reportRow(s, l)
		return
	}
	if p.run != nil && p.run.Settled {
		if p.quietLetters(l) == "" {
			return
		}
		*p = pytest{}
	}
	if p.run != nil || p.quietLetters(l) != "" {
		p.liveRow(s, l)
	}
}

// rule reads a line of "=" around a title.
func (p *pytest) rule(s *stream, l line) {
	title := ruled(l.text, '=')
	if title == "" {
		return
	}
	if title == "test session starts" {
		*p = pytest{}
		p.open(s, "pytest", l.n)
		p.Part, p.Sure = 'h', true
		return
	}
	if isCollection(title) && p.live() && p.run.total() == 0 {
		s.sc.withdraw(p.run) // --collect-only: no run after all
		s.Owner = 0
		*p = pytest{}
		return
	}
	wide := len(l.text) >= 78 || l.text[1] == ' '
	if c, ok := pytestSummary(title); ok {
		if p.ends(s, l, wide) {
			p.run.shut(l.n, 0)
			p.settle(c)
		}
		return
	}
	section := pytestSection(title)
	if section == 0 {
		return
	}
	if p.run == nil || p.run.Settled {
		*p = pytest{}
		p.open(s, "pytest", l.n)
	}
	p.run.shut(l.n, 0)
	p.Signs++
	p.Part, p.Report, p.Inner, p.Open = 's', section, false, false
	if p.Signs >= 2 {
		p.Sure = true
	}
}

// isCollection reads "63 tests collected in 0.02s", "2/63 tests collected (61 deselected) in …".
func isCollection(title string) bool {
	head, took, ok := cutLast(title, " in ")
	if !ok || !isDuration(took) {
		return false
	}
	return strings.Contains(head, " tests collected") || strings.Contains(head, " test collected") || head == "no tests collected"
}

// ends says that a summary rule is pytest's own: the whole width of the
// terminal, and with a run before it; or the command says so.
func (p *pytest) ends(s *stream, l line, wide bool) bool {
	if p.run != nil && !p.run.Settled {
		return wide && (p.Sure || p.Signs > 0)
	}
	if (s.sc.cmd.names("pytest") || s.sc.cmd.cuts) && wide {
		*p = pytest{}
		p.open(s, "pytest", l.n)
		return true
	}
	return false
}

func (p *pytest) settle(c tally) {
	r := p.run
	r.Report = nil
	r.tally, r.Settled = c, true
	p.Sure = true
	p.Part = 0
}

// title reads "____ TestCart.test_discount ____" and "___ ERROR at setup of x ___".
func (p *pytest) title(l line) {
	if p.Part != 's' || p.Report != 'e' && p.Report != 'f' || p.run.Settled {
		return
	}
	name := ruled(l.text, '_')
	if name == "" {
		return
	}
	p.Inner = false
	p.Sure = true
	p.run.shut(l.n, 0)
	if name == "summary" || strings.HasPrefix(name, "coverage:") {
		return
	}
	p.name(name, l.n)
}

// name notes a failure of the report unless a -v row named it before.
func (p *pytest) name(name string, n int64) {
	name = strings.TrimPrefix(name, "ERROR at setup of ")
	name = strings.TrimPrefix(name, "ERROR at teardown of ")
	name = strings.TrimPrefix(name, "ERROR collecting ")
	if p.Named && len(p.run.Fails) > 0 {
		p.run.report(p.titled(name), n)
		return
	}
	p.run.fail(name, n)
	p.run.reportLast(n)
	if p.Quiet && p.run.Failed < len(p.run.Fails) {
		p.run.Failed = len(p.run.Fails)
	}
}

// titled finds the failure that a title "TestCart.test_discount[a.b]" tells of
// among those that -v rows named "tests/test_cart.py::TestCart::test_discount[a.b]".
func (p *pytest) titled(title string) int {
	head, param, cut := strings.Cut(cut(title), "[")
	tail := "::" + strings.ReplaceAll(head, ".", "::")
	if cut {
		tail += "[" + param
	}
	return p.run.untold(func(name string) bool { return strings.HasSuffix(name, tail) })
}

// reportRow reads the rows of "short test summary info" and the summary of -q.
func (p *pytest) reportRow(s *stream, l line) {
	if p.run == nil || p.run.Settled {
		return
	}
	if c, ok := pytestSummary(l.text); ok && !p.Inner {
		if p.Report == 'i' || p.Report == 'o' || p.Quiet && p.Report != 0 {
			p.run.shut(l.n, 0)
			p.settle(c)
		}
		return
	}
	if p.Report != 'i' {
		return
	}
	word, rest, ok := strings.Cut(l.text, " ")
	if !ok || word != "FAILED" && word != "ERROR" {
		return
	}
	if len(p.run.Fails) < p.run.Failed || p.run.Failed == 0 {
		name, _, _ := strings.Cut(rest, " - ")
		p.run.failOnce(name, l.n)
		if p.run.Failed < len(p.run.Fails) {
			p.run.Failed = len(p.run.Fails)
		}
	}
}
