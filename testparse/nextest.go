package testparse

import "strings"

// cargo nextest: "    Starting 45 tests across 3 binaries", "        PASS [
// 0.005s] crate tests::name", "     Summary [   0.1s] 45 tests run: 43 passed, 2 failed, 1 skipped".
type nextest struct {
	talk
}

func (t *nextest) feed(s *stream, l line) {
	if t.live() && (l.in >= 4 || l.first() >= 0x80) {
		t.reportRow(l)
	}
	if l.in < 2 {
		return
	}
	word, rest, ok := strings.Cut(l.body(), " ")
	if !ok {
		return
	}
	switch word {
	case "Starting":
		n, w, ok := counted(rest)
		if ok && n > 0 && strings.Contains(w, " across ") && strings.Contains(w, "binar") {
			t.open(s, "nextest", l.n)
			t.Sure = true
		}
	case "Summary":
		t.summary(l, rest)
	case "PASS", "FAIL", "SKIP", "LEAK", "TIMEOUT", "SIGABRT", "SIGSEGV", "FLAKY":
		t.test(l, word, rest)
	}
}

// reportRow reads "──── STDERR:  crate tests::name", which begins what a failed
// test printed; any other row of nextest's own ends it.
func (t *nextest) reportRow(l line) {
	head, name, ok := strings.Cut(l.text, ":")
	ok = ok && strings.HasPrefix(head, "──── STD")
	if !ok && l.first() >= 0x80 && !strings.HasPrefix(l.text, "────") {
		return
	}
	t.run.shut(l.n, 0)
	if name = cut(strings.TrimSpace(strings.TrimRight(name, "─"))); ok && name != "" {
		t.run.report(t.run.untold(func(s string) bool { return s == name }), l.n)
	}
}

// test reads "[   0.005s] (12/45) crate tests::name".
func (t *nextest) test(l line, word, rest string) {
	if !t.live() || !strings.HasPrefix(rest, "[") {
		return
	}
	_, name, ok := strings.Cut(rest, "] ")
	if !ok {
		return
	}
	name = strings.TrimLeft(name, " ")
	if strings.HasPrefix(name, "(") {
		_, name, _ = strings.Cut(name, ") ")
	}
	switch word {
	case "PASS", "LEAK", "FLAKY":
		t.run.Passed++
	case "SKIP":
		t.run.Skipped++
	default:
		t.run.Failed++
		t.run.fail(strings.TrimLeft(name, " "), l.n)
	}
}

// summary reads "[   0.1s] 45 tests run: 43 passed (1 slow, 2 flaky), 2 failed, 1 skipped".
func (t *nextest) summary(l line, rest string) {
	_, rest, ok := strings.Cut(rest, "] ")
	if !ok || !t.live() {
		return
	}
	head, rest, ok := strings.Cut(rest, " run: ")
	if !ok || !strings.Contains(head, "test") {
		return
	}
	var c tally
	for rest != "" {
		var part string
		part, rest = cutPart(rest)
		n, word, ok := counted(part)
		if !ok {
			return
		}
		word, inner, _ := strings.Cut(word, " (")
		switch word {
		case "passed":
			c.Passed = n
			for p := range strings.SplitSeq(strings.TrimSuffix(inner, ")"), ", ") {
				if k, w, ok := counted(p); ok && w == "flaky" {
					c.Flaky, c.Passed = k, n-k
				}
			}
		case "skipped":
			c.Skipped = n
		default:
			c.Failed += n // failed, timed out, exec failed
		}
	}
	t.run.tally, t.run.Settled = c, true
}

// cutPart cuts at the first ", " outside of brackets.
func cutPart(s string) (head, rest string) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				return s[:i], strings.TrimPrefix(s[i+1:], " ")
			}
		}
	}
	return s, ""
}
