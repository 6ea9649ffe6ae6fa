package output

import (
	"bytes"

	"offstage/task"
)

// A log may hold one line millions of times (`yes`, a retry that prints). Where all
// bytes around a segment are repetitions of one short line of plain text, its rows
// are known without making them: a comparison of bytes says so, and one row stands
// for all. Rows are made from a place before the segment that follows from the file
// alone (see begin), so it is enough that everything from there on is equal.

const (
	// runLine is the longest line, with its newline, that is looked for.
	runLine = 128
	// runBefore and runAfter are how far around a segment all must be equal: the
	// look-back of begin, and the rows that a redraw may reach.
	runBefore = (blockRows + 2) * runLine
	runAfter  = (warmRows + 1) * runLine
	// runSample is how many equal lines are played to see how one of them ends up: more
	// than anything looks back.
	runSample = blockRows + 3*warmRows
)

// run is segment k where all of it is one line again and again, nil where it is not.
func (b *book) run(k int64) *seg {
	from, to := k*segment-runBefore, (k+1)*segment+runAfter
	if b.enc != utf8Text || b.look.dec != nil || from < b.head || to > b.size || b.mark > 0 && b.mark < to {
		return nil
	}
	buf := b.cache.room(int(to - from))
	if !b.oneLine(buf[:4*runLine], from) { // most often this is all that is read
		return nil
	}
	if n, err := b.read(buf, from); err != nil || n < len(buf) {
		return nil
	}
	start := bytes.IndexByte(buf, '\n') + 1
	each := bytes.IndexByte(buf[start:], '\n') + 1
	if !bytes.Equal(buf[start+each:], buf[start:len(buf)-each]) || !bytes.Equal(buf[:start], buf[each:each+start]) {
		return nil
	}
	row, ok := b.cache.sample(b.look, string(buf[start:start+each]))
	if !ok {
		return nil
	}
	first := from + int64(start)
	first += (k*segment - first + int64(each) - 1) / int64(each) * int64(each)
	row.Repeat = int(((k+1)*segment - first + int64(each) - 1) / int64(each))
	row.Offset, row.End = first, first+int64(row.Repeat*each)
	row.Redacted *= row.Repeat
	row.Number = b.line(first)
	return &seg{k: k, rows: []task.Line{row}, start: from, size: -1, live: b.running, numbered: row.Number > 0, inside: -1}
}

// oneLine reads a few lines at off and says whether they are one, of plain text.
func (b *book) oneLine(p []byte, off int64) bool {
	n, err := b.read(p, off)
	if err != nil || n < len(p) {
		return false
	}
	start := bytes.IndexByte(p[:runLine], '\n') + 1
	each := bytes.IndexByte(p[start:start+runLine], '\n') + 1
	if start == 0 || each == 0 || !bytes.Equal(p[start+each:], p[start:len(p)-each]) {
		return false
	}
	for _, c := range p[start : start+each-1] {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// sample gives the row of a line that stands among many equal ones; false where the
// rows of equal lines differ.
func (c *segments) sample(k look, line string) (task.Line, bool) {
	if c.line == line {
		return c.row, c.rowOK
	}
	r := newRenderer(k, 0)
	r.write(bytes.Repeat([]byte(line), runSample), 0)
	rows := r.settled()
	c.line, c.rowOK = line, len(rows) > blockRows
	if !c.rowOK {
		return c.row, false
	}
	c.row = rows[len(rows)-1]
	for i := len(rows) - warmRows; i < len(rows); i++ {
		r := &rows[i]
		c.rowOK = c.rowOK && same(r, &c.row) && !r.Live && r.Redacted == c.row.Redacted && r.End-r.Offset == int64(len(line))
	}
	return c.row, c.rowOK
}

// room is a buffer that the looks at segments share.
func (c *segments) room(n int) []byte {
	if len(c.buf) < n {
		c.buf = make([]byte, n)
	}
	return c.buf[:n]
}

// part is what of a row's lines starts in [from, to); false where none does. Only
// rows that stand for equal lines of one length have parts.
func part(r task.Line, from, to int64) (task.Line, bool) {
	n := int64(times(&r))
	each := max((r.End-r.Offset)/n, 1)
	lo, hi := int64(0), n
	if from > r.Offset {
		lo = (from - r.Offset + each - 1) / each
	}
	if to < r.End {
		hi = (to - r.Offset + each - 1) / each
	}
	if lo = min(lo, n); hi <= lo {
		return r, false
	}
	if lo == 0 && hi == n {
		return r, true
	}
	if r.Number > 0 {
		r.Number += lo
	}
	r.Redacted = r.Redacted / int(n) * int(hi-lo)
	r.Offset, r.End, r.Repeat = r.Offset+lo*each, r.Offset+hi*each, int(hi-lo)
	return r, true
}

// single gives line i of a row that stands for equal lines.
func single(r task.Line, i int) task.Line {
	each := (r.End - r.Offset) / int64(times(&r))
	one, _ := part(r, r.Offset+int64(i)*each, r.Offset+int64(i+1)*each)
	one.Repeat = 0
	return one
}
