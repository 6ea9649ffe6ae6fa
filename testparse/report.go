package testparse

import "slices"

// Where a failure's report stands: the lines from the one that names it through
// its message, its diff and its stack. Only rows that Wanted lets through are
// seen, so an end is taken from the next row of the runner's own form, less the
// blank lines that the runner puts before it, or from the last row of a stack.

// maxReport bounds how many lines a report may go on without any row that is
// known to belong to it; maxReports how many reports of one run are looked up.
const (
	maxReport  = 500
	maxReports = 2 * maxFailures
)

// report is the one that is being read. Several tests may share one.
type report struct {
	Of    []int `json:"of,omitempty"` // indexes in Fails, or in SuiteFails
	Suite bool  `json:"suite,omitempty"`
	Start int64 `json:"start"`
	Reach int64 `json:"reach"` // the last line that is known to belong to it
}

// report begins the report of failure i at line n; i < 0: of one that is not
// kept. A report that was open stays as it is.
func (r *runState) report(i int, n int64) {
	if r.Report = nil; i >= 0 && i < len(r.Fails) {
		r.Report = &report{Of: []int{i}, Start: n}
		r.reach(n)
	}
}

// reportLast is report for the failure noted last, if it was noted for line n.
func (r *runState) reportLast(n int64) {
	i := len(r.Fails) - 1
	if i >= 0 && r.Fails[i].Line != n {
		i = -1
	}
	r.report(i, n)
}

// reportSuite is report for the suite noted last.
func (r *runState) reportSuite(n int64) {
	if i := len(r.SuiteFails) - 1; i >= 0 {
		r.Report = &report{Of: []int{i}, Suite: true, Start: n}
		r.reach(n)
	}
}

// share makes the open report that of failure i, too.
func (r *runState) share(i int, n int64) {
	if p := r.Report; p != nil && !p.Suite && i >= 0 && len(p.Of) < 100 {
		p.Of = append(p.Of, i)
		r.mark(i, p.Start, n)
		r.reach(n)
	}
}

// reach says that line n belongs to the open report.
func (r *runState) reach(n int64) {
	p := r.Report
	if p == nil || n <= p.Reach {
		return
	}
	p.Reach = n
	for _, i := range p.Of {
		if p.Suite {
			f := &r.SuiteFails[i]
			f.EndLine = max(n, f.Line)
		} else {
			r.mark(i, p.Start, n)
		}
	}
	r.edits++
}

// shut ends the open report before line n and the blank lines that part them.
func (r *runState) shut(n, blanks int64) {
	if p := r.Report; p != nil {
		r.reach(min(n-1-blanks, p.Reach+maxReport))
		r.Report = nil
	}
}

// mark sets where failure i is told: from its own line on, or apart from it.
func (r *runState) mark(i int, start, end int64) {
	f := &r.Fails[i]
	switch {
	case f.Line >= start && f.Line <= end:
		f.EndLine = max(f.EndLine, end)
	case f.Detail == 0 || f.Detail == start:
		f.Detail, f.DetailEnd = start, max(start, end)
	}
}

// told is mark for a report that is known as a whole.
func (r *runState) told(i int, start, end int64) {
	if i >= 0 && i < len(r.Fails) && start > 0 && end >= start {
		r.mark(i, start, end)
		r.edits++
	}
}

// fits says that a saved report belongs to this run.
func (p *report) fits(r *runState) bool {
	if p == nil {
		return true
	}
	n := len(r.Fails)
	if p.Suite {
		n = len(r.SuiteFails)
	}
	return !slices.ContainsFunc(p.Of, func(i int) bool { return i < 0 || i >= n })
}

// forget keeps the open report in step with a failure that is dropped.
func (p *report) forget(gone int) {
	if p == nil || p.Suite {
		return
	}
	keep := p.Of[:0]
	for _, i := range p.Of {
		switch {
		case i < gone:
			keep = append(keep, i)
		case i > gone:
			keep = append(keep, i-1)
		}
	}
	p.Of = keep
}

// untold finds a failure without a report whose name fits; -1 without one, and
// once more reports came than failures are kept.
func (r *runState) untold(fits func(name string) bool) int {
	if r.Reports++; r.Reports > maxReports {
		return -1
	}
	n := len(r.Fails)
	for k := range n { // reports mostly come in the order of the failures
		i := (r.Next + k) % n
		if f := &r.Fails[i]; f.Detail == 0 && fits(f.Name) {
			r.Next = i + 1
			return i
		}
	}
	return -1
}
