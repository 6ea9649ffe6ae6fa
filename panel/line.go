package panel

import "strings"

// line is one painted row under construction: it counts cells as it grows and
// remembers which cells act when clicked.
type line struct {
	b     strings.Builder
	w     int
	max   int
	zones []zone
}

// zone is a clickable stretch of a row: cells from up to but without to.
type zone struct {
	from, to int
	what     hit
}

// hit is what a click on a row means.
type hit int

const (
	hitRow hit = iota
	hitStop
	hitHide
	hitYes
	hitNo
	hitToggle
	hitChip
	hitFold
	hitURL
)

// painted is a finished row of the view: the text, the item it belongs to (−1
// for none) and its zones.
type painted struct {
	text  string
	item  int
	zones []zone
	// later: the item's first line, whose text is painted only if it is in sight.
	later bool
}

func newLine(max int) *line { return &line{max: max} }

// add paints s, cut to what is left of the row.
func (l *line) add(p Paint, s string) *line {
	s = Cut(s, l.max-l.w)
	l.w += Width(s)
	l.b.WriteString(p.On(s))
	return l
}

// act is add for text that acts when clicked. It is left out whole if it does
// not fit: half a button is no button.
func (l *line) act(what hit, p Paint, s string) *line {
	if Width(s) > l.max-l.w {
		return l
	}
	from := l.w
	l.add(p, s)
	l.zones = append(l.zones, zone{from: from, to: l.w, what: what})
	return l
}

// to fills with spaces up to cell n; behind it already, it adds nothing.
func (l *line) to(n int) *line {
	if n > l.max {
		n = l.max
	}
	if n > l.w {
		l.b.WriteString(strings.Repeat(" ", n-l.w))
		l.w = n
	}
	return l
}

// done is the finished row of an item.
func (l *line) done(item int) painted {
	return painted{text: strings.TrimRight(l.b.String(), " "), item: item, zones: l.zones}
}
