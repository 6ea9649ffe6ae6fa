package screen

import (
	"strings"

	"offstage/task"
)

// emitter turns rows into lines.
type emitter struct {
	out []task.Line
	// head is a line whose first rows have left the window.
	head *builder
	// lastOffset is that of the line before: offsets never go back.
	lastOffset int64
	// feeds counts the line feeds since lines were taken; scarce says that few of
	// the last ones gave a line, as in a block that is redrawn: no room is kept then.
	feeds  int
	scarce bool
	// texts and spans are what lines are cut from, a block at a time.
	texts *strings.Builder
	// made is how many blank rows were given out that no line of the log stands for.
	made  int64
	spans []task.Span
}

const (
	textBlock = 16 << 10
	spanBlock = 512
)

// emit gives out n rows, and the marks that stand below them.
func (s *Screen) emit(e *emitter, rows []*row, n int) {
	for i, r := range rows[:n] {
		var next *row
		if i+1 < len(rows) {
			next = rows[i+1]
		}
		s.emitRow(e, r, next)
	}
	rest := s.pending
	for _, r := range rows[n:] {
		rest |= r.above
	}
	e.marks(rest, s.pos)
	if e == &s.emitter {
		s.pending = 0
	}
}

// emitRow gives out one row; next is the one below it, nil for the last.
func (s *Screen) emitRow(e *emitter, r, next *row) {
	if !r.wrapped {
		e.marks(r.above, r.offset)
	}
	if r.made && r.blank() && e.head == nil && !s.affords(e) {
		return
	}
	goesOn := next != nil && next.wrapped
	end := s.pos
	if next != nil {
		end = next.offset
	}
	if e.head == nil && !goesOn && !r.grid && r.lost == 0 && len(r.text) <= s.o.MaxText {
		l := e.next(r.offset, end)
		l.Number, l.Text, l.Spans, l.Redrawn = r.number, e.copyText(r.text), e.copySpans(r.spans), r.redrawn
		return
	}
	if e.head == nil {
		e.head = &builder{limit: s.limit, offset: r.offset, number: r.number}
	}
	e.head.add(r)
	if goesOn {
		e.head.fill(s.o.Width - r.width())
		return
	}
	b := e.head
	e.head = nil
	b.finish(s.o)
	l := e.next(b.offset, end)
	l.Number, l.Text, l.Spans = b.number, e.copyText(b.text), e.copySpans(b.spans)
	l.Cut, l.Redrawn, l.Redacted = b.lost, b.redrawn, b.redacted
}

// affords says that one more blank row may come out that is in no line of the
// log. A few bytes can move the cursor over a whole window, so their number is
// bound to that of the bytes.
func (s *Screen) affords(e *emitter) bool {
	e.made++
	return e.made <= 256+(max(s.mode.lineStart, s.now)-s.start)/8
}

// next adds a line from one offset to another and gives it to be filled in.
func (e *emitter) next(offset, end int64) *task.Line {
	n := len(e.out)
	if n == cap(e.out) {
		e.reserve(n/4 + 16)
	}
	e.out = e.out[:n+1] // memory that was never used: all zero
	l := &e.out[n]
	e.lastOffset = max(offset, e.lastOffset)
	l.Offset, l.End = e.lastOffset, max(end, e.lastOffset)
	return l
}

// reserve makes room for n more lines.
func (e *emitter) reserve(n int) {
	if cap(e.out)-len(e.out) < n {
		out := make([]task.Line, len(e.out), len(e.out)+n)
		copy(out, e.out)
		e.out = out
	}
}

// marks gives out marks of ours.
func (e *emitter) marks(a above, at int64) {
	if a&aboveCleared != 0 {
		l := e.next(at, at)
		l.Mark, l.Text = task.MarkCleared, "screen cleared"
	}
	if a&aboveFull != 0 {
		l := e.next(at, at)
		l.Mark, l.Text = task.MarkFullScreen, "full-screen program"
	}
}

// copyText copies b into a string.
func (e *emitter) copyText(b []byte) string {
	switch {
	case len(b) == 0:
		return ""
	case len(b) > textBlock/8:
		return string(b)
	}
	if e.texts == nil || e.texts.Cap()-e.texts.Len() < len(b) {
		e.texts = &strings.Builder{}
		e.texts.Grow(textBlock)
	}
	at := e.texts.Len()
	e.texts.Write(b)
	return e.texts.String()[at:]
}

// copySpans copies style runs.
func (e *emitter) copySpans(spans []task.Span) []task.Span {
	n := len(spans)
	switch {
	case n == 0:
		return nil
	case n > spanBlock/8:
		return append([]task.Span(nil), spans...)
	}
	if cap(e.spans)-len(e.spans) < n {
		e.spans = make([]task.Span, 0, spanBlock)
	}
	at := len(e.spans)
	e.spans = append(e.spans, spans...)
	return e.spans[at : at+n : at+n]
}
