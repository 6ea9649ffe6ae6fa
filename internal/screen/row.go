package screen

import (
	"unicode/utf8"

	"offstage/task"
)

// maxMarks is how many zero-width characters a cell keeps; the rest is counted
// (a flood of combining marks must not grow a cell: CVE-2021-27135).
const maxMarks = 4

// maxCluster is how many bytes of a cluster a cell keeps behind its first
// character: the longest emoji sequences take less.
const maxCluster = 64

// row is one row of the terminal. It starts as plain bytes with style runs and
// becomes a grid of cells only when something behind its end is touched again.
type row struct {
	text  []byte // ordinary characters only, while grid is false
	spans []task.Span
	cells []cell
	lead  *tail // zero-width characters before the first cell
	rowState
}

// rowState is what of a row is no text.
type rowState struct {
	grid bool // cells hold the row, not text
	cols int  // cells of text
	over int  // cells beyond the limit
	lost int  // characters beyond the limit

	offset  int64
	number  int64
	wrapped bool // goes on from the row above
	redrawn bool
	dirty   bool // printed to since it was last masked
	marked  bool // carries zero-width characters
	made    bool // came to be by a move of the cursor, not by a line of the log
	above   above
}

// above are the marks that stand above a row.
type above uint8

const (
	aboveCleared above = 1 << iota
	aboveFull
)

// cell is one cell of a row. The second half of a wide character is a cell with
// half set. A character 0 is a cell that was never written, or erased.
type cell struct {
	style  task.Style
	r      rune
	wide   bool
	half   bool
	masked bool
	tail   *tail
}

// put stores a character of one cell. Fields are set one by one because that
// spares the garbage collector a look at each cell.
func (c *cell) put(r rune, st task.Style) {
	c.r, c.style = r, st
	c.wide, c.half, c.masked = false, false, false
	if c.tail != nil {
		c.tail = nil
	}
}

// tail is what follows a cell's first character in the same cluster.
type tail struct {
	text    string
	marks   int // zero-width characters in text
	dropped int // zero-width characters that were not kept
}

// width is how many cells of the row were reached.
func (r *row) width() int {
	if r.grid {
		return len(r.cells) + r.over
	}
	return r.cols + r.over
}

// blank says that the row has no text at all.
func (r *row) blank() bool {
	return len(r.text) == 0 && len(r.cells) == 0 && r.lead == nil && r.over == 0
}

// empty takes all text away; the row stays where it is.
func (r *row) empty() {
	r.redrawn = r.redrawn || !r.blank()
	r.text, r.spans, r.cells = r.text[:0], r.spans[:0], r.cells[:0]
	r.cols, r.over, r.lost = 0, 0, 0
	r.grid, r.dirty, r.marked, r.lead = false, false, false, nil
}

// style puts a style on the last bytes of text, from start on.
func (r *row) style(start int, st task.Style) {
	if n := len(r.spans); n > 0 && r.spans[n-1].End == start && r.spans[n-1].Style == st {
		r.spans[n-1].End = len(r.text)
		return
	}
	r.spans = append(r.spans, task.Span{Start: start, End: len(r.text), Style: st})
}

// open makes the row a grid of cells.
func (r *row) open() {
	if r.grid {
		return
	}
	r.grid = true
	cells := r.cells[:0]
	span := 0
	for i := 0; i < len(r.text); {
		c, n := rune(r.text[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRune(r.text[i:])
		}
		for span < len(r.spans) && r.spans[span].End <= i {
			span++
		}
		var st task.Style
		if span < len(r.spans) && r.spans[span].Start <= i {
			st = r.spans[span].Style
		}
		wide := c >= utf8.RuneSelf && classOf(c) == two
		cells = append(cells, cell{r: c, style: st, wide: wide})
		if wide {
			cells = append(cells, cell{style: st, half: true})
		}
		i += n
	}
	r.cells, r.text, r.spans, r.cols = cells, r.text[:0], r.spans[:0], 0
}

// pad makes a grid reach column col with blank cells.
func (r *row) pad(col int) {
	for len(r.cells) < col {
		r.cells = append(r.cells, cell{})
	}
}

// split blanks the other half of wide characters that the border at col cuts.
func (r *row) split(col int) {
	if col > 0 && col < len(r.cells) && r.cells[col].half {
		r.cells[col-1] = cell{}
		r.cells[col] = cell{}
	}
}

// trim drops blank cells at the end of a grid.
func (r *row) trim() {
	n := len(r.cells)
	for n > 0 && r.cells[n-1].r == 0 && !r.cells[n-1].half && r.cells[n-1].tail == nil {
		n--
	}
	r.cells = r.cells[:n]
}

// clone is a deep copy.
func (r *row) clone() *row {
	c := *r
	c.text = append([]byte(nil), r.text...)
	c.spans = append([]task.Span(nil), r.spans...)
	c.cells = append([]cell(nil), r.cells...)
	for i := range c.cells {
		c.cells[i].tail = c.cells[i].tail.clone()
	}
	c.lead = r.lead.clone()
	return &c
}

func (t *tail) clone() *tail {
	if t == nil {
		return nil
	}
	c := *t
	return &c
}
