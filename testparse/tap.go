package testparse

import "strings"

// TAP 12 to 14 of any program, and as node:test, vitest, mocha and ava write it.
// Results carry numbers in sequence at each depth; a row that is out of sequence
// was printed by a test. A plan that is met settles; node:test ends with a block
// of its own.
type tap struct {
	talk
	Header bool      `json:"header,omitempty"`
	Plan   int       `json:"plan,omitempty"`
	Seen   int       `json:"seen,omitempty"` // results at depth 0
	Next   []int     `json:"next,omitempty"` // by depth: the number expected
	Deep   int       `json:"deep,omitempty"` // depth of the last result
	Node   bool      `json:"node,omitempty"`
	Brace  bool      `json:"brace,omitempty"` // suites come before their tests and end with " {": vitest
	Last   tapResult `json:"last,omitzero"`
	Block  nodeBlock `json:"block,omitzero"`
}

// tapResult is the last result, which its YAML block may yet call a suite.
type tapResult struct {
	C     tally `json:"c,omitzero"`
	Fails int   `json:"fails,omitempty"`
}

func (t *tap) feed(s *stream, l line) {
	switch l.first() {
	case 'T':
		if l.in == 0 && strings.HasPrefix(l.text, "TAP version 1") {
			*t = tap{Header: true}
			t.open(s, "tap", l.n)
		}
	case '1':
		if l.in == 0 {
			t.plan(l)
		}
	case 'o', 'n':
		t.result(s, l)
	case 't':
		if t.Node && l.body() == "type: 'suite'" {
			t.takeBack()
		}
	case '.':
		if t.run != nil && t.run.Report != nil && l.body() == "..." && l.in == t.Deep*4+2 {
			t.run.shut(l.n+1, 0) // the end of its YAML block
		}
	case '#':
		t.comment(s, l)
	}
}

// plan reads "1..40".
func (t *tap) plan(l line) {
	if !strings.HasPrefix(l.text, "1..") {
		return
	}
	n, rest, ok := number(l.text[3:])
	if !ok || rest != "" && rest[0] != ' ' || t.run != nil && t.run.Settled {
		return
	}
	if t.run != nil {
		t.run.shut(l.n, 0)
	}
	t.Plan = n
	t.finish()
}

// finish settles a run whose plan is met. node:test has its block for that, and
// vitest's list lacks the files that did not load.
func (t *tap) finish() {
	if t.run != nil && t.Sure && t.Plan > 0 && t.Seen >= t.Plan && !t.Node && t.run.Runner == "tap" {
		t.run.Settled, t.Weak = true, false
	}
}

// result reads "ok 1 - name", "not ok 2 name # TODO why".
func (t *tap) result(s *stream, l line) {
	text, good := strings.CutPrefix(l.body(), "ok ")
	if !good {
		var bad bool
		if text, bad = strings.CutPrefix(l.body(), "not ok "); !bad {
			return
		}
	}
	n, name, ok := number(text)
	if !ok || l.in%4 != 0 || l.in > 64 || name != "" && name[0] != ' ' {
		return
	}
	if t.run != nil && t.run.Settled {
		if n != 1 || l.in != 0 {
			return
		}
		*t = tap{}
	}
	depth := l.in / 4
	if !t.inSequence(depth, n) {
		return
	}
	r := t.at(s, "tap", l.n)
	r.shut(l.n, 0)
	parent := depth < t.Deep
	t.Deep = depth
	if depth == 0 {
		t.Seen++
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, " "), "- ")
	t.count(r, name, good, parent, l)
	if t.Header || t.Seen >= 3 || t.Node {
		t.Sure = true
		t.Weak = !t.Header && !t.Node
	}
	t.finish()
}

// inSequence keeps the number that each depth expects.
func (t *tap) inSequence(depth, n int) bool {
	for len(t.Next) <= depth {
		t.Next = append(t.Next, 1)
	}
	if t.Next[depth] != n {
		return false
	}
	t.Next[depth]++
	t.Next = t.Next[:depth+1]
	return true
}

// count notes one result. A parent repeats what its subtests said, except in
// node:test, where a test may have subtests and counts beside them.
func (t *tap) count(r *runState, name string, good, parent bool, l line) {
	suite := strings.HasSuffix(name, " {")
	name, note := strings.TrimSuffix(name, " {"), ""
	if strings.IndexByte(name, '#') > 0 {
		name, note, _ = cutLast(name, " # ")
	}
	if strings.HasPrefix(note, "time=") {
		if !t.Node && r.Runner == "tap" && (suite || strings.Contains(name, " > ")) {
			r.Runner = "vitest"
			r.edits++
		}
		if t.Node {
			t.Node, r.Runner = false, "tap"
			r.edits++
		}
	} else if note != "" && !isDirective(note) {
		name, note = name+" # "+note, ""
	}
	t.Last = tapResult{Fails: len(r.Fails)}
	t.Brace = t.Brace || suite
	if suite || parent && !t.Node && !t.Brace {
		return
	}
	c := &t.Last.C
	switch {
	case isDirective(note) && strings.EqualFold(note[:4], "SKIP"):
		c.Skipped = 1
	case isDirective(note):
		c.Todo = 1
	case good:
		c.Passed = 1
	default:
		c.Failed = 1
		r.fail(strings.ReplaceAll(name, `\#`, "#"), l.n)
		r.reportLast(l.n)
	}
	r.add(*c)
}

// takeBack undoes the last result: it was a suite's.
func (t *tap) takeBack() {
	if t.run == nil || t.run.Settled {
		return
	}
	c := t.Last.C
	t.run.add(tally{-c.Passed, -c.Failed, -c.Skipped, -c.Todo, -c.Flaky})
	if n := len(t.run.Fails); n > 0 && n > t.Last.Fails {
		t.run.drop(len(t.run.Fails) - 1)
	}
	t.Last = tapResult{Fails: len(t.run.Fails)}
}

// comment reads "# Subtest: name" and node's block "# tests 72" … "# duration_ms".
func (t *tap) comment(s *stream, l line) {
	if strings.HasPrefix(l.body(), "# Subtest: ") {
		if t.run == nil {
			return
		}
		t.run.shut(l.n, 0)
		if !t.run.Settled {
			t.Node = true
			if t.run.Runner != "node:test" {
				t.run.Runner = "node:test"
				t.run.edits++
			}
		}
		return
	}
	if l.text[:min(8, len(l.text))] == "# tests " && t.run != nil {
		t.run.shut(l.n, 0)
	}
	if l.in != 0 || !strings.HasPrefix(l.text, "# ") || !t.Block.read(l.text[2:], l) {
		return
	}
	if t.run == nil || t.run.Settled {
		t.open(s, "node:test", t.Block.Line)
	}
	t.run.tally, t.run.Settled, t.run.Runner = t.Block.C, true, "node:test"
	t.Sure, t.Weak, t.Block = true, false, nodeBlock{}
}
