package screen

import (
	"unicode/utf8"

	"offstage/task"
)

// builder puts a line together from the rows that it wrapped into.
type builder struct {
	limit    int // characters that are kept
	offset   int64
	number   int64
	text     []byte
	spans    []task.Span
	chars    int
	lost     int
	redacted int
	masked   bool // the last cell was masked
	redrawn  bool
}

func (b *builder) clone() *builder {
	if b == nil {
		return nil
	}
	c := *b
	c.text = append([]byte(nil), b.text...)
	c.spans = append([]task.Span(nil), b.spans...)
	return &c
}

// add appends a row.
func (b *builder) add(r *row) {
	b.redrawn = b.redrawn || r.redrawn
	if !r.grid {
		b.addPlain(r)
	} else {
		b.addGrid(r)
	}
	b.lost += r.lost
}

func (b *builder) addPlain(r *row) {
	if len(r.text) == 0 {
		return
	}
	b.masked = false
	if n := utf8.RuneCount(r.text); b.chars+n <= b.limit {
		at := len(b.text)
		b.text = append(b.text, r.text...)
		b.chars += n
		for _, sp := range r.spans {
			b.style(at+sp.Start, at+sp.End, sp.Style)
		}
		return
	}
	span := 0
	for i := 0; i < len(r.text); {
		_, n := utf8.DecodeRune(r.text[i:])
		for span < len(r.spans) && r.spans[span].End <= i {
			span++
		}
		var st task.Style
		if span < len(r.spans) && r.spans[span].Start <= i {
			st = r.spans[span].Style
		}
		b.put(r.text[i:i+n], 1, st)
		i += n
	}
}

func (b *builder) addGrid(r *row) {
	if r.lead != nil {
		b.tail(r.lead, task.Style{}, true)
	}
	n := len(r.cells)
	for n > 0 && r.cells[n-1].r == 0 && !r.cells[n-1].half && r.cells[n-1].tail == nil {
		n--
	}
	var buf [utf8.UTFMax]byte
	for i := range r.cells[:n] {
		c := &r.cells[i]
		switch {
		case c.masked && !b.masked:
			b.put([]byte(redactedMark), len(redactedMark), c.style)
			b.redacted++
		case c.masked || c.half:
		case c.r == 0:
			b.put([]byte{' '}, 1, task.Style{})
		default:
			b.put(buf[:utf8.EncodeRune(buf[:], c.r)], 1, c.style)
		}
		b.masked = c.masked || c.half && b.masked
		if c.tail != nil && !c.masked {
			b.tail(c.tail, c.style, c.r == 0)
		}
	}
}

// tail appends what is attached to a cell. Invisible characters become marks;
// bare says that there is nothing that a combining mark could stand on.
func (b *builder) tail(t *tail, st task.Style, bare bool) {
	dim := st
	dim.Attr |= task.Dim
	runes := []rune(t.text)
	for i, r := range runes {
		c := classOf(r)
		glues := c == zwj && i+1 < len(runes) && classOf(runes[i+1]).cells() > 0
		switch {
		case c == unseen || c == zwj && !glues:
			m := unseenMark(r)
			b.put([]byte(m), utf8.RuneCountInString(m), dim)
			bare = true
		case bare && c == zero:
			b.put([]byte("◌"+string(r)), 2, st)
			bare = false
		default:
			b.put([]byte(string(r)), 1, st)
		}
	}
	if t.dropped > 0 {
		m := "⟦+" + decimal(t.dropped) + "⟧"
		b.put([]byte(m), len(m)-4, dim)
	}
}

// put appends text of n characters in one style.
func (b *builder) put(text []byte, n int, st task.Style) {
	if b.chars+n > b.limit {
		b.lost += n
		return
	}
	at := len(b.text)
	b.text = append(b.text, text...)
	b.chars += n
	if st != (task.Style{}) {
		b.style(at, len(b.text), st)
	}
}

// style puts a style on a stretch of the text, which is its last so far.
func (b *builder) style(start, end int, st task.Style) {
	if k := len(b.spans); k > 0 && b.spans[k-1].End == start && b.spans[k-1].Style == st {
		b.spans[k-1].End = end
		return
	}
	b.spans = append(b.spans, task.Span{Start: start, End: end, Style: st})
}

// fill makes up for n cells at the end of a row that goes on below, as a
// terminal holds them; also the one that a wide character did not fit into.
func (b *builder) fill(n int) {
	for ; n > 0 && !b.masked; n-- {
		b.put([]byte{' '}, 1, task.Style{})
	}
}
