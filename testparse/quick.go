package testparse

import "strings"

// The short ways. Most of a long run are rows of one or two kinds: tests that passed,
// and in go test and TAP the rows that announce them. The owner of a stream takes those
// itself, past the prefilter and the question who else may listen. A short way does what the
// long one would, to the bit of the saved state (TestShortWays), or leaves the row to it.

// quicker is a runner with a short way. It is asked only within its own run that is
// sure, not settled and has no report open. false: nothing was done.
type quicker interface {
	quick(s *stream, text string, n int64) bool
}

// quick takes a row by the owner's short way.
func (s *stream) quick(text string, n int64) bool {
	if s.Owner == 0 || s.Rival != 0 || len(text) < 3 || s.sc.redraws || s.sc.long {
		return false
	}
	q, t := s.quicks[s.Owner-1], s.bases[s.Owner-1]
	if q == nil || !t.Sure || t.Weak || !t.live() || t.run.Report != nil || !t.run.hasResult() {
		return false
	}
	return q.quick(s, text, n)
}

// pass counts a row in which a test passed.
func (s *stream) pass(t *talk) {
	s.Rows++
	t.run.Passed++
	t.seen.Passed++
	s.sc.rev++
}

// indent counts the leading spaces.
func indent(s string) int {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// quick takes "=== RUN   TestX", "=== PAUSE TestX", "=== CONT  TestX" and
// "    --- PASS: TestX/sub (0.00s)" of go test -v.
func (g *goTest) quick(s *stream, text string, n int64) bool {
	if !g.Verbose || g.Sum {
		return false
	}
	if text[0] == '=' {
		return g.quickRule(s, text, n)
	}
	in := indent(text)
	const pass = "--- PASS: "
	body := text[in:]
	if len(body) < len(pass)+8 || body[:len(pass)] != pass || body[len(body)-2:] != "s)" {
		return false
	}
	i := len(body) - 3
	for i > len(pass) && isDecimal[body[i]] {
		i--
	}
	if body[i] != '(' || body[i-1] != ' ' || i == len(body)-3 {
		return false
	}
	name := body[len(pass) : i-1]
	if strings.IndexByte(name, ' ') >= 0 || name == "" || in > 0 && in > 4*strings.Count(name, "/") || !g.Running.take(hash(name)) {
		return false
	}
	g.said(n)
	g.sign(1)
	s.pass(&g.talk)
	return true
}

// quickRule takes the rows between "=== " and a test's name.
func (g *goTest) quickRule(s *stream, text string, n int64) bool {
	if len(text) < 11 || text[:4] != "=== " {
		return false
	}
	switch text[4:10] {
	case "PAUSE ":
		g.said(n)
		s.Rows++
		return true
	case "RUN   ", "CONT  ":
	default:
		return false
	}
	if text[10] == ' ' {
		return false
	}
	g.said(n)
	g.Who, g.Since = hash(text[10:]), n
	if text[4] == 'R' {
		g.Running.add(g.Who)
	}
	s.Rows++
	return true
}

// quick takes the rows that node:test writes for a test that passed: "# Subtest: x",
// "ok 1 - x" and a YAML block of "---", "duration_ms: 1.2", "type: 'test'" and "...",
// of which the prefilter wants the first two and the last.
func (t *tap) quick(s *stream, text string, n int64) bool {
	if !t.Node || t.run.Runner != "node:test" {
		return false
	}
	in := indent(text)
	switch body := text[in:]; body[0] {
	case 'o':
		return t.quickOK(s, body, in)
	case '#':
		if strings.HasPrefix(body, "# Subtest: ") {
			s.Rows++
			return true
		}
	case '.':
		if in > 0 && body == "..." {
			s.Rows++
			return true
		}
	case '-':
		return in > 0 && body == "---"
	case 'd':
		return in > 0 && strings.HasPrefix(body, durationMS) && allIn(body[len(durationMS):], isDecimal)
	case 't':
		return in > 0 && body == "type: 'test'"
	}
	return false
}

const durationMS = "duration_ms: "

// quickOK takes "ok 1 - name" without a directive.
func (t *tap) quickOK(s *stream, body string, in int) bool {
	if in%4 != 0 || in > 64 || !strings.HasPrefix(body, "ok ") {
		return false
	}
	num, name, ok := number(body[3:])
	if !ok || name == "" || name[0] != ' ' || name[len(name)-1] == '{' || strings.IndexByte(name, '#') >= 0 {
		return false
	}
	depth := in / 4
	if !t.inSequence(depth, num) {
		s.Rows++
		return true
	}
	t.Deep = depth
	if depth == 0 {
		t.Seen++
	}
	t.Last = tapResult{C: tally{Passed: 1}, Fails: len(t.run.Fails)}
	s.pass(&t.talk)
	return true
}

// quick takes "  ✔ name (1.2ms)" of the spec reporter: a test, or the end of a suite.
func (t *nodeTest) quick(s *stream, text string, n int64) bool {
	in := indent(text)
	rest, ok := strings.CutPrefix(text[in:], "✔ ")
	if !ok || t.Mute || t.Signs < 2 || rest == "" || rest[0] == ' ' || strings.IndexByte(rest, '#') >= 0 {
		return false
	}
	name, timed := cutNodeTime(rest)
	if !timed {
		return false
	}
	t.Signs++
	if len(t.Open) > 0 {
		if t.pop(in, name) {
			s.Rows++
			return true
		}
		t.unwind(in)
	}
	s.pass(&t.talk)
	return true
}

// quick takes "    ✓ name (2 ms)" of the verbose reporter.
func (j *jest) quick(s *stream, text string, n int64) bool {
	in := indent(text)
	if in < 2 || j.Console > 0 || !j.InFile || !j.ByRows || j.Live || j.run.Hides || !strings.HasPrefix(text[in:], "✓ ") {
		return false
	}
	j.sign()
	s.pass(&j.talk)
	return true
}

// quick takes " ✓ src/a.test.ts > Suite > name 1ms" of the verbose reporter.
func (v *vitest) quick(s *stream, text string, n int64) bool {
	const lead = " ✓ "
	if v.By != 'v' || v.run.Hides || !strings.HasPrefix(text, lead) {
		return false
	}
	path, name, ok := strings.Cut(text[len(lead):], " > ")
	if !ok || !isScriptPath(lastWord(path)) || strings.Contains(name, " (retry x") {
		return false
	}
	v.InFail = false
	s.pass(&v.talk)
	return true
}
