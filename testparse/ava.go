package testparse

import "strings"

// ava: "  ✔ a › case 0", "  ✘ [fail]: a › discount", "  - [skip] a › later"; then
// "  2 tests failed", "  1 test skipped" or "  31 tests passed" at two spaces.
type ava struct {
	talk
	Signs int   `json:"signs,omitempty"`
	Rule  int64 `json:"rule,omitempty"` // row of "  ─"
}

func (a *ava) feed(s *stream, l line) {
	if l.in != 2 || a.Rule > 0 && a.live() && a.told(l) {
		return
	}
	switch c := l.first(); {
	case c == '-':
		if a.live() || strings.HasPrefix(l.body(), "- [") {
			a.other(s, l)
		}
	case c >= '0' && c <= '9':
		a.summary(l)
	case l.body() == "─":
		if a.Rule = l.seq; a.live() {
			a.run.shut(l.n, 1)
		}
	case c >= 0x80:
		if sign, rest := l.mark(); sign == '✔' || sign == '✘' {
			a.test(s, l, sign, rest)
		}
	}
}

// told reads "  a › discount" beneath the rule: a failure in full.
func (a *ava) told(l line) bool {
	if a.run.find(l.body()) < 0 {
		return false
	}
	a.run.shut(l.n, 3)
	name := cut(l.body())
	a.run.report(a.run.untold(func(s string) bool { return s == name }), l.n)
	return true
}

func (a *ava) test(s *stream, l line, sign rune, rest string) {
	name, failed := strings.CutPrefix(rest, "[fail]: ")
	if failed != (sign == '✘') || !failed && !strings.Contains(rest, " › ") && !a.Sure {
		return
	}
	if strings.HasSuffix(rest, "ms)") {
		if bare, ok := cutNodeTime(rest); ok && strings.IndexByte(rest[len(bare):], '.') > 0 {
			return // node:test
		}
	}
	r := a.start(s, l)
	if failed {
		r.Failed++
		r.fail(name, l.n)
	} else {
		r.Passed++
	}
	a.sign()
}

func (a *ava) other(s *stream, l line) {
	switch {
	case strings.HasPrefix(l.body(), "- [skip] "):
		a.start(s, l).Skipped++
	case strings.HasPrefix(l.body(), "- [todo] "):
		a.start(s, l).Todo++
	default:
		return
	}
	a.sign()
}

func (a *ava) start(s *stream, l line) *runState {
	if a.run != nil && a.run.Settled {
		*a = ava{}
	}
	return a.at(s, "ava", l.n)
}

func (a *ava) sign() {
	if a.Signs++; a.Signs >= 2 && !a.Sure {
		a.Sure, a.Weak = true, true
	}
}

// summary reads "2 tests failed"; the first of its rows settles, as the others
// only repeat what the rows of the tests said.
func (a *ava) summary(l line) {
	n, word, ok := counted(l.body())
	if !ok || !a.live() || !a.Sure {
		return
	}
	switch strings.TrimPrefix(word, "tests ") {
	case "test failed", "failed":
		a.run.Failed, a.run.Settled, a.Weak = n, true, false
	case "test passed", "passed":
		a.run.Passed, a.run.Settled, a.Weak = n, true, false
	case "uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections":
		a.run.Broken = true
	}
}
