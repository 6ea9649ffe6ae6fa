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
	wide := len(l.text) >= 78 || l.text[1] == ' '
	if c, ok := pytestSummary(title); ok {
		if p.ends(s, l, wide) {
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
	p.Signs++
	p.Part, p.Report, p.Inner, p.Open = 's', section, false, false
	if p.Signs >= 2 {
		p.Sure = true
	}
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
		return
	}
	p.run.fail(name, n)
	if p.Quiet && p.run.Failed < len(p.run.Fails) {
		p.run.Failed = len(p.run.Fails)
	}
}

// reportRow reads the rows of "short test summary info" and the summary of -q.
func (p *pytest) reportRow(s *stream, l line) {
	if p.run == nil || p.run.Settled {
		return
	}
	if c, ok := pytestSummary(l.text); ok && !p.Inner {
		if p.Report == 'i' || p.Report == 'o' || p.Quiet && p.Report != 0 {
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

// liveRow reads the rows between the header and the first section.
func (p *pytest) liveRow(s *stream, l line) {
	if strings.HasPrefix(l.text, "collected ") || strings.HasPrefix(l.text, "collecting ") {
		p.Part = 'l'
		return
	}
	if c, ok := pytestSummary(l.text); ok {
		if p.Quiet && p.run != nil && c.total() > 0 {
			p.settle(c)
		}
		return
	}
	if p.verboseRow(l) {
		p.Open = false
		return
	}
	if p.run == nil {
		if p.quietLetters(l) == "" {
			return
		}
		p.open(s, "pytest", l.n)
		p.Part, p.Quiet, p.Signs = 'l', true, 1
	}
	letters := p.letters(l)
	if letters == "" {
		p.Open = false
		return
	}
	p.Part, p.Open = 'l', true
	p.run.add(pytestLetters(letters))
}

// letters gives the outcome letters of "tests/test_api.py EE..F   [ 10%]" or of
// a row that goes on with such a one.
func (p *pytest) letters(l line) string {
	text, margin := cutMargin(l.text)
	path, letters, ok := strings.Cut(text, " ")
	if ok && pythonPath(path) && allIn(letters, pytestSigns) {
		return letters
	}
	if (p.Open || margin || p.Part == 'l' && p.Sure) && allIn(text, pytestSigns) && (margin || p.Open || len(text) > 2) {
		return text
	}
	return ""
}

// quietLetters gives the letters of a row that may begin a run of -q: only
// letters and the margin.
func (p *pytest) quietLetters(l line) string {
	if text, margin := cutMargin(l.text); margin && allIn(text, pytestSigns) {
		return text
	}
	return ""
}

const pytestSigns = ".FEsxXRu,-"

var isPytestSign = func() (t [256]bool) {
	for i := range len(pytestSigns) {
		t[pytestSigns[i]] = true
	}
	return t
}()

func pytestLetters(s string) (c tally) {
	for i := range len(s) {
		switch s[i] {
		case '.':
			c.Passed++
		case 'F', 'E':
			c.Failed++
		case 's':
			c.Skipped++
		}
	}
	return c
}

// verboseRow reads "tests/t.py::test_x[p] PASSED   [  3%]", and xdist's
// "[gw1] [  4%] ERROR tests/t.py::test_x".
func (p *pytest) verboseRow(l line) bool {
	text := l.text
	if strings.HasPrefix(text, "[gw") {
		_, rest, ok := strings.Cut(text, "] ")
		if !ok {
			return false
		}
		if strings.HasPrefix(rest, "[") {
			if _, rest, ok = strings.Cut(rest, "] "); !ok {
				return false
			}
		}
		word, name, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		return strings.Contains(name, "::") && p.outcome(word, trimRight(name), l.n)
	}
	text, _ = cutMargin(text)
	if strings.HasSuffix(text, ")") { // SKIPPED (reason)
		if i := lastOpen(text); i > 0 {
			text = text[:i]
		}
	}
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		if p.Last != "" && p.outcome(text, p.Last, p.LastAt) {
			p.Last = ""
			return true
		}
		return false
	}
	name, word := text[:i], text[i+1:]
	path, test, ok := strings.Cut(name, "::")
	if !ok || !pythonPath(path) {
		if path, _, found := strings.Cut(text, "::"); found && pythonPath(path) {
			p.hold(text, l.n)
		}
		return false
	}
	if p.outcome(word, trimRight(name), l.n) {
		return true
	}
	// -s: the program's output follows the name
	test, _, _ = strings.Cut(test, " ")
	p.hold(path+"::"+test, l.n)
	return false
}

// hold keeps a -v row whose outcome stands on a later row (-s).
func (p *pytest) hold(name string, n int64) {
	p.Last, p.LastAt = clip(name), n
}

// outcome counts one test of -v.
func (p *pytest) outcome(word, name string, n int64) bool {
	var c tally
	switch word {
	case "PASSED", "SUBPASS":
		c.Passed = 1
	case "FAILED", "ERROR", "SUBFAIL":
		c.Failed = 1
	case "SKIPPED":
		c.Skipped = 1
	case "XFAIL", "XPASS", "RERUN":
	default:
		return false
	}
	if p.run == nil {
		return false
	}
	p.Named, p.Last = true, ""
	if c.Failed > 0 {
		p.run.fail(name, n)
	}
	p.run.add(c)
	p.Part = 'l'
	return true
}

// pytestSection knows the titles of the report.
func pytestSection(title string) byte {
	switch title {
	case "ERRORS":
		return 'e'
	case "FAILURES":
		return 'f'
	case "short test summary info":
		return 'i'
	case "warnings summary", "warnings summary (final)", "PASSES", "XFAILURES", "XPASSES", "rerun test summary info", "tests coverage":
		return 'o'
	}
	if strings.HasPrefix(title, "slowest ") {
		return 'o'
	}
	return 0
}

// pytestSummary reads the whole of "3 failed, 61 passed, 2 errors in 0.21s",
// "no tests ran in 0.01s", "5 passed in 75.10s (0:01:15)".
func pytestSummary(s string) (c tally, ok bool) {
	i := strings.LastIndex(s, " in ")
	if i < 0 || len(s) > 400 {
		return c, false
	}
	took := s[i+4:]
	if j := strings.Index(took, " ("); j > 0 && strings.HasSuffix(took, ")") {
		took = took[:j]
	}
	if !isDuration(took) {
		return c, false
	}
	if s[:i] == "no tests ran" {
		return c, true
	}
	for part := range strings.SplitSeq(s[:i], ", ") {
		n, word, ok := counted(part)
		if !ok {
			return c, false
		}
		switch word {
		case "failed", "error", "errors":
			c.Failed += n
		case "passed":
			c.Passed = n
		case "skipped":
			c.Skipped = n
		case "deselected", "xfailed", "xpassed", "warning", "warnings", "rerun", "subtests passed",
			"subtest passed", "subtests failed", "subtest failed", "subtests skipped", "subtest skipped":
		default:
			return c, false
		}
	}
	return c, true
}

// ruled gives the title within a rule of a sign: at least one sign and a space
// on either side.
func ruled(s string, sign byte) string {
	a, b := 0, len(s)
	for a < b && s[a] == sign {
		a++
	}
	for b > a && s[b-1] == sign {
		b--
	}
	if a == 0 || b == len(s) || b-a < 3 || s[a] != ' ' || s[b-1] != ' ' {
		return ""
	}
	return s[a+1 : b-1]
}

// cutMargin takes "   [ 10%]" or "  [ 7/69]" off the end.
func cutMargin(s string) (string, bool) {
	if !strings.HasSuffix(s, "]") {
		return s, false
	}
	i := strings.LastIndex(s, " [")
	if i < 0 || len(s)-i > 16 || !allIn(s[i+2:len(s)-1], " 0123456789%/.") {
		return s, false
	}
	return trimRight(s[:i]), true
}

func pythonPath(s string) bool {
	return strings.HasSuffix(s, ".py") || strings.HasSuffix(s, ".txt") || strings.HasSuffix(s, ".rst") || strings.HasSuffix(s, ".md")
}
