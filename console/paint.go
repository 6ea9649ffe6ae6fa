package console

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"offstage/task"
)

// mark is a look laid over a stretch of a row's text.
type mark struct {
	segment
	look string
}

// marksOf are the hits of a search and the selection, in order.
func (m *Model) marksOf(r *row, sel segment) []mark {
	var out []mark
	for _, h := range m.marked(r) {
		if h.end <= sel.start || h.start >= sel.end {
			out = append(out, mark{h, m.look.amber + sgrInverse})
		}
	}
	if sel.start < sel.end {
		out = append(out, mark{sel, m.look.selection})
		slices.SortFunc(out, func(a, b mark) int { return a.start - b.start })
	}
	return out
}

// paint writes the bytes of a segment with the row's own styles, and marks over
// them; room is the width that the segment was made for.
func (m *Model) paint(b *strings.Builder, r *row, seg segment, base string, marks []mark, room int) {
	spans := r.spans
	var links []link
	if m.links {
		links = m.linksOf(r)
	}
	for at := seg.start; at < seg.end; {
		for len(spans) > 0 && spans[0].End <= at {
			spans = spans[1:]
		}
		open, to := m.styleAt(r, spans, at, base)
		for len(marks) > 0 && marks[0].end <= at {
			marks = marks[1:]
		}
		if len(marks) > 0 && at >= marks[0].start {
			open, to = marks[0].look, marks[0].end
		} else if len(marks) > 0 {
			to = min(to, marks[0].start)
		}
		to = min(to, seg.end)
		linked := false
		to, links, linked = m.linkAt(b, r, links, at, to)
		if !r.ascii {
			to = m.wholeCluster(r.text, at, to)
		}
		m.put(b, open, r.text[at:to], r.ascii, room)
		if linked {
			b.WriteString(closeLink)
		}
		at = to
	}
}

// linkAt begins the link at a byte, if there is one, and gives where the run of
// text that is written now ends: no run stands half in a link.
func (m *Model) linkAt(b *strings.Builder, r *row, links []link, at, to int) (int, []link, bool) {
	for len(links) > 0 && (links[0].end <= at || links[0].target == "") {
		links = links[1:]
	}
	switch {
	case len(links) == 0:
		return to, links, false
	case at < links[0].start:
		return min(to, links[0].start), links, false
	}
	b.WriteString(links[0].open(r))
	return min(to, links[0].end), links, true
}

// styleAt is the opening for the byte at, and where it ends to hold.
func (m *Model) styleAt(r *row, spans []task.Span, at int, base string) (open string, to int) {
	switch {
	case at >= r.own && r.own < len(r.text) && r.role == output && r.line.Mark == task.NoMark:
		return m.look.dim, len(r.text)
	case len(spans) == 0:
		return base, m.upTo(r, at)
	case spans[0].Start > at:
		return base, min(spans[0].Start, m.upTo(r, at))
	}
	st := spans[0].Style
	open = sgr(st, m.o.NoColor)
	if st.FG == 0 {
		open = base + open
	}
	return open, spans[0].End
}

// upTo is the end of the task's own text, or of ours behind it.
func (m *Model) upTo(r *row, at int) int {
	if at < r.own {
		return r.own
	}
	return len(r.text)
}

// wholeCluster moves a border to the end of the grapheme cluster it cuts: a
// code between a letter and its mark would break the cell.
func (m *Model) wholeCluster(s string, at, to int) int {
	for at < to {
		n, _ := next(s, at, m.width)
		at += n
	}
	return at
}

// put writes a run of text. In rows so narrow that a glyph may not fit, such a
// glyph is one mark (see cellsIn).
func (m *Model) put(b *strings.Builder, open, text string, ascii bool, room int) {
	b.WriteString(open)
	if ascii || room >= 40 {
		b.WriteString(m.drawnAs(text, ascii))
	} else {
		for i := 0; i < len(text); {
			n, w := next(text, i, m.width)
			if w > room {
				b.WriteString("?")
			} else {
				b.WriteString(m.drawnAs(text[i:i+n], false))
			}
			i += n
		}
	}
	if open != "" {
		b.WriteString(reset)
	}
}

// drawnAs is a text as this terminal draws it in the cells that were measured.
func (m *Model) drawnAs(text string, ascii bool) string {
	if ascii || m.width != ansi.WcWidth {
		return text
	}
	return unjoined(text)
}

// painted is a text of ours in a look.
func painted(look, text string) string {
	if look == "" || text == "" {
		return text
	}
	return look + text + reset
}

// baseOf is the look of what the writer left uncoloured.
func (m *Model) baseOf(r *row) string {
	switch r.role {
	case earlierRow:
		return m.look.link
	case lostRow:
		return m.look.dim
	}
	switch r.line.Mark {
	case task.NoMark:
		if r.line.Tone == task.Plain {
			return ""
		}
	case task.MarkTrouble:
		return m.look.amber
	case task.MarkEnd:
	default:
		if r.line.Tone == task.Plain {
			return m.look.dim
		}
	}
	return m.look.tone(r.line.Tone)
}
