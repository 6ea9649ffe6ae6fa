package console

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// segment is a stretch of a text that is drawn on one screen row: the bytes
// [start, end) and how many cells they take. Borders are those of grapheme
// clusters.
type segment struct {
	start, end, cells int
}

// next gives the length in bytes and the width in cells of the grapheme cluster
// at s[i:]. Texts are clean (see clean), so a lone ASCII byte is one cell.
func next(s string, i int, method ansi.Method) (n, w int) {
	if s[i] < 0x80 && (i+1 == len(s) || s[i+1] < 0x80) {
		return 1, 1
	}
	cluster, w := ansi.FirstGraphemeCluster(s[i:], method)
	if cluster == "" {
		return len(s) - i, 0
	}
	return len(cluster), w
}

// cellsIn is what a cluster of w cells takes in a row of width cells: one that
// is wider than the row is drawn as one mark.
func cellsIn(w, width int) int {
	if w > width {
		return 1
	}
	return w
}

// wrap cuts a text into segments of at most width cells, always at least one.
func wrap(text string, ascii bool, width int, method ansi.Method) []segment {
	width = max(width, 1)
	if ascii {
		return wrapASCII(len(text), width)
	}
	segs := make([]segment, 0, len(text)/width+1)
	cur := segment{}
	for i := 0; i < len(text); {
		n, w := next(text, i, method)
		w = cellsIn(w, width)
		if cur.cells+w > width {
			segs = append(segs, cur)
			cur = segment{start: i, end: i}
		}
		i += n
		cur.end, cur.cells = i, cur.cells+w
	}
	return append(segs, cur)
}

func wrapASCII(size, width int) []segment {
	segs := make([]segment, 0, size/width+1)
	for at := 0; at < size; at += width {
		end := min(at+width, size)
		segs = append(segs, segment{at, end, end - at})
	}
	if size == 0 {
		segs = append(segs, segment{})
	}
	return segs
}

// slide is the part of a text that shows through a window of width cells whose
// left edge is at column from. lead is 1 where a wide glyph is cut in half by
// the left edge; before and behind say whether text is hidden on either side.
func slide(text string, from, width int, method ansi.Method) (seg segment, lead int, before, behind bool) {
	col, i := 0, 0
	for i < len(text) && col < from {
		n, w := next(text, i, method)
		i, col = i+n, col+w
	}
	before = i > 0
	lead = min(max(col-from, 0), width)
	seg = segment{start: i, end: i, cells: 0}
	for i < len(text) {
		n, w := next(text, i, method)
		w = cellsIn(w, width)
		if lead+seg.cells+w > width {
			return seg, lead, before, true
		}
		i += n
		seg.end, seg.cells = i, seg.cells+w
	}
	return seg, lead, before, false
}

// cells measures a text of ours or a title.
func cells(s string, method ansi.Method) int {
	total := 0
	for i := 0; i < len(s); {
		n, w := next(s, i, method)
		i, total = i+n, total+w
	}
	return total
}

// clip cuts a text to width cells and says so with the mark more.
func clip(s string, width int, more string, method ansi.Method) string {
	if cells(s, method) <= width {
		return s
	}
	room := width - cells(more, method)
	if room < 0 {
		return strings.Repeat(".", max(width, 0))
	}
	at, used := 0, 0
	for at < len(s) {
		n, w := next(s, at, method)
		if used+w > room {
			break
		}
		at, used = at+n, used+w
	}
	return s[:at] + more
}

// flow breaks a sentence of ours into lines of at most width cells at spaces.
func flow(s string, width int, method ansi.Method) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		w := cells(word, method)
		if used > 0 && used+1+w > width {
			lines, line, used = append(lines, line), "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if used > 0 {
		lines = append(lines, line)
	}
	for i := range lines {
		lines[i] = clip(lines[i], width, "…", method)
	}
	return lines
}
