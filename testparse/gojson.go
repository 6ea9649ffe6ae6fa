package testparse

import (
	"strconv"
	"strings"
)

// event reads a row of `go test -json`: {"Time":…,"Action":"pass","Package":…,"Test":…}.
func (g *goTest) event(s *stream, l line) {
	_, rest, ok := strings.Cut(l.text, `"Action":"`)
	if !ok || l.in != 0 {
		return
	}
	action, rest, _ := strings.Cut(rest, `"`)
	_, pkg, ok := strings.Cut(rest, `"Package":"`)
	if !ok {
		return
	}
	pkg, rest, _ = strings.Cut(pkg, `"`)
	_, test, isTest := strings.Cut(rest, `"Test":"`)
	test, rest, _ = strings.Cut(test, `"`)
	switch action {
	case "start":
		g.begin(s, l.n).Settled = false
		g.Open++
		g.sign(2)
	case "output":
		if isTest && g.run != nil {
			g.eventOutput(l, pkg, test, rest)
		}
	case "pass", "fail", "skip":
		g.eventEnd(s, l, action, pkg, test)
	case "run":
		g.begin(s, l.n).Settled = false
		g.sign(1)
	}
}

// eventOutput keeps where the rows of one test begin, and reads its
// "--- FAIL: TestX/sub (0.00s)", which the test itself does not print at this indent.
func (g *goTest) eventOutput(l line, pkg, test, rest string) {
	if who := hash(pkg) ^ hash(test); g.Who != who || g.Since == 0 {
		g.Who, g.Since = who, l.n
	}
	_, said, _ := strings.Cut(rest, `"Output":"`)
	text := strings.TrimLeft(said, " ")
	if !strings.HasPrefix(text, "--- FAIL: ") || len(said)-len(text) > 4*strings.Count(test, "/") {
		return
	}
	if name := text[len("--- FAIL: "):]; strings.HasPrefix(name, test) && strings.HasPrefix(name[len(test):], " (") &&
		g.run.failOnce(jsonText(pkg+"."+test), l.n) {
		g.run.told(len(g.run.Fails)-1, g.Since, l.n-1)
	}
}

// jsonText is what stands between the quotes of a JSON string, without its escapes.
func jsonText(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	if plain, err := strconv.Unquote(`"` + s + `"`); err == nil {
		return plain
	}
	return s
}

func (g *goTest) eventEnd(s *stream, l line, action, pkg, test string) {
	r := g.begin(s, l.n)
	if test == "" {
		g.Open--
		r.Settled = g.Open <= 0
		if action == "fail" && r.Failed == 0 {
			r.Broken = true
		}
		return
	}
	r.Settled = false
	switch action {
	case "pass":
		r.Passed++
	case "skip":
		r.Skipped++
	case "fail":
		r.Failed++
		r.failOnce(jsonText(pkg+"."+test), l.n)
	}
}
