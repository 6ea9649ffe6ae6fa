package console

import (
	"math"
	"slices"
	"strconv"

	"offstage/task"
)

// key orders the rows of the view: by offset, then by part of a record.
type key struct {
	off  int64
	part int
}

func (k key) less(o key) bool {
	return k.off < o.off || k.off == o.off && k.part < o.part
}

// Rows of ours stand before and behind every row of the output.
var (
	earlierKey = key{off: -1}
	closingKey = key{off: math.MaxInt64}
)

// row is one line of the output with what was computed for drawing it. The line
// never changes; the caches hold for the values they were made with.
type row struct {
	line task.Line
	// text is what is drawn: the line's text and our tail behind it ("… +3,000
	// characters"), which starts at byte own.
	text  string
	own   int
	ascii bool
	// role is a row of ours that can be acted on or stands at an end.
	role role
	// spans are the styles of text: the line's own, or those of its short form.
	spans []task.Span
	form  form
	// fields is how many members the object has, where the line is one of a JSON
	// log; step is not 0 where it is a step of a progress (see progress).
	fields int
	step   uint64
	// similar steps before it, from head on, are folded into this one.
	similar int
	head    key
	// detail: a row under an unfolded one.
	detail bool
	// size is what the row weighs against the bound of the window, in bytes.
	size int

	links    []link
	linked   bool
	found    found
	segs     []segment
	segsFor  segKey
	drawn    []string
	drawnFor drawKey
}

// role is what a row of ours does in the view.
type role int

const (
	output role = iota
	earlierRow
	lostRow
	endRow
	pipeRow
	gapRow
)

// segKey and drawKey are all that the cached segments and strings depend on.
type segKey struct {
	width int
	wrap  bool
	rev   int
}

type drawKey struct {
	seg             segKey
	text, bar, time int
	column, look    int
}

func newRow(l task.Line, g glyphs) *row {
	r := &row{}
	r.set(l, g)
	return r
}

// set makes a fresh row of a line.
func (r *row) set(l task.Line, g glyphs) {
	l, ascii := clean(l)
	r.line = l
	if l.Mark != task.NoMark {
		r.text, r.own = g.mark(l.Mark, l.Text), 0
	} else {
		r.dressed(l.Text, l.Spans, l.Cut, ascii, g)
		if len(l.Spans) == 0 && l.Cut == 0 && !l.Live {
			if f := jsonFields(l.Text); f != nil {
				if _, _, ok := summary(f); ok {
					r.fields = len(f)
				}
			}
		}
		if l.Repeat < 2 {
			r.step = progress(l.Text)
		}
	}
	r.size = 160 + len(r.text) + 24*len(l.Spans)
}

// dress gives a row its text, which is clean, and the styles over it.
func (r *row) dress(text string, spans []task.Span, cut int, g glyphs) {
	ascii, _ := inspect(text)
	r.dressed(text, spans, cut, ascii, g)
}

func (r *row) dressed(text string, spans []task.Span, cut int, ascii bool, g glyphs) {
	r.text, r.own, r.spans, r.ascii = text, len(text), spans, ascii
	r.links, r.linked = nil, false
	tail := ""
	if cut > 0 {
		tail = " " + g.more + " +" + count(int64(cut)) + " characters"
	}
	if r.line.Fold > 0 {
		tail += " " + g.more + " +" + count(int64(r.line.Fold)) + " lines"
	}
	if cut > 0 && r.form != formWhole {
		tail += g.dot + "show whole line"
	}
	if tail != "" {
		r.text, r.ascii = r.text+tail, r.ascii && g.ascii
	}
	if r.own == 0 {
		r.spans = nil
	}
}

func (r *row) key() key { return key{r.line.Offset, r.line.Part} }

// same says whether a line that came again is the one that is held, so that its
// caches can stay.
func (r *row) same(l task.Line) bool {
	h := &r.line
	return h.Offset == l.Offset && h.Part == l.Part && h.End == l.End && h.Number == l.Number &&
		h.Repeat == l.Repeat && h.Cut == l.Cut && h.Mark == l.Mark && h.Live == l.Live &&
		h.Redrawn == l.Redrawn && h.Fold == l.Fold && h.Tone == l.Tone && h.Redacted == l.Redacted &&
		h.At.Equal(l.At) && h.Aside == l.Aside && h.Text == l.Text && slices.Equal(h.Spans, l.Spans)
}

// badge is what stands at the right edge of a row: "×14", or the mark of a line
// that is being redrawn. It leaves at least eight cells to the text.
func (m *Model) badge(r *row) string {
	b := ""
	switch {
	case r.line.Mark != task.NoMark:
	case r.line.Repeat > 1:
		b = m.set.times + count(int64(r.line.Repeat))
	case r.similar > 0:
		b = "+" + count(int64(r.similar)) + " similar"
	case r.form == formShort && !m.open.rows[r.key()]:
		b = m.set.button + " " + count(int64(r.fields)) + " fields"
	case r.line.Redrawn && r.line.Live:
		b = m.set.redrawn
	}
	if b != "" && cells(b, m.width)+10 > m.geo.text {
		return ""
	}
	return b
}

// count is a number with its thousands apart: "1,204".
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
