package testparse

import "strings"

// jest 27 to 30. No header: "PASS src/a.test.js" for each file, "  ● Suite › name"
// for each failure, with --verbose a row for each test; the summary block begins
// with "Test Suites:". The default reporter shows no passing test before that.
type jest struct {
	talk
	Signs     int    `json:"signs,omitempty"` // rows of jest's own form seen in this run
	ByRows    bool   `json:"by_rows,omitempty"`
	InFile    bool   `json:"in_file,omitempty"` // PASS or FAIL came before
	File      string `json:"file,omitempty"`
	FileAt    int64  `json:"file_at,omitempty"`
	Console   int    `json:"console,omitempty"` // indent+1 of an open console block
	Repeats   bool   `json:"repeats,omitempty"` // under "Summary of all failing tests"
	Live      bool   `json:"live,omitempty"`    // counts come from the redrawn block
	Block     int    `json:"block,omitempty"`
	BlockAt   int64  `json:"block_at,omitempty"` // row of "Test Suites:" within its stream
	BlockLine int64  `json:"block_line,omitempty"`
	Pending   tally  `json:"pending,omitzero"`
	Broke     int    `json:"broke,omitempty"`  // failed suites of the block
	Partly    bool   `json:"partly,omitempty"` // "3 of 7 total" or whole seconds: live, or the end after --bail
}

func (j *jest) feed(s *stream, l line) {
	if j.Console > 0 {
		if l.in >= j.Console+1 && !strings.HasPrefix(l.body(), "at ") {
			return
		}
		j.Console = 0
	}
	switch c := l.first(); c {
	case 'a':
		if j.live() && l.in >= 6 && strings.HasPrefix(l.body(), "at ") {
			j.run.reach(l.n) // of a stack
		}
	case 'P', 'F':
		j.fileRow(s, l)
	case 'T', 'S', 'R', 'J', 'D':
		j.summaryRow(s, l)
	case 'c':
		if (l.in == 2 || l.in == 4) && isConsole(l.body()) {
			j.Console = l.in + 1
			if j.run != nil {
				j.endReport(l.n)
			}
		}
	default:
		if c < 0x80 {
			return
		}
		sign, rest := l.mark()
		if sign == '●' && l.in == 2 {
			j.failureRow(s, l, rest)
		} else if l.in >= 2 && j.InFile && j.run != nil && !j.run.Settled {
			j.testRow(l, sign, rest)
		}
	}
}

func isConsole(s string) bool {
	switch s {
	case "console.log", "console.error", "console.warn", "console.info", "console.debug", "console.trace",
		"console.dir", "console.assert", "console.count", "console.time", "console.group":
		return true
	}
	return false
}

// fileRow reads "PASS src/a.test.js", "FAIL unit src/b.test.js (5.2 s)".
func (j *jest) fileRow(s *stream, l line) {
	word, rest, ok := strings.Cut(l.body(), " ")
	if !ok || word != "PASS" && word != "FAIL" || l.in > 1 {
		return
	}
	rest, _ = cutDuration(strings.TrimSpace(rest))
	path := lastWord(rest)
	if !isScriptPath(path) || strings.Contains(rest, " > ") {
		return
	}
	if j.run != nil && j.run.Settled {
		*j = jest{talk: talk{}}
	}
	r := j.at(s, "jest", l.n)
	j.endReport(l.n)
	if j.File == rest && word == "FAIL" && j.Repeats {
		return
	}
	if !j.ByRows && !j.Live {
		r.Hides = true
	}
	j.InFile, j.File, j.FileAt = true, clip(rest), l.n
	j.sign()
}

// sign notes one more row of jest's own form; two are proof.
func (j *jest) sign() {
	j.Signs++
	if j.Signs >= 2 {
		j.Sure = true
	}
}

// failureRow reads "  ● Suite › name" and its namesakes.
func (j *jest) failureRow(s *stream, l line, name string) {
	if j.run == nil || j.run.Settled || !j.InFile {
		return
	}
	j.endReport(l.n)
	switch {
	case name == "Console", strings.HasPrefix(name, "Cannot log after tests are done"),
		strings.HasPrefix(name, "Deprecation Warning"), strings.HasPrefix(name, "Validation"):
		j.sign()
		return
	case name == "Test suite failed to run":
		j.sign()
		if !j.Repeats {
			j.run.Suites++
			j.run.failSuite(j.File, j.FileAt)
			j.run.reportSuite(j.FileAt)
		}
		return
	}
	j.sign()
	if j.Repeats {
		return
	}
	if i := j.known(name); i >= 0 {
		if j.run.Fails[i].Detail == 0 && j.run.Fails[i].Line != l.n {
			j.run.report(i, l.n)
		}
		return
	}
	j.run.fail(name, l.n)
	j.run.reportLast(l.n)
	if !j.Live {
		j.run.Failed++
	}
}

// endReport ends the report of a failure before line n: with its stack, where it
// has one.
func (j *jest) endReport(n int64) {
	if p := j.run.Report; p != nil && p.Reach > p.Start {
		j.run.Report = nil
	}
	j.run.shut(n, 1)
}

// known finds a failure whose row was seen, -1 if there is none: the same title,
// or its last part on a verbose row, which gets its full name now.
func (j *jest) known(name string) int {
	if i := j.run.find(name); i >= 0 || !j.ByRows {
		return i
	}
	for i := len(j.run.Fails) - 1; i >= 0; i-- {
		f := j.run.Fails[i]
		if f.Line <= j.FileAt-2 {
			break // of another file
		}
		if head, ok := strings.CutSuffix(name, f.Name); ok && strings.HasSuffix(head, "› ") {
			j.run.rename(i, name)
			return i
		}
	}
	return -1
}

// testRow counts a row of the verbose reporter.
func (j *jest) testRow(l line, sign rune, rest string) {
	var c tally
	switch sign {
	case '✓', '√':
		c.Passed = 1
	case '✕', '×':
		c.Failed = 1
	case '○':
		c.Skipped = 1
	case '✎':
		c.Todo = 1
	default:
		return
	}
	if !j.ByRows {
		j.ByRows = true
		if !j.Live {
			j.run.tally = tally{}
		}
	}
	j.run.Hides = false
	j.sign()
	if c.Failed > 0 {
		name, _ := cutDuration(rest)
		j.run.fail(name, l.n)
	}
	if !j.Live {
		j.run.add(c)
	}
}
