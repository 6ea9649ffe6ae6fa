package testparse

import "strings"

// prove (Perl): "t/b.t .. ok", "Failed 1/40 subtests", and at the end
// "Files=2, Tests=42, …" with "Result: FAIL". Passing tests show no count before.
type prove struct {
	talk
	Failed  int   `json:"failed,omitempty"`
	Skipped int   `json:"skipped,omitempty"`
	Tests   int   `json:"tests,omitempty"`
	FileAt  int64 `json:"file_at,omitempty"`
	Begun   int64 `json:"begun,omitempty"`
	Scripts int   `json:"scripts,omitempty"`
}

func (p *prove) feed(s *stream, l line) {
	switch c := l.first(); {
	case c == '#' && l.in == 0:
		if rest, ok := strings.CutPrefix(l.text, "#   Failed test '"); ok {
			p.begin(s, l)
			name, _, _ := cutLast(rest, "'")
			p.run.fail(name, l.n)
			p.run.Failed++
			p.run.reportLast(l.n)
		} else if p.live() && p.run.Report != nil && l.n == p.run.Report.Reach+1 && strings.HasPrefix(l.text, "#  ") {
			p.run.reach(l.n) // "#   at t/a.t line 6.", "#          got: '1'"
		}
	case c == '\t':
		if rest, ok := strings.CutPrefix(l.text, "\t(less "); ok && p.Failed > 0 {
			if n, rest, ok := number(rest); ok && strings.HasPrefix(rest, " skipped subtest") {
				p.Skipped += n
			}
		}
	case l.in != 0:
	case c == 'F' && strings.HasPrefix(l.text, "Failed "):
		n, rest, ok := number(l.text[len("Failed "):])
		if ok && strings.HasPrefix(rest, "/") && strings.HasSuffix(rest, " subtests") {
			p.Failed += n
		}
	case c == 'F' && strings.HasPrefix(l.text, "Files="):
		_, rest, _ := strings.Cut(l.text, ", Tests=")
		if n, _, ok := number(rest); ok {
			p.Tests, p.FileAt = n, l.seq
		}
	case c == 'R' && strings.HasPrefix(l.text, "Result: ") && p.FileAt > 0 && l.seq == p.FileAt+1:
		p.settle(s, l)
	default:
		if name, word, ok := cutLast(l.text, " .. "); ok && strings.HasSuffix(strings.TrimRight(name, ". "), ".t") && (word == "ok" || strings.HasPrefix(word, "skipped")) {
			p.begin(s, l)
			if p.Scripts++; p.Scripts >= 2 {
				p.Sure = true
			}
		}
	}
}

func (p *prove) begin(s *stream, l line) {
	if p.run != nil && p.run.Settled {
		*p = prove{}
	}
	p.at(s, "prove", l.n).Hides = true
}

func (p *prove) settle(s *stream, l line) {
	if !p.live() {
		p.open(s, "prove", l.n)
	}
	r := p.run
	r.tally = tally{Passed: max(0, p.Tests-p.Failed-p.Skipped), Failed: p.Failed, Skipped: p.Skipped}
	r.Settled, r.Broken = true, l.text == "Result: FAIL"
	*p = prove{talk: p.talk}
	p.Sure = true
}
