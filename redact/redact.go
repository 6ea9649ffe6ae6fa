package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Redactor reads one stream of text in order. It is not safe for concurrent
// use; one stream has one Redactor. Its memory is bounded: see stream.go.
type Redactor struct {
	x    scan
	st   State
	busy bool // st is not the zero state
	// fresh: nothing has been read yet, so the text may start inside a key.
	fresh  bool
	strips [2]plain
	// cutUp: the last line had controls, strips[0] says where.
	cutUp bool
	// aside judges texts inside escape sequences.
	aside  scan
	none   State // what is before them
	stream stream
	given  given
}

// New gives a Redactor at the start of a text.
func New(o Options) *Redactor {
	prepare()
	r := &Redactor{fresh: true}
	r.x.user, r.x.mem = slices.Clone(o.Patterns), o.Memory
	return r
}

// Line gives one line, without its newline, with its secrets replaced. Lines
// must come in order. A clean line is given back as it is, without a copy.
func (r *Redactor) Line(line string) string {
	found := r.find(line)
	if len(found) == 0 {
		return line
	}
	return r.given.apply(line, found)
}

// Ranges says what Line would replace, in order and apart from each other; nil
// when the line is clean. It advances the state as Line does. The slice is the
// caller's.
func (r *Redactor) Ranges(line string) []Range {
	return r.given.keep(r.find(line))
}

// Live says what to hide in a row that may still grow, as if it were the next
// line: with the state, which stays as it is, and with all that is open at the
// row's end.
func (r *Redactor) Live(row string) []Range {
	found := r.judge(row, true)
	r.settle(false)
	return r.given.keep(found)
}

// Apply replaces each range of line by Mark. Ranges must be in order; one that
// does not lie in the rest of the line is passed over.
func Apply(line string, rs []Range) string {
	if len(rs) == 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line) + len(rs)*len(Mark))
	at := 0
	for _, g := range rs {
		if g.Start < at || g.End > len(line) || g.End <= g.Start {
			continue
		}
		b.WriteString(line[at:g.Start])
		b.WriteString(Mark)
		at = g.End
	}
	b.WriteString(line[at:])
	return b.String()
}

var pool = sync.Pool{New: func() any { return New(Options{}) }}

// String redacts a whole text of any number of lines; escape sequences and
// redraws in it hide nothing. Nothing is kept of it.
func String(s string) string {
	prepare()
	if clean(s) {
		return s
	}
	r := pool.Get().(*Redactor)
	defer pool.Put(r)
	r.Restore(State{})
	out := make([]byte, 0, len(s)+len(Mark))
	for at := 0; at < len(s); at += stringStep {
		out = append(out, r.Write([]byte(s[at:min(len(s), at+stringStep)]))...)
	}
	out = append(out, r.Flush()...)
	if string(out) == s {
		return s
	}
	return string(out)
}

// clean says at once that a short text of one line needs no look: what String is
// asked about most, names and descriptions.
func clean(s string) bool {
	if len(s) > 4<<10 {
		return false
	}
	var x scan
	x.begin(s, nil, false)
	_, class := x.seek(0, true)
	return class == 0 && !looksLikeBody(s, false)
}

// stringStep is how much of a text String hands on at once.
const stringStep = 1 << 16

// Live says what to hide in a live row of plain text of which nothing else is
// known. A value, a token, an address that may still be open at the row's end
// is hidden already.
func Live(row string) []Range {
	r := pool.Get().(*Redactor)
	defer pool.Put(r)
	r.Restore(State{})
	return r.Live(row)
}

// find judges the next line and advances the state. What it gives is valid until
// the next call.
func (r *Redactor) find(line string) []Range {
	if r.fresh && r.pageInKey(line) {
		r.x.reset(line, nil, &r.st, false)
		r.x.hideLine()
		return r.x.out
	}
	r.fresh = false
	found := r.judge(line, false)
	r.settle(true)
	return found
}

// pageInKey says that the very first lines of a text look as if it opened inside
// a private key (T6): full lines of Base64, 64 or 70 wide. Later ones are known
// by the state.
func (r *Redactor) pageInKey(line string) bool {
	t := strings.TrimSpace(line)
	return (len(t) == 64 || len(t) == 70) && looksLikeBody(t, false)
}

// judge says what to hide in the line and leaves the state behind it in r.x.next.
func (r *Redactor) judge(line string, live bool) []Range {
	r.x.begin(line, nil, live)
	at, class := r.x.seek(0, true)
	return r.judgeAt(line, live, at, class)
}

// judgeAt is judge behind the filter's first find.
func (r *Redactor) judgeAt(line string, live bool, at int, class uint8) []Range {
	r.cutUp = false
	if class == 0 && !r.busy && len(r.x.user) == 0 && !isSection(line) && !r.recalls(line) {
		r.x.out, r.x.next = r.x.out[:0], State{}
		return nil
	}
	if class != atControl && utf8.ValidString(line) { // a stray byte may be a control of eight bits
		r.x.reset(line, nil, &r.st, live)
		if r.x.line(at, class, true) {
			return r.x.out
		}
	}
	r.cutUp = true
	return r.controls(line, live)
}

// recalls says that a value of the memory stands in the line.
func (r *Redactor) recalls(line string) bool {
	_, _, ok := r.x.mem.find(line, 0)
	return ok
}

// controls judges a line with escapes or invisible characters in it: its plain
// text, and where there are backspaces also what a terminal shows of it.
func (r *Redactor) controls(line string, live bool) []Range {
	p := &r.strips[0]
	p.strip(line, false)
	found := r.plainRanges(line, p, live)
	if !p.backs {
		return found
	}
	first := slices.Clone(found)
	state := r.x.next
	q := &r.strips[1]
	q.strip(line, true)
	r.plainRanges(line, q, live)
	for _, g := range first {
		r.x.add(g.Start, g.End)
	}
	if !state.zero() {
		r.x.next = state
	}
	return r.x.out
}

// plainRanges judges the plain text and gives the ranges in the raw line.
func (r *Redactor) plainRanges(line string, p *plain, live bool) []Range {
	s := textOf(p.text)
	r.x.reset(s, p, &r.st, live)
	at, class := r.x.seek(0, false)
	r.x.line(at, class, false)
	k := len(p.cuts) - 1
	for n := len(r.x.out) - 1; n >= 0; n-- {
		g := &r.x.out[n]
		end := g.End - 1
		g.End, k = p.rawBack(end, k)
		g.End++
		g.Start, k = p.rawBack(g.Start, k)
		if g.Start > 0 && line[g.Start-1] == 0x1b {
			g.Start-- // an ESC of nothing would take the Mark's bracket for its own
		}
	}
	r.x.s, r.x.cuts = line, nil
	return r.x.out
}

// settle takes the state behind the judged line over, or lets it be.
func (r *Redactor) settle(take bool) {
	if take {
		r.st = r.x.next
		r.busy = !r.st.zero()
	}
	r.x.s, r.x.cuts = "", nil
}
