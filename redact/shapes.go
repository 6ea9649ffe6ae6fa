package redact

import "strings"

// shape is one form of token: what it starts with and what follows.
//
// tail is a list of parts apart by blanks. A part of an alphabet's letter (see
// chars.go) and a number is a run of at least so many of its characters; with a
// ! the run has exactly so many. Any other part stands for itself. Lengths are
// least lengths wherever a vendor may let them grow: a run is always hidden to
// its end.
type shape struct {
	prefix string
	tail   string
	how    how
	segs   []seg
	any    set // all that may occur in the tail
	// off is where in the prefix its rarest three bytes stand; probe where, from
	// the prefix's start, a character of the first run must stand, 0 for nowhere.
	// near is how many before it must be of the run too.
	off, probe, near int
	// least is how long the tail is at least.
	least int
	// glue: a whole one is hidden behind an underscore too (tok_ghp_…), those of
	// GitHub and GitLab behind a letter as well: nothing else looks so. Others start
	// like the end of a word (risk-admin-…).
	glue bool
	// sum: the tail ends in a checksum (checksum.go).
	sum bool
}

type how uint8

const (
	// strong: nothing but such a token starts so; a shortened one is hidden too.
	strong how = 1 << iota
	// mixed: the last run must hold a digit or capitals inside, since words of
	// code start with the prefix too.
	mixed
)

type seg struct {
	alphabet set
	min      int
	exact    bool
	lit      string
}

// looseMin is how much of a shortened strong token is hidden anywhere, and
// lineEndMin how much at the end of a line, where a wrap may have cut it.
const (
	looseMin   = 14
	lineEndMin = 6
)

var alphabets = map[byte]set{'A': setA, 'B': setB, 'C': setC, 'D': setD, 'E': setE, 'H': setH,
	'L': setL, 'N': setN, 'P': setP, 'T': setT, 'U': setU, 'V': setV, 'W': setW, 'X': setX, 'Y': setY}

// init reads the tail of h.
func (h *shape) init() {
	h.segs = parseTail(h.tail)
	h.sum = h.tail == "A36" && (strings.HasPrefix(h.prefix, "gh") || h.prefix == "npm_")
	h.glue = h.how&strong != 0 && len(h.prefix) >= 4 && !setA.has(h.prefix[len(h.prefix)-1])
	if g := h.segs[0]; g.min > 0 {
		h.probe = len(h.prefix) + g.min - 1
		h.near = min(3, g.min-1)
	}
	for _, p := range h.segs {
		h.least += p.min + len(p.lit)
		h.any |= p.alphabet
		for i := 0; i < len(p.lit); i++ {
			h.any |= groups[p.lit[i]] & known
		}
	}
}

// oftenPairs are pairs of characters of logs, code and listings, the most
// frequent ones first (counted over 10 MB of them).
var oftenPairs map[string]int

func makeOftenPairs() map[string]int {
	rank := map[string]int{}
	for i, p := range strings.Fields(`xx in er st re es te on en se de th le at or an nt ed he ro ta co ng ti il as to ar nd me
 ge ut 00 20 al tr et -- li om ne pe it ri un is ur ts ss fi ch io ns ve ot pa ke ea el ra s. mp ac lo na oo ex nc ec ou ce ma
 ha rn am la 02 ll ol od e. id ct si us ow rt em 1. no pr ul di ok mo ag if ho ai fo yp t. so ca r- ue 10 ap ad rs 01 ty au ls
 ld .t 0. of 12 ni op pl rg hi ck tu }, ab sh da nu s/ ru os -1 oc -r .c ef rd 11 ui rc ms bi ia cl ig eb sk be :0 .1 // tt pi
 rr im ov ie n. do 2. := e, bl s: fu pt cr :{ [m ee bu po Re ic 0: ev ry pp ep ix 21 go .0 Ma su fa -0 30 wi sr tp xt ay pu ew 26
 tc e/ wh ip ir t, bo .2 l/ /t gi -4 sc js um dd s, e: nf ba ps ib qu 31 s) py /s Fi 14 mi /a va ks s- 6- d. 2m /c up -2 ey 1- eg
 wa c/ ff -a ak 23 sa -3 m. .o 64 48 .g fr 17 e_`) {
		rank[p] = i + 1
	}
	return rank
}

// cost estimates how often three bytes are met, by their two pairs.
func cost(three string) (n int) {
	for _, p := range [...]string{three[:2], three[1:]} {
		rank, often := oftenPairs[p]
		if !often {
			rank = 1000
		}
		n += 100000 / (rank + 2)
	}
	return n
}

// choose sets off: the rarest three bytes of the prefix. Where another prefix
// starts this one, it takes that one's, so that both are judged together.
func (h *shape) choose() {
	p := h.prefix
	for i := range shapes {
		if q := shapes[i].prefix; len(q) > 2 && len(q) < len(p) && strings.HasPrefix(p, q) {
			p = q
		}
	}
	best := 0
	for k := 0; k+3 <= len(p); k++ {
		if n := cost(p[k : k+3]); best == 0 || n < best {
			best, h.off = n, k
		}
	}
}

func parseTail(tail string) (segs []seg) {
	for _, part := range strings.Fields(tail) {
		g, known := alphabets[part[0]]
		num := strings.TrimSuffix(part[1:], "!")
		n := 0
		for _, c := range []byte(num) {
			if !isDigit(c) {
				known = false
			}
			n = n*10 + int(c-'0')
		}
		if !known || num == "" {
			segs = append(segs, seg{lit: part})
			continue
		}
		segs = append(segs, seg{alphabet: g, min: n, exact: len(num)+1 < len(part)})
	}
	return segs
}

// start is what is asked of a shape first, packed: the first eight bytes of its
// prefix as one number, and off.
type start struct {
	head, mask uint64
	off        int
	shape      *shape
}

func (h *shape) start() (t start) {
	t.off, t.shape = h.off, h
	for k := 0; k < 8 && k < len(h.prefix); k++ {
		t.head |= uint64(h.prefix[k]) << (8 * k)
		t.mask |= 0xff << (8 * k)
	}
	return t
}

// standsAt says that the prefix of the shape stands in s at i.
func (t *start) standsAt(s string, i int) bool {
	if i < 0 || i+8 <= len(s) && load8(s, i)&t.mask != t.head {
		return false
	}
	return hasAt(s, i, t.shape.prefix)
}

// match gives the end of the token whose prefix stands in s at i, or -1.
func (x *scan) match(h *shape, i int) int {
	s, live := x.s, x.live
	from := i + len(h.prefix)
	at := from
	for k := range h.segs {
		g := &h.segs[k]
		if g.lit != "" {
			if !strings.HasPrefix(s[at:], g.lit) {
				return h.short(s, from, live)
			}
			at += len(g.lit)
			continue
		}
		end := x.runOf(g.alphabet, at)
		if live && end == len(s) && end > from {
			return end
		}
		last := k == len(h.segs)-1
		if !last && end-at > g.min && g.alphabet.has(h.segs[k+1].first()) {
			end = at + g.min
		}
		if end-at < g.min || g.exact && end-at != g.min && (last || g.min == 0) {
			return h.short(s, from, live)
		}
		if g.exact && end-at != g.min {
			return -1
		}
		if last {
			end = trimEnd(s, at, end)
			if end-at < g.min {
				end = at + g.min
			}
		}
		at = end
	}
	if h.how&mixed != 0 && x.isDull(from, at) || isFiller(s[from:at]) {
		return -1
	}
	return at
}

// runOf is g.run with a memory: a long run is measured once for an alphabet.
func (x *scan) runOf(g set, at int) int {
	m := &x.runs[0]
	if g == setA {
		m = &x.runs[1]
	}
	if m.g == g && at >= m.from && at < m.to {
		return m.to
	}
	end := g.run(x.s, at)
	m.g, m.from, m.to = g, at, end
	return end
}

// backOf is g.back with a memory, for setA and setB: however often it is asked
// for places of one run, that is read once.
func (x *scan) backOf(g set, i, limit int) int {
	m := &x.backs[0]
	if g == setA {
		m = &x.backs[1]
	}
	k := i
	for k > m.seen && groups[x.s[k-1]]&g != 0 {
		k--
	}
	if k != m.seen || i < m.seen {
		m.from = g.back(x.s, k, k)
	}
	m.seen = i
	return max(m.from, i-limit)
}

// isDull says that s[from:to] is not varied, and remembers it for its parts.
func (x *scan) isDull(from, to int) bool {
	if from >= x.dull.Start && to <= x.dull.End {
		return true
	}
	if varied(x.s[from:to]) {
		return false
	}
	x.dull = Range{from, to}
	return true
}

func (g *seg) first() byte {
	if g.lit != "" {
		return g.lit[0]
	}
	return 0
}

// short judges what follows the prefix of a strong shape without being whole: a
// token that was cut is still most of a secret.
func (h *shape) short(s string, from int, live bool) int {
	if h.how&strong == 0 && !live {
		return -1
	}
	end := h.any.run(s, from)
	if live && end == len(s) && end > from {
		return end
	}
	if h.how&strong == 0 {
		return -1
	}
	end = trimEnd(s, from, end)
	least := looseMin
	if end == len(s) {
		least = lineEndMin
	}
	if end-from < least || !varied(s[from:end]) || isPlaceholder(s[from:end]) {
		return -1
	}
	return end
}

// trimEnd takes punctuation of the sentence off the end of a token.
func trimEnd(s string, from, end int) int {
	for end > from && (s[end-1] == '.' || s[end-1] == '-' || s[end-1] == ',') {
		end--
	}
	return end
}

// isFiller says that a token is one character over and over: an example.
func isFiller(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != s[0] {
			return false
		}
	}
	return true
}
