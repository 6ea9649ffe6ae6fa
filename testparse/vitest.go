package testparse

import "strings"

// vitest 1 to 5. Header " RUN  v3.2.7 /srv/app"; then a row for each finished
// file (" ✓ src/a.test.ts (19 tests | 1 skipped) 5ms"), or with --verbose a row
// for each test; on a terminal a live summary with one space after its labels;
// at the end the summary block, with two.
type vitest struct {
	talk
	// By is what the counts come from: 'f' rows of files, 'v' rows of tests, 'l' the live summary.
	By      byte `json:"by,omitempty"`
	Section byte `json:"section,omitempty"` // 's' Failed Suites, 't' Failed Tests
	InFail  bool `json:"in_fail,omitempty"` // the last file row was of a failing file
	// Block counts the rows of the summary seen in sequence.
	Block    int   `json:"block,omitempty"`
	BlockEnd int64 `json:"block_end,omitempty"`
	Pending  tally `json:"pending,omitzero"`
	Files    int   `json:"files,omitempty"` // failed files of the block
	Errors   int   `json:"errors,omitempty"`
	Suites   int   `json:"suites,omitempty"`
	// FailAt is the line of the last " FAIL " row: one beneath it shares its report.
	FailAt int64 `json:"fail_at,omitempty"`
	// Arrow is the line of the last message beneath a failed test of a file's rows.
	Arrow int64 `json:"arrow,omitempty"`
	// Told: how many of the noted failures a " FAIL " row named again.
	Told []bool `json:"told,omitempty"`
}

func (v *vitest) feed(s *stream, l line) {
	v.read(s, l)
	if v.run != nil && v.run.total() > 0 {
		v.Sure = true
	}
}

func (v *vitest) read(s *stream, l line) {
	switch l.first() {
	case 'R', 'D':
		if v.header(s, l) {
			return
		}
		v.summaryRow(s, l)
		return
	case 'F':
		v.failRow(s, l)
		return
	case 'T', 'S', 'E':
		v.summaryRow(s, l)
		return
	}
	if sign, rest := l.mark(); sign != 0 && v.run != nil && !v.run.Settled {
		v.signRow(s, l, sign, rest)
		return
	}
	switch {
	case strings.HasPrefix(l.text, "⎯⎯"):
		v.heading(l)
	case strings.HasPrefix(l.text, "No test files found") && v.live() && v.run.total() == 0:
		v.run.Settled, v.run.Hides = true, false
		v.run.Broken = strings.HasSuffix(l.text, "exiting with code 1")
	}
}

// header opens a run: " RUN  v4.1.12 /srv/webapp", " DEV  v…", " RERUN  …".
func (v *vitest) header(s *stream, l line) bool {
	again := l.in == 1 && strings.HasPrefix(l.body(), "RERUN  ")
	if !again && !isVitestHeader(l) {
		return false
	}
	if again && v.run == nil {
		return false
	}
	where := s.Where
	old := v.run
	*v = vitest{talk: v.talk}
	r := v.open(s, "vitest", l.n)
	r.Where = where
	if again {
		r.Where, r.Hides = old.Where, old.Hides // stands once it shows a result
		old.Settled = false                     // till then the old counts, of a run under way
		s.sc.rev++
	} else {
		version, folder, _ := strings.Cut(l.body()[len("RUN  v"):], " ")
		r.Where = clip(where + " " + folder)
		major, rest, _ := number(version)
		minor, _, _ := number(strings.TrimPrefix(rest, "."))
		r.Hides = major > 4 || major == 4 && minor >= 1
	}
	v.Sure = !again
	return true
}

func isVitestHeader(l line) bool {
	return l.in == 1 && len(l.body()) > 7 && (strings.HasPrefix(l.body(), "RUN  v") || strings.HasPrefix(l.body(), "DEV  v")) &&
		digitAt(l.body(), 6)
}

// signRow reads rows that begin with a sign.
func (v *vitest) signRow(s *stream, l line, sign rune, rest string) {
	switch sign {
	case '✓', '×', '↓', '□', '✗':
	case '❯':
		if v.run.Report != nil && l.in == 1 {
			v.run.reach(l.n) // " ❯ src/cart.test.ts:11:70"
		}
	case '→':
		if i := len(v.run.Fails) - 1; i >= 0 && max(v.run.Fails[i].Line, v.run.Fails[i].EndLine) == l.n-1 {
			v.run.told(i, v.run.Fails[i].Line, l.n)
			v.Arrow = l.n
		}
		return
	default:
		return
	}
	if sign == '✓' && l.in >= 1 {
		v.run.Hides = s.sc.redraws && v.By == 0 // the tree of vitest 1 and 2
	}
	if l.in == 1 {
		if path, name, ok := strings.Cut(rest, " > "); ok && isScriptPath(lastWord(path)) {
			if sign != '❯' {
				v.testRow(l, sign, name)
			}
			return
		}
		if c, path, ok := vitestFile(rest); ok {
			v.fileRow(l, path, c)
		}
		return
	}
	if !v.InFail && !s.sc.redraws {
		return
	}
	if i := len(v.run.Fails) - 1; v.Arrow > 0 && i >= 0 && l.in >= 3 {
		if v.run.Fails[i].EndLine == v.Arrow && l.n <= v.Arrow+50 && v.By == 'f' {
			v.run.told(i, v.run.Fails[i].Line, l.n-1) // a message of several lines
		}
		v.Arrow = 0
	}
	switch {
	case sign == '×' && l.in >= 3 && s.sc.redraws:
		v.redrawn(vitestName(rest), l.n)
	case sign == '×' && l.in >= 3:
		v.run.fail(vitestName(rest), l.n)
	case sign == '❯' && l.in == 3 && v.By == 'f':
		if path, name, ok := strings.Cut(rest, " > "); ok && isScriptPath(path) {
			v.run.fail(name, l.n)
		}
	}
}

// fileRow counts a finished file.
func (v *vitest) fileRow(l line, path string, c tally) {
	v.InFail = c.Failed > 0
	if v.By == 0 {
		v.By = 'f'
	}
	if v.By == 'f' {
		v.run.add(c)
	}
}

// testRow counts a test of the verbose reporter.
func (v *vitest) testRow(l line, sign rune, name string) {
	v.InFail = false
	if v.By == 0 {
		v.By = 'v'
	}
	var c tally
	switch sign {
	case '✓':
		c.Passed = 1
		if strings.Contains(name, " (retry x") {
			c.Flaky = 1
		}
	case '×', '✗':
		c.Failed = 1
		v.run.fail(vitestName(name), l.n)
	case '↓':
		c.Skipped = 1
	case '□':
		c.Todo = 1
	}
	if v.By == 'v' {
		v.run.add(c)
	}
}

// redrawn notes a failing test of a row that may come again. The tree of vitest
// 1 and 2 on a terminal is drawn anew on every tick: it can be read for failures
// only, the summary brings the counts.
func (v *vitest) redrawn(name string, n int64) {
	if v.run.failOnce(name, n) && v.By == 0 {
		v.run.Failed = len(v.run.Fails)
	}
}

// failRow reads " FAIL  file > suite > name" and " FAIL  file [ file ]", which
// follow all tests: they give the names in full.
func (v *vitest) failRow(s *stream, l line) {
	if l.in != 1 || !strings.HasPrefix(l.body(), "FAIL  ") {
		return
	}
	what := l.body()[len("FAIL  "):]
	path, name, deep := strings.Cut(what, " > ")
	if !deep {
		path, _, _ = strings.Cut(what, " [ ")
	}
	path = strings.TrimSpace(path)
	if !isScriptPath(lastWord(path)) {
		return
	}
	if v.run == nil || v.run.Settled {
		if v.run != nil || !deep {
			return // of jest, or nothing that one could count on
		}
		v.open(s, "vitest", l.n)
	}
	if !deep || v.Section == 's' {
		if v.Section != 's' {
			v.Suites++
			v.run.Suites = v.Suites
		}
		v.run.failSuite(what, l.n)
		v.run.reportSuite(l.n)
		return
	}
	i := v.tell(what, name, l.n)
	if v.FailAt > 0 && v.FailAt == l.n-1 && v.run.Report != nil {
		v.run.share(i, l.n)
	} else {
		v.run.report(i, l.n)
	}
	v.FailAt = l.n
}

// tell gives a noted failure its full name, or notes a new one; it gives the
// index of it, -1 if it is not kept.
func (v *vitest) tell(full, name string, n int64) int {
	for len(v.Told) < len(v.run.Fails) {
		v.Told = append(v.Told, false)
	}
	for i, f := range v.run.Fails {
		if !v.Told[i] && (name == f.Name || strings.HasSuffix(name, " > "+f.Name)) {
			v.Told[i] = true
			v.run.rename(i, full)
			return i
		}
	}
	if v.run.failOnce(full, n) {
		v.Told = append(v.Told, true)
		if v.run.Failed < len(v.run.Fails) && v.By != 'l' {
			v.run.Failed = len(v.run.Fails)
		}
	}
	return v.run.find(full)
}

// endReport ends the report of a failure before line n: one blank line parts
// them, two where no source is shown.
func (v *vitest) endReport(n int64) {
	if p := v.run.Report; p != nil && n-p.Reach == 3 {
		v.run.shut(n, 2)
	} else {
		v.run.shut(n, 1)
	}
}

// heading reads "⎯⎯ Failed Suites 2 ⎯⎯", "⎯⎯ Failed Tests 4 ⎯⎯", "⎯⎯ Unhandled Errors ⎯⎯".
func (v *vitest) heading(l line) {
	if v.run == nil || v.run.Settled {
		return
	}
	v.endReport(l.n)
	text := strings.Trim(l.text, "⎯ ")
	switch {
	case strings.HasPrefix(text, "Failed Suites "):
		if n, _, ok := number(text[len("Failed Suites "):]); ok {
			v.Section, v.Suites, v.run.Suites = 's', n, n
		}
	case strings.HasPrefix(text, "Failed Tests "):
		v.Section = 't'
	case strings.HasPrefix(text, "Unhandled"):
		v.Section, v.run.Broken = 'u', true
	}
}
