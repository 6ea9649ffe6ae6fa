package testparse

import "strings"

// bun test: header "bun test v1.4.5 (a7733435c)", rows "(pass) Suite > name
// [1ms]" (✓, ✗, », ✎ under colours); for an agent only failures. Failures and
// skips come again at the end; " 65 pass", " 3 fail" and "Ran 71 tests" end it.
type bun struct {
	talk
	Again   bool  `json:"again,omitempty"`
	Pending tally `json:"pending,omitzero"`
	Errors  int   `json:"errors,omitempty"`
	// Since is the last row of bun's own: what follows it is of the next test.
	Since int64 `json:"since,omitempty"`
}

func (b *bun) feed(s *stream, l line) {
	if l.in == 0 && strings.HasPrefix(l.text, "bun test v") && digitAt(l.text, 10) {
		*b = bun{}
		b.open(s, "bun", l.n).Hides = true
		b.Sure = true
		return
	}
	if !b.live() {
		return
	}
	switch c := l.first(); {
	case l.in <= 1 && c >= '0' && c <= '9' && b.countRow(l):
	case l.in != 0:
	case c >= '0' && c <= '9':
		if _, word, ok := counted(l.text); ok && strings.HasSuffix(word, ":") && strings.HasPrefix(word, "test") {
			b.Again = true
		}
	case c == '(':
		if word, rest, ok := strings.Cut(l.text, " "); ok {
			b.testRow(l, word, rest)
		}
	case c >= 0x80:
		word, rest, _ := strings.Cut(l.text, " ")
		b.testRow(l, word, rest)
	case strings.HasPrefix(l.text, "Ran "):
		b.end(l)
	case strings.HasSuffix(l.text, ":") && isScriptPath(l.text[:len(l.text)-1]):
		b.Since = l.n
	}
}

func (b *bun) testRow(l line, word, rest string) {
	if b.Again {
		return
	}
	name, timed := cutDuration(rest)
	r := b.run
	switch word {
	case "(pass)", "✓":
		if word == "✓" && !timed && !strings.Contains(rest, " > ") {
			return // printed by a test
		}
		r.Passed++
		r.Hides = false
	case "(fail)", "✗":
		r.Failed++
		r.fail(name, l.n)
		if b.Since > 0 && l.n-b.Since <= maxReport && len(r.Fails) <= maxFailures {
			r.told(len(r.Fails)-1, b.Since+1, l.n-1)
		}
	case "(skip)", "»":
		r.Skipped++
	case "(todo)", "✎":
		r.Todo++
	default:
		return
	}
	b.Since = l.n
}

// countRow reads " 65 pass", without the space where --dots is on.
func (b *bun) countRow(l line) bool {
	n, word, ok := counted(l.body())
	if !ok {
		return false
	}
	switch word {
	case "pass":
		b.Pending = tally{Passed: n}
		b.Errors = 0
	case "skip":
		b.Pending.Skipped = n
	case "todo":
		b.Pending.Todo = n
	case "fail":
		b.Pending.Failed = n
	case "error", "errors":
		b.Errors = n
	default:
		return false
	}
	return true
}

// end reads "Ran 71 tests across 6 files. [364.00ms]".
func (b *bun) end(l line) {
	_, word, ok := counted(l.text[len("Ran "):])
	if ok && strings.HasPrefix(word, "test") && strings.Contains(word, " across ") {
		b.run.tally, b.run.Settled = b.Pending, true
		b.run.Broken = b.Errors > 0
	}
}
