package testparse

import "strings"

// cargo nextest: "    Starting 45 tests across 3 binaries", "        PASS [
// 0.005s] crate tests::name", "     Summary [   0.1s] 45 tests run: 43 passed, 2 failed, 1 skipped".
type nextest struct {
	talk
}

func (t *nextest) feed(s *stream, l line) {
	if l.in < 2 {
		return
	}
	word, rest, ok := strings.Cut(l.body, " ")
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
