package console

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"offstage/task"
	"offstage/testparse"
)

// failure is one failed test: its name, the lines of its block, 1-based (end is
// line where it is not known), and the lines of its report where that stands
// apart, 0 where it does not.
type failure struct {
	name              string
	line, end         int64
	detail, detailEnd int64
}

func toFailure(f testparse.Failure) failure {
	return failure{f.Name, f.Line, max(f.EndLine, f.Line), f.Detail, max(f.DetailEnd, f.Detail)}
}

// failures of all runs by line; kept with the facts they were made from.
type failures struct {
	of   *task.Tests
	list []failure
	// blocks are the lines of the failing blocks, merged and in order.
	blocks [][2]int64
	// at is the failure that was jumped to last, -1 for none.
	at int
	// rev rises when the blocks change: the gutter of drawn rows depends on it.
	rev int
}

// tests are the counts to show: those of the open output where it has some.
func (m *Model) tests() *task.Tests {
	if m.facts.Tests != nil {
		return m.facts.Tests
	}
	return m.task.Tests
}

// collectFailures takes over the failing blocks when the counts changed.
func (m *Model) collectFailures() {
	t := m.tests()
	if t == m.fails.of {
		return
	}
	m.fails.of = t
	var list []failure
	if t != nil {
		for _, r := range t.Runs {
			for _, f := range r.Failures {
				list = append(list, toFailure(f))
			}
			if f := r.First; len(r.Failures) == 0 && f != nil {
				list = append(list, toFailure(*f))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b failure) int { return cmp.Compare(a.line, b.line) })
	if slices.Equal(list, m.fails.list) {
		return
	}
	m.fails.list = list
	m.fails.blocks = blocks(list)
	m.fails.rev++
	if m.fails.at >= len(list) {
		m.fails.at = -1
	}
}

// blocks are the line ranges of the failures and of their reports, merged and
// in order.
func blocks(list []failure) [][2]int64 {
	var all, out [][2]int64
	for _, f := range list {
		if f.line > 0 {
			all = append(all, [2]int64{f.line, f.end})
		}
		if f.detail > 0 {
			all = append(all, [2]int64{f.detail, f.detailEnd})
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range all {
		if n := len(out); n > 0 && r[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// failing says whether a row lies in a failing block. The number of a redrawn row
// is that of its first state, so there it is the name that tells.
func (m *Model) failing(l *task.Line) bool {
	number := l.Number
	if number <= 0 || len(m.fails.blocks) == 0 {
		return false
	}
	if l.Redrawn {
		return m.named(l.Text)
	}
	i := sort.Search(len(m.fails.blocks), func(i int) bool { return m.fails.blocks[i][1] >= number })
	return i < len(m.fails.blocks) && m.fails.blocks[i][0] <= number
}

// named says whether a text names a failed test, of the first few.
func (m *Model) named(text string) bool {
	const few = 64
	for i := 0; i < len(m.fails.list) && i < few; i++ {
		if name := lastName(m.fails.list[i].name); len(name) > 3 && strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// firstFailure jumps to the first failed test (B11).
func (m *Model) firstFailure() Action { return m.jumpFailure(0) }

// nextFailure jumps to the failure after or before the one that was jumped to
// last or, where the reader has moved on, the one nearest to the view.
func (m *Model) nextFailure(step int) Action {
	n := len(m.fails.list)
	if n == 0 {
		return Toast{"No failed test is known in this output"}
	}
	i := m.fails.at + step
	if at := m.topNumber(); m.fails.at < 0 && at > 0 {
		i = sort.Search(n, func(i int) bool { return m.fails.list[i].line > at })
		if step < 0 {
			i = sort.Search(n, func(i int) bool { return m.fails.list[i].line >= at }) - 1
		}
	} else if m.fails.at < 0 && step < 0 {
		i = n - 1
	}
	if i < 0 || i >= n {
		return Toast{map[bool]string{true: "This is the last failure", false: "This is the first failure"}[step > 0]}
	}
	return m.jumpFailure(i)
}

func (m *Model) jumpFailure(i int) Action {
	if i >= len(m.fails.list) {
		return Toast{"No failed test is known in this output"}
	}
	m.fails.at = i
	line := m.fails.list[i].line
	m.seek(goal{kind: goalLine, line: line, name: m.fails.list[i].name, at: m.guess(line, m.loadedEnds())})
	return FirstFailure{Line: line}
}

// topNumber is the line number at the top of the view, 0 where not known.
func (m *Model) topNumber() int64 {
	for i := m.top().row; i < len(m.list); i++ {
		if n := m.list[i].line.Number; n > 0 {
			return n
		}
	}
	return 0
}
