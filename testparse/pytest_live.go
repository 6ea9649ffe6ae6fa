package testparse

import "strings"

// The rows of pytest while tests run.

// liveRow reads the rows between the header and the first section.
func (p *pytest) liveRow(s *stream, l line) {
	if strings.HasPrefix(l.text, "collect") && (strings.HasPrefix(l.text, "collected ") || strings.HasPrefix(l.text, "collecting ")) {
		p.Part = 'l'
		return
	}
	if p.verboseRow(l) {
		p.Open = false
		return
	}
	if c, ok := pytestSummary(l.text); ok {
		if p.Quiet && p.run != nil && c.total() > 0 {
			p.settle(c)
		}
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
	if ok && pythonPath(path) && allIn(letters, isPytestSign) {
		return letters
	}
	if (p.Open || margin || p.Part == 'l' && p.Sure) && allIn(text, isPytestSign) && (margin || p.Open || len(text) > 2) {
		return text
	}
	return ""
}

// quietLetters gives the letters of a row that may begin a run of -q: only
// letters and the margin.
func (p *pytest) quietLetters(l line) string {
	if text, margin := cutMargin(l.text); margin && allIn(text, isPytestSign) {
		return text
	}
	return ""
}

const pytestSigns = ".FEsxXRu,-"

var isPytestSign = bytesOf(pytestSigns)

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
	if s == "" || s[len(s)-1] != 's' && s[len(s)-1] != ')' || len(s) > 400 {
		return c, false
	}
	i := strings.LastIndex(s, " in ")
	if i < 0 {
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
	i := len(s) - 2
	for i > 0 && len(s)-i < 16 && isMargin[s[i]] {
		i--
	}
	if i < 1 || s[i] != '[' || s[i-1] != ' ' || i+2 == len(s) {
		return s, false
	}
	return trimRight(s[:i-1]), true
}

// isMargin are the signs of "[ 10%]", "[ 7/69]" and "[ 1.2s]".
var isMargin = bytesOf(" 0123456789%/.")

func pythonPath(s string) bool {
	if s == "" || s[len(s)-1] != 'y' && s[len(s)-1] != 't' && s[len(s)-1] != 'd' {
		return false
	}
	return strings.HasSuffix(s, ".py") || strings.HasSuffix(s, ".txt") || strings.HasSuffix(s, ".rst") || strings.HasSuffix(s, ".md")
}
