package screen

import (
	"strconv"
	"unicode/utf8"

	"offstage/task"
)

// finish ends the line. One that is longer than the display limit is masked with
// its look-ahead and then cut, so that no half of a secret is left at the cut
// (C8).
func (b *builder) finish(o Options) {
	if o.Mask != nil && (b.chars > o.MaxText || b.lost > 0) {
		b.mask(o.Mask(string(b.text)))
	}
	b.cut(o.MaxText)
}

// maskHead masks what the ranges name in the text so far, which ends at byte end
// of what they count in.
func (b *builder) maskHead(hide [][2]int, end int) {
	var own [][2]int
	for _, h := range hide {
		if h[0] < end {
			own = append(own, [2]int{h[0], min(h[1], end)})
			b.masked = b.masked || h[1] >= end
		}
	}
	b.mask(own)
}

// mask puts the mark in the place of ranges of the text.
func (b *builder) mask(hide [][2]int) {
	if len(hide) == 0 {
		return
	}
	from := *b
	b.text, b.spans, b.chars = nil, nil, 0
	pos, span := 0, 0
	copyTo := func(end int) {
		for pos < end {
			for span < len(from.spans) && from.spans[span].End <= pos {
				span++
			}
			next, st := end, task.Style{}
			if span < len(from.spans) {
				if sp := from.spans[span]; sp.Start <= pos {
					next, st = min(end, sp.End), sp.Style
				} else {
					next = min(end, sp.Start)
				}
			}
			b.put(from.text[pos:next], utf8.RuneCount(from.text[pos:next]), st)
			pos = next
		}
	}
	b.limit += len(hide) * len(redactedMark)
	for _, h := range hide {
		start, end := max(h[0], pos), min(h[1], len(from.text))
		if start >= end {
			continue
		}
		copyTo(start)
		b.put([]byte(redactedMark), len(redactedMark), task.Style{})
		b.redacted++
		pos = end
	}
	copyTo(len(from.text))
}

// cut keeps the first limit characters and never half of a cluster.
func (b *builder) cut(limit int) {
	if b.chars <= limit {
		return
	}
	i := 0
	for n := 0; n < limit; n++ {
		_, size := utf8.DecodeRune(b.text[i:])
		i += size
	}
	for i > 0 && i < len(b.text) {
		next, _ := utf8.DecodeRune(b.text[i:])
		last, size := utf8.DecodeLastRune(b.text[:i])
		if classOf(next).cells() > 0 && classOf(last) != zwj {
			break
		}
		i -= size
	}
	b.lost += utf8.RuneCount(b.text[i:])
	b.text = b.text[:i]
	for len(b.spans) > 0 && b.spans[len(b.spans)-1].Start >= i {
		b.spans = b.spans[:len(b.spans)-1]
	}
	if n := len(b.spans); n > 0 {
		b.spans[n-1].End = min(b.spans[n-1].End, i)
	}
}

func decimal(n int) string { return strconv.Itoa(n) }
