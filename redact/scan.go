package redact

import "strings"

// scan is one pass over one line of plain text.
type scan struct {
	s    string
	out  []Range // sorted, apart from each other
	st   *State
	next State  // what the state becomes behind this line
	cuts *plain // where escapes stood; nil when there were none
	// live: the line may go on; what is open at its end is hidden already.
	live bool
	// named is the end of the last identifier that was judged, tooled (and walked) the end of
	// the last command whose arguments were read, linked that of the last address,
	// marked the start of bytes that a scanner has looked back over: no byte is
	// read twice for one purpose.
	named, tooled, linked, marked, piped, walked, paired, sqlSeen, sqlAt int
	// asked and told are facts of the whole line, found when first asked for.
	asked, told uint8
	// ran has the rules of tools that have read the arguments up to tooled.
	ran uint32
	// flagAt is where the next blank and dash stand.
	flagAt int
	// runs, dull and last are measured stretches that are asked for again.
	runs [2]struct {
		g        set
		from, to int
	}
	// backs are the last runs that were read backwards: where they start, and up to
	// where they are known.
	backs      [2]struct{ from, seen int }
	dull, last Range
	// wide is the last long value whose groups of bytes are known (wideSet), looked
	// one that is known to be a reference or none (lookedUp), stayed one that was
	// judged to be no secret.
	wide, looked, stayed Range
	wideSet              set
	lookedUp             bool
	// lexed is 0 before isJSON was asked, 1 for JSON, 2 for other text.
	lexed  uint8
	quotes quotes
	// ident is the identifier that worth measured last; dot is where its last dot
	// stands.
	ident struct{ from, to, dot int }
	words [4]word
	known [64]knownName
	fold  [foldMax]byte
	user  []Pattern
	mem   *Memory
}

// begin sets the text for seek.
func (x *scan) begin(s string, cuts *plain, live bool) {
	x.s, x.cuts, x.live = s, cuts, live
	x.ident.to, x.named, x.flagAt = 0, 0, -1
}

func (x *scan) reset(s string, cuts *plain, st *State, live bool) {
	x.begin(s, cuts, live)
	x.st, x.lexed = st, 0
	x.out = x.out[:0]
	x.next = State{}
	x.asked, x.told, x.ran = 0, 0, 0
	x.tooled, x.linked, x.marked, x.piped, x.walked, x.paired, x.sqlSeen, x.sqlAt = 0, 0, 0, 0, 0, 0, 0, 0
	x.runs[0].to, x.runs[1].to, x.dull, x.last = 0, 0, Range{}, Range{}
	x.backs[0].from, x.backs[0].seen, x.backs[1].from, x.backs[1].seen = 0, 0, 0, 0
	x.wide, x.looked, x.stayed = Range{}, Range{}, Range{}
}

// line judges the whole line: what the state says first, then every place that
// the filter finds. at and class are the filter's first find. With strict it
// gives false when it meets a control: the line has to be stripped first.
func (x *scan) line(at int, class uint8, strict bool) bool {
	x.addPatterns()
	if x.continued() {
		x.recall()
		for strict && class != 0 && class != atControl {
			at, class = x.seek(at+1, true)
		}
		return class != atControl || !strict
	}
	for class != 0 {
		if class == atControl {
			return false
		}
		if !x.inside(at) {
			x.dispatch(at, class)
		}
		at, class = x.seek(at+1, strict)
	}
	x.leave()
	x.recall()
	return true
}

func (x *scan) dispatch(i int, class uint8) {
	if class&atShape != 0 {
		x.shape(i)
	}
	if class&atMarker != 0 {
		x.marker(i)
	}
	if class&atBlock != 0 {
		x.block(i)
	}
	if class&atURL != 0 {
		x.url(i)
	}
	if class&atScheme != 0 {
		x.scheme(i)
	}
	if class&atTool != 0 {
		x.tool(i)
	}
	if class&atName != 0 {
		x.name(i)
	}
}

// add hides s[a:b], in JSON what of it lies in its string.
func (x *scan) add(a, b int) {
	if !x.live && a < b && x.isJSON() {
		a, b = x.clip(a, b)
	}
	x.put(a, b)
}

// put hides s[a:b]. Ranges come nearly in order; one that overlaps others
// becomes one with them.
func (x *scan) put(a, b int) {
	if a >= b || isMark(x.s[a:b]) {
		return
	}
	k := x.before(a)
	if k > 0 && x.out[k-1].End > a {
		k--
		a = x.out[k].Start
		b = max(b, x.out[k].End)
	}
	m := k
	for m < len(x.out) && x.out[m].Start < b {
		b = max(b, x.out[m].End)
		m++
	}
	if m == k {
		x.out = append(x.out, Range{})
		copy(x.out[k+1:], x.out[k:])
	} else {
		x.out = append(x.out[:k+1], x.out[m:]...)
	}
	x.out[k] = Range{a, b}
}

// isMark says that t is a Mark, or what backspaces have left of one.
func isMark(t string) bool {
	return len(t) >= 4 && len(t) <= len(Mark) && t == Mark[:len(t)]
}

// before is how many ranges start before byte i; most often all of them.
func (x *scan) before(i int) int {
	lo, hi := 0, len(x.out)
	if hi == 0 || x.out[hi-1].Start < i {
		return hi
	}
	for lo < hi {
		if mid := (lo + hi) / 2; x.out[mid].Start < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Facts of a line that rules ask for at many places.
const (
	tagSign     uint8 = 1 << iota // a < stands in it
	hereSign                      // a << stands in it
	setterWords                   // a word that sets a name to the next word may stand in it
)

// mentions says whether the fact is true of the line; it reads the line once.
func (x *scan) mentions(fact uint8) bool {
	if x.asked&fact == 0 {
		x.asked |= fact
		s, is := x.s, false
		switch fact {
		case tagSign:
			is = strings.IndexByte(s, '<') >= 0
		case hereSign:
			is = strings.Contains(s, "<<")
		case setterWords:
			is = strings.Contains(s, "set") || strings.Contains(s, "ENV ") || strings.Contains(s, "config ") || strings.Contains(s, "#define ")
		}
		if is {
			x.told |= fact
		}
	}
	return x.told&fact != 0
}

// inside says whether byte i is hidden already.
func (x *scan) inside(i int) bool {
	k := x.before(i + 1)
	return k > 0 && x.out[k-1].End > i
}

// broken says that an escape stood right before byte i.
func (x *scan) broken(i int) bool { return x.cuts != nil && x.cuts.broken(i) }

// shape looks for tokens of the table whose trigger stands at i, and hides the
// longest.
func (x *scan) shape(i int) {
	s := x.s
	if i+2 >= len(s) {
		return
	}
	k := shapeAt[triHash(s[i], s[i+1], s[i+2])]
	if k == 0 {
		return
	}
	set, end := shapeSet[k-1], -1
	var best *shape
	from := i
	for k := range set {
		h, at := set[k].shape, i-set[k].off
		if !set[k].standsAt(s, at) {
			continue
		}
		free := x.leftOK(at, len(h.prefix)) || h.sum && checked(h, s, at)
		if !free && !(h.glue && (s[at-1] == '_' || h.prefix[0] == 'g')) {
			continue
		}
		e := x.match(h, at)
		if !free && !(x.live && e == len(s)) && e-at-len(h.prefix) < h.least {
			continue
		}
		if e > end || e == end && at < from {
			end, best, from = e, h, at
		}
	}
	if end < 0 {
		if len(s)-i < 64 {
			x.openShape(i, k)
		}
		return
	}
	x.add(from, end)
	if end == len(s) && end-from < 44 && best.how&strong != 0 {
		x.wrapShape(best, end-from-len(best.prefix))
	}
}

// leftOK says that a token with a prefix of n bytes may start at i: nothing of a
// word stands before it.
func (x *scan) leftOK(i, n int) bool {
	if i == 0 || x.broken(i) {
		return true
	}
	b := x.s[i-1]
	if b == '_' {
		return n >= 5
	}
	if !setA.has(b) {
		return true
	}
	if i >= 2 && x.s[i-2] == '\\' && (b == 'n' || b == 'r' || b == 't') {
		return true
	}
	if i >= 3 && x.s[i-3] == '%' && setX.has(x.s[i-2]) && setX.has(b) {
		return true
	}
	return i >= 6 && hasAt(x.s, i-6, `\u00`)
}

// addPatterns hides what the user's own patterns find.
func (x *scan) addPatterns() {
	for _, p := range x.user {
		if p.Prefix == "" {
			continue
		}
		for i := 0; i < len(x.s); {
			k := indexFrom(x.s, i, p.Prefix)
			if k < 0 {
				break
			}
			end := setU.run(x.s, k+len(p.Prefix))
			if end-k-len(p.Prefix) >= p.Min {
				x.add(k, end)
			}
			i = max(end, k+1)
		}
	}
}
