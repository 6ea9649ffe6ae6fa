package testparse

import "strings"

// node:test's spec reporter, node 18 to 24: "▶ Suite", "  ✔ name (1.2ms)",
// "  ✖ name", "  ﹣ name # SKIP"; a suite ends with a row like a test's. The
// block "ℹ tests" … "ℹ duration_ms" settles. Its TAP output is in tap.go.
type nodeTest struct {
	talk
	Open  []nodeSuite `json:"open,omitempty"`
	Signs int         `json:"signs,omitempty"`
	Mute  bool        `json:"mute,omitempty"` // "Failed tests:" of the dot reporter
	// Wide is the indent of the row that began the open report.
	Wide  int       `json:"wide,omitempty"`
	Block nodeBlock `json:"block,omitzero"`
}

// nodeSuite is a suite that has begun.
type nodeSuite struct {
	In   int    `json:"in"`
	Name string `json:"name"`
}

// nodeBlock is the summary while it is read; Step is how many of its rows came.
type nodeBlock struct {
	Step int   `json:"step,omitempty"`
	At   int64 `json:"at,omitempty"` // row of the stream
	Line int64 `json:"line,omitempty"`
	C    tally `json:"c,omitzero"`
}

func (t *nodeTest) feed(s *stream, l line) {
	sign, rest := l.mark()
	switch sign {
	case 0:
		if l.in == 0 && l.text == "Failed tests:" && !t.live() {
			t.Mute = true
		}
		t.stackRow(l)
	case '▶':
		t.Mute = false
		t.suite(s, l, rest)
	case '✔', '✖', '﹣', '⚠':
		if !t.Mute {
			t.test(s, l, sign, rest)
		}
	case 'ℹ':
		if l.in == 0 && t.Block.read(rest, l) {
			t.settle(s)
		}
	}
}

// suite pushes a suite; "▶ Suite (5ms)" is how old versions end one.
func (t *nodeTest) suite(s *stream, l line, name string) {
	if bare, ok := cutNodeTime(name); ok {
		t.pop(l.in, bare)
		return
	}
	if t.run != nil && t.run.Settled {
		*t = nodeTest{}
	}
	t.at(s, "node:test", l.n)
	t.unwind(l.in)
	if len(t.Open) < 64 {
		t.Open = append(t.Open, nodeSuite{l.in, clip(name)})
	}
}

// pop ends the suite of that indent and name, if it is open.
func (t *nodeTest) pop(in int, name string) bool {
	for i := len(t.Open) - 1; i >= 0 && t.Open[i].In >= in; i-- {
		if t.Open[i].In == in && t.Open[i].Name == cut(name) {
			t.Open = t.Open[:i]
			return true
		}
	}
	return false
}

// unwind forgets suites that a row of this indent cannot be in.
func (t *nodeTest) unwind(in int) {
	for len(t.Open) > 0 && t.Open[len(t.Open)-1].In >= in {
		t.Open = t.Open[:len(t.Open)-1]
	}
}

func (t *nodeTest) test(s *stream, l line, sign rune, rest string) {
	name, note := rest, ""
	if strings.IndexByte(rest, '#') > 0 {
		name, note, _ = cutLast(rest, " # ")
	}
	if note != "" && (!isDirective(note) || !strings.HasSuffix(name, "ms)") && sign != '﹣') {
		name, note = rest, ""
	}
	name, timed := cutNodeTime(name)
	if t.run != nil && t.run.Settled {
		if sign != '✔' || !timed {
			t.again(l, name)
			return // the failures, told again
		}
		*t = nodeTest{}
	}
	if timed && len(t.Open) == 0 && t.Signs < 2 && strings.IndexByte(rest[len(name):], '.') < 0 || strings.HasPrefix(rest, " ") {
		return // "✓ built (12ms)" of another program
	}
	if t.run != nil {
		t.run.Report = nil
	}
	if !timed && (sign != '✖' || len(t.Open) == 0 || t.Open[len(t.Open)-1].In >= l.in) && note == "" {
		return
	}
	if t.run != nil && t.pop(l.in, name) {
		t.Signs++
	} else {
		t.unwind(l.in)
		t.count(s, l, sign, name, note)
	}
	if t.Signs >= 2 {
		t.Sure = true
	}
}

func (t *nodeTest) count(s *stream, l line, sign rune, name, note string) {
	r := t.at(s, "node:test", l.n)
	t.Signs++
	switch {
	case strings.HasPrefix(note, "SKIP") || sign == '﹣' && note == "":
		r.Skipped++
	case strings.HasPrefix(note, "TODO"):
		r.Todo++
	case sign == '✔':
		r.Passed++
	case sign == '✖':
		r.Failed++
		r.fail(name, l.n)
		r.reportLast(l.n)
		t.Wide = l.in
	}
}

// again reads a row beneath "✖ failing tests:".
func (t *nodeTest) again(l line, name string) {
	t.run.shut(l.n, 2)
	name = cut(name)
	t.run.report(t.run.untold(func(s string) bool { return s == name }), l.n)
	t.Wide = l.in
	t.Keep = t.run.Report != nil
}

// stackRow reads the rows of a report that can be told from others: "    at file:1:2"
// and the "  }" that ends an error. node 20 tells it at once, others at the end.
func (t *nodeTest) stackRow(l line) {
	if t.run == nil || t.run.Report == nil {
		t.Keep = false
		return
	}
	if l.in > t.Wide && (strings.HasPrefix(l.body(), "at ") || l.body() == "}") {
		t.run.reach(l.n)
	} else if l.in <= t.Wide && l.n > t.run.Report.Reach+maxReport {
		t.run.Report, t.Keep = nil, false
	}
}

// settle takes the block's counts.
func (t *nodeTest) settle(s *stream) {
	if t.run == nil || t.run.Settled {
		t.open(s, "node:test", t.Block.Line)
	}
	t.run.tally, t.run.Settled = t.Block.C, true
	t.run.Report = nil
	t.Sure, t.Open, t.Block = true, nil, nodeBlock{}
}

// read takes one row of the block ("tests 72") and says whether it is complete:
// from tests to duration_ms, in order, none but suites left out.
func (b *nodeBlock) read(s string, l line) bool {
	word, value, _ := strings.Cut(s, " ")
	n, rest, ok := number(value)
	if word == "tests" {
		*b = nodeBlock{Step: 1, At: l.seq, Line: l.n}
		return false
	}
	if b.Step == 0 || !ok || l.seq > b.At+12 || rest != "" && word != "duration_ms" {
		return false
	}
	switch word {
	case "pass":
		b.C.Passed = n
	case "fail", "cancelled":
		b.C.Failed += n
	case "skipped":
		b.C.Skipped = n
	case "todo":
		b.C.Todo = n
	case "duration_ms":
		return b.Step >= 6
	case "suites":
		return false
	default:
		return false
	}
	b.Step++
	return false
}

var isDecimal = bytesOf("0123456789.")

// cutNodeTime takes " (0.1234ms)" off; node always prints milliseconds, nearly
// always with a fraction.
func cutNodeTime(s string) (string, bool) {
	i := len(s) - 4
	if i < 2 || s[i+1:] != "ms)" {
		return s, false
	}
	for i > 0 && isDecimal[s[i]] {
		i--
	}
	if i < 2 || i == len(s)-4 || s[i] != '(' || s[i-1] != ' ' {
		return s, false
	}
	return s[:i-1], true
}

// isDirective knows what stands after " # ".
func isDirective(s string) bool {
	return len(s) >= 4 && (strings.EqualFold(s[:4], "SKIP") || strings.EqualFold(s[:4], "TODO"))
}
