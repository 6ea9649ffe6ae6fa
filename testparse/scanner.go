package testparse

import "strings"

// Options are what is known of a log beside its text.
type Options struct {
	// Command is the command line that wrote the log, as typed: `cat README.md`
	// is no test run whatever it prints. "" means unknown.
	Command string
}

// Scanner reads a log line by line and keeps the test runs that it holds. It is
// not safe for use by several goroutines. Its memory is bounded however long the
// log is.
type Scanner struct {
	cmd     evidence
	main    *stream
	streams map[string]*stream // by prefix, as in "web:test"
	// the stream of the last row with a prefix, as packages often print in blocks
	last       *stream
	lastPrefix string
	runs       []*runState // standing, in order of their start
	nextID     int64
	rev        uint64
	redraws    bool   // a program moves the cursor: rows may come again
	mono       bool   // the log comes from a monorepo tool: packages have names
	buf        []byte // of Lines
	fence      int64  // line of an open ``` of a quoted text, 0 outside
	long       bool   // of tests: no short ways (quick.go)
}

// New makes a scanner for one log, to be fed from its first line.
func New(o Options) *Scanner {
	s := &Scanner{cmd: judge(o.Command), streams: map[string]*stream{}}
	s.main = newStream(s, "")
	return s
}

// Line takes one line of the log: text as Strip leaves it, n its number from 1.
// A '\n' within text stands for a cursor move of a redrawing program and parts
// the rows. Lines that Wanted refuses need not be passed, but may be.
func (s *Scanner) Line(text string, n int64) {
	if s.cmd.quotes {
		return
	}
	if strings.IndexByte(text, '\n') < 0 {
		s.row(nil, text, n, false)
		return
	}
	s.redrawn(text, n)
}

// redrawn takes a line of several rows.
func (s *Scanner) redrawn(text string, n int64) {
	s.redraws = true
	st := s.prefixed(text)
	for text != "" {
		head, rest, cut := strings.Cut(text, "\n")
		if head != "" {
			st = s.row(st, head, n, cut)
		}
		text = rest
	}
}

// row routes one row to its stream and gives that. wiped: the cursor moved after
// it. from is the stream of the row before it in the same line of the file: a
// prefix is written once a line, so it holds for the rows after it.
func (s *Scanner) row(from *stream, text string, n int64, wiped bool) *stream {
	text = trimRight(undate(text))
	st := from
	if len(s.streams) > 0 {
		if known, rest := s.known(text); known != nil {
			if !wiped && known.quick(rest, n) {
				return known
			}
			if !begins(rest) && !ends(rest) {
				return known
			}
			known.take(makeLine(rest, n, wiped))
			return known
		}
	}
	if from == nil && s.fence == 0 && s.main.quick(text, n) {
		return nil
	}
	why := wants(text)
	if why == 0 || (s.fence != 0 || text[0] == '`') && s.quoted(text, n) {
		return from
	}
	if st == nil {
		st = s.main
	}
	if why == byPrefix || !s.mono && isMono(text) {
		st, text = s.announced(st, text)
	}
	st.take(makeLine(text, n, wiped))
	return st
}

// Runs gives the runs that stand, in the order in which they began. The result
// is the caller's own.
func (s *Scanner) Runs() []Run {
	out := make([]Run, 0, len(s.runs))
	for _, r := range s.runs {
		out = append(out, r.export())
	}
	return out
}

// Total adds the standing runs up; false when the log holds no test run.
func (s *Scanner) Total() (Totals, bool) {
	t := Totals{Settled: true}
	for _, r := range s.runs {
		e := r.head()
		t.Passed += e.Passed
		t.Failed += e.Failed
		t.Skipped += e.Skipped
		t.Todo += e.Todo
		t.Flaky += e.Flaky
		t.SuitesFailed += e.SuitesFailed
		t.Red = t.Red || e.Red
		t.Settled = t.Settled && e.Settled
		t.PassedUnknown = t.PassedUnknown || e.PassedUnknown
	}
	return t, len(s.runs) > 0
}

// Rev rises whenever what Runs or Total say may have changed.
func (s *Scanner) Rev() uint64 { return s.rev }

// publish lets a run stand; the run that it repeats goes.
func (s *Scanner) publish(r *runState) {
	s.rev++
	for i, old := range s.runs {
		if old == r {
			return
		}
		if r.repeats(old) {
			s.runs = append(s.runs[:i], s.runs[i+1:]...)
			break
		}
	}
	if len(s.runs) < maxRuns {
		s.runs = append(s.runs, r)
	}
}

// withdraw takes back a run that turned out to be another runner's.
func (s *Scanner) withdraw(r *runState) {
	for i, old := range s.runs {
		if old == r {
			s.runs = append(s.runs[:i], s.runs[i+1:]...)
			s.rev++
			return
		}
	}
}

// quoted follows the ``` fences of a quoted text, outside of a running test run.
// A fence that is not closed within 300 lines was none.
func (s *Scanner) quoted(text string, n int64) bool {
	if strings.HasPrefix(text, "```") && !s.main.busy() {
		if s.fence == 0 {
			s.fence = n
		} else {
			s.fence = 0
		}
		return true
	}
	if s.fence != 0 && n-s.fence > 300 {
		s.fence = 0
	}
	return s.fence != 0
}
