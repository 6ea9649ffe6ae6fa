package testparse

import "strings"

// deno test: "running 5 tests from ./a_test.ts", "name ... ok (5ms)", and
// "ok | 5 passed (2 steps) | 0 failed | 1 ignored (10ms)".
type deno struct {
	talk
	Signs int `json:"signs,omitempty"`
}

func (d *deno) feed(s *stream, l line) {
	if l.in != 0 {
		return
	}
	if rest, ok := strings.CutPrefix(l.text, "running "); ok {
		if n, word, ok := counted(rest); ok && n >= 0 && (strings.HasPrefix(word, "tests from ") || strings.HasPrefix(word, "test from ")) {
			if d.run != nil && d.run.Settled {
				*d = deno{}
			}
			d.at(s, "deno", l.n)
			d.Sure = true
		}
		return
	}
	if rest, ok := strings.CutPrefix(l.text, "ok | "); ok {
		d.summary(rest)
	} else if rest, ok := strings.CutPrefix(l.text, "FAILED | "); ok {
		d.summary(rest)
	} else if d.live() && d.Sure {
		d.test(l)
	}
}

func (d *deno) test(l line) {
	name, word, ok := cutLast(l.text, " ... ")
	if !ok {
		return
	}
	word, _ = cutDuration(word)
	switch word {
	case "ok":
		d.run.Passed++
	case "FAILED":
		d.run.Failed++
		d.run.fail(name, l.n)
	case "ignored":
		d.run.Skipped++
	}
}

func (d *deno) summary(rest string) {
	rest, timed := cutDuration(rest)
	if !timed || !d.live() {
		return
	}
	var c tally
	ok := list(rest, " | ", func(n int, word string) bool {
		word, _, _ = strings.Cut(word, " (")
		switch word {
		case "passed":
			c.Passed = n
		case "failed":
			c.Failed = n
		case "ignored":
			c.Skipped = n
		default:
			return word == "filtered out" || word == "measured"
		}
		return true
	})
	if ok {
		d.run.tally, d.run.Settled = c, true
	}
}
