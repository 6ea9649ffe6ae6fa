package testparse

import "strings"

// go test, as text (-v or not), with -json, and through gotestsum. Results count
// with their subtests and parents, as `go test -v` prints them. Without -v no
// passing test is ever shown. A green run has no last row: it is settled when
// all packages begun so far have ended.
type goTest struct {
	talk
	Signs   int   `json:"signs,omitempty"`
	Verbose bool  `json:"verbose,omitempty"`
	Running names `json:"running,omitzero"`   // -v: begun and not ended, by hash
	Closing bool  `json:"closing,omitempty"`  // the bare FAIL, or a panic, before the package's row
	FailAt  int64 `json:"fail_at,omitempty"`  // line of the last "--- FAIL"
	PkgFail int   `json:"pkg_fail,omitempty"` // failures of the package at hand
	Open    int   `json:"open,omitempty"`     // -json: packages begun and not ended
	Sum     bool  `json:"sum,omitempty"`      // gotestsum
	// Said: what tests printed before their result (-v), first and last line.
	Said map[uint64][2]int64 `json:"said,omitempty"`
	// Who runs since line Since.
	Who   uint64 `json:"who,omitempty"`
	Since int64  `json:"since,omitempty"`
}

func (g *goTest) feed(s *stream, l line) {
	switch l.first() {
	case '=':
		g.ruleRow(s, l)
	case '-':
		g.resultRow(s, l, l.body())
	case 'o', 'F', '?':
		g.packageRow(s, l)
	case 'p':
		if strings.HasPrefix(l.text, "panic: ") {
			g.Closing = true
		}
	case 'P', 'S':
		g.sumRow(s, l)
	case 'D':
		g.doneRow(s, l)
	case '{':
		g.event(s, l)
	default:
		if strings.HasSuffix(l.text, "s)") {
			if i := strings.Index(l.text, "--- "); i > 0 {
				g.resultRow(s, l, l.text[i:])
			}
		}
		if strings.HasSuffix(l.text, "FAIL") {
			g.Closing = true
		}
	}
}

// begin gives the run at hand; a settled one goes on, for the next package.
func (g *goTest) begin(s *stream, n int64) *runState {
	return g.at(s, "go", n)
}

func (g *goTest) sign(n int) {
	g.Signs += n
	if g.Signs >= 2 {
		g.Sure = true
	}
}

// ruleRow reads "=== RUN   TestX" and its like, and gotestsum's "=== FAIL: api TestX (0.00s)".
func (g *goTest) ruleRow(s *stream, l line) {
	if l.in != 0 || !strings.HasPrefix(l.text, "=== ") {
		return
	}
	kind, name := l.text[4:4+wordEnd(l.text[4:], 0)], ""
	switch kind {
	case "RUN", "CONT", "NAME":
		name = strings.TrimLeft(l.text[4+len(kind):], " ")
	}
	if g.run != nil && g.Verbose {
		if g.said(l.n); name != "" {
			g.Who, g.Since = hash(name), l.n
		}
	}
	if kind == "RUN" && name != "" {
		g.begun(s, l, name)
		return
	}
	rest, ok := strings.CutPrefix(l.text, "=== FAIL: ")
	if !ok {
		return
	}
	rest, timed := cutDuration(rest)
	pkg, name, ok := strings.Cut(rest, " ")
	if !ok || !timed {
		return
	}
	r := g.begin(s, l.n)
	g.Sum = true
	g.sign(1)
	if r.find(name) < 0 && r.find(pkg+"."+name) < 0 {
		r.fail(pkg+"."+name, l.n)
		r.Failed = max(r.Failed, len(r.Fails))
	}
	r.shut(l.n, 1)
	r.report(g.named(pkg, name), l.n)
}

// named finds a failure that gotestsum names "pkg name".
func (g *goTest) named(pkg, name string) int {
	full := cut(pkg + "." + name)
	return g.run.untold(func(s string) bool { return s == full || s == name || strings.HasSuffix(s, "/"+full) })
}

// begun notes that a test runs (-v).
func (g *goTest) begun(s *stream, l line, name string) {
	r := g.begin(s, l.n)
	if !g.Verbose {
		g.sign(1) // the rest of the proof is a result
		g.Verbose = true
		g.Who, g.Since = hash(name), l.n
	}
	r.Settled = false
	g.Running.add(g.Who)
}

// said keeps, of -v, which lines the test at hand printed: those from "=== RUN",
// "=== CONT" or "=== NAME" on, up to the next such row or result at line n.
func (g *goTest) said(n int64) {
	if g.Since > 0 && n > g.Since+1 && len(g.Said) < maxFailures {
		if g.Said == nil {
			g.Said = map[uint64][2]int64{}
		}
		g.Said[g.Who] = [2]int64{g.Since, n - 1}
	}
	g.Since = 0
}

// resultRow reads "--- PASS: TestX/sub (0.00s)".
func (g *goTest) resultRow(s *stream, l line, text string) {
	rest, ok := strings.CutPrefix(text, "--- ")
	if !ok {
		return
	}
	if g.run != nil && g.Verbose && len(text) == len(l.body()) {
		g.said(l.n)
	}
	if len(rest) < 7 || rest[4:6] != ": " {
		return
	}
	word, name := rest[:4], rest[6:]
	if word != "PASS" && word != "FAIL" && word != "SKIP" {
		return
	}
	name, timed := cutDuration(name)
	if !timed || strings.IndexByte(name, ' ') >= 0 {
		return
	}
	if strings.HasPrefix(l.body(), "---") && l.in > 4*strings.Count(name, "/") {
		return // within what a test prints
	}
	who := hash(name)
	if g.Verbose && !g.Sum {
		if !g.Running.take(who) {
			return
		}
	}
	r := g.begin(s, l.n)
	if !g.Sum {
		r.Settled = false
		r.shut(l.n, 0)
	}
	g.sign(1)
	switch word {
	case "PASS":
		r.Passed++
	case "SKIP":
		r.Skipped++
	case "FAIL":
		if g.Sum && r.find(name) >= 0 {
			return
		}
		r.Failed++
		g.PkgFail++
		g.FailAt = l.n
		r.fail(name, l.n)
		if said, ok := g.Said[who]; ok && g.Verbose {
			r.told(len(r.Fails)-1, said[0], said[1])
		} else if !g.Sum {
			r.reportLast(l.n)
		}
	}
}

// packageRow reads "ok  \tpkg\t0.01s", "FAIL\tpkg\t0.2s", "FAIL\tpkg [build failed]",
// "?   \tpkg\t[no test files]" and the bare "FAIL".
func (g *goTest) packageRow(s *stream, l line) {
	if l.in != 0 {
		return
	}
	if l.text == "FAIL" {
		if g.run != nil {
			g.run.shut(l.n, 0)
		}
		g.Closing = true
		if g.run != nil && g.Sure && g.Running.size() == 0 && g.PkgFail == 0 {
			g.run.Settled = true
		}
		return
	}
	if strings.HasPrefix(l.text, "FAIL ") {
		g.sumRow(s, l)
		return
	}
	word, rest, ok := strings.Cut(l.text, "\t")
	if !ok || rest == "" {
		return
	}
	switch word {
	case "ok  ":
		g.endPackage(s, l)
	case "?   ":
		if strings.HasSuffix(rest, "[no test files]") && g.run != nil {
			g.sign(1)
		}
	case "FAIL":
		g.failedPackage(s, l, rest)
	}
}

func (g *goTest) endPackage(s *stream, l line) *runState {
	r := g.begin(s, l.n)
	g.sign(2)
	r.Never = !g.Verbose && !g.Sum && r.Passed == 0
	r.Settled = g.Running.size() == 0 || !g.Verbose
	g.Closing, g.PkgFail = false, 0
	g.Running, g.Said, g.Since = names{}, nil, 0
	r.shut(l.n, 0)
	return r
}

func (g *goTest) failedPackage(s *stream, l line, rest string) {
	if strings.HasSuffix(rest, " failed]") { // build, setup
		pkg, _, _ := strings.Cut(rest, " ")
		r := g.endPackage(s, l)
		r.Suites++
		r.failSuite(pkg, l.n)
		return
	}
	if !g.Closing && (g.Verbose && g.Running.size() > 0 || g.FailAt+1 == l.n) {
		g.ghost(l)
		return
	}
	fails := g.PkgFail
	r := g.endPackage(s, l)
	if fails == 0 {
		r.Broken = true
	}
}

// ghost takes back a failure that a test only printed: its "package" ends
// without the bare FAIL of a test binary.
func (g *goTest) ghost(l line) {
	if g.run == nil || g.Verbose || g.FailAt+1 != l.n || g.PkgFail == 0 || len(g.run.Fails) == 0 {
		return
	}
	g.run.drop(len(g.run.Fails) - 1)
	g.run.Failed--
	g.PkgFail--
	g.FailAt = 0
}
