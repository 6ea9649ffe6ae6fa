package redact

import "strings"

// What the filter finds is most often nothing: the key of a keyboard, the path
// of a file auth/token.ts, an address without a user. worth looks a few bytes
// further and drops what no scanner would act on, so that a clean line is done
// without one. It may keep too much, never drop what a scanner would hide.

// worth gives those classes of the find at i in x.s that need a scanner.
func (x *scan) worth(i int, class uint8) uint8 {
	if class == atName { // alone, as most often
		if x.worthName(i) {
			return atName
		}
		return 0
	}
	if class&atName != 0 && !x.worthName(i) {
		class &^= atName
	}
	if class&atShape != 0 && !x.worthShape(i) {
		class &^= atShape
	}
	if class&atTool != 0 && !x.worthTool(i) {
		class &^= atTool
	}
	if class&(atURL|atScheme|atBlock|atMarker) == 0 {
		return class
	}
	if class&atURL != 0 && !x.worthURL(i) {
		class &^= atURL
	}
	if class&atScheme != 0 && !foldAt(x.s, i, "bearer") && !foldAt(x.s, i-2, "basic") {
		class &^= atScheme
	}
	if class&atBlock != 0 && !worthBlock(x.s, i) {
		class &^= atBlock
	}
	if class&atMarker != 0 && !x.worthMarker(i) {
		class &^= atMarker
	}
	return class
}

// worthName says that the telling word at i is a whole one and that something
// follows it which may lead to a value.
func (x *scan) worthName(i int) bool {
	s := x.s
	if s[i] >= 0x80 || s[i+1] >= 0x80 {
		return true
	}
	if i < x.named {
		return false
	}
	e := stemEnd(s, i)
	if e < 0 {
		return false
	}
	id := &x.ident
	if e < id.from || e >= id.to {
		id.from, id.to, id.dot = e, ident.run(s, e), -1
		for k := e; k < id.to; k++ {
			if s[k] == '.' {
				id.dot = k
			}
		}
	}
	end := id.to
	if end == len(s) {
		return true
	}
	switch nameEnds[s[end]] {
	case 0:
		return s[end-1] == '.' || s[end-1] == '-'
	case 1:
		return true
	}
	// A blank: a file's name with a dot in it has no value behind it, but may
	// have a sign.
	if id.dot >= e {
		j := blanks(s, end)
		return j >= len(s) || nameEnds[s[j]] == 1 || isDigit(s[j])
	}
	return true
}

// nameEnds is 1 for what may stand between a name and its value, 2 for blanks.
var nameEnds = func() (t [256]uint8) {
	for _, b := range []byte("=:\"'\\]%&?>`)!\xe2+|<,[") {
		t[b] = 1
	}
	t[' '], t['\t'] = 2, 2
	return t
}()

// worthShape says that a token of the table may start round i.
func (x *scan) worthShape(i int) bool {
	s := x.s
	k := shapeAt[triHash(s[i], s[i+1], s[i+2])]
	if k == 0 {
		return false
	}
	set := shapeSet[k-1]
	for k := range set {
		t := &set[k]
		from := i - t.off
		if from < 0 || from+8 <= len(s) && load8(s, from)&t.mask != t.head || !t.standsAt(s, from) {
			continue
		}
		h := t.shape
		if !x.live && !h.mayFollow(s, from) {
			continue
		}
		if h.sum || h.glue || x.leftOK(from, len(h.prefix)) {
			return true
		}
	}
	return false
}

// mayFollow says that enough of what may follow the prefix of h at i is there:
// of a strong shape as much as a line's end hides, of others the end of the first
// run.
func (h *shape) mayFollow(s string, i int) bool {
	at, n, g := i+len(h.prefix), lineEndMin, h.any
	if h.how&strong == 0 {
		if h.probe == 0 {
			return true
		}
		at, n, g = i+h.probe-h.near, h.near+1, h.segs[0].alphabet
		if i+h.probe >= len(s) {
			return false
		}
	}
	end := min(at+n, len(s))
	return g.run(s[:end], at) == end
}

// worthURL says that a user may stand in the address round i.
func (x *scan) worthURL(i int) bool {
	s := x.s
	if s[i] != ':' {
		return i >= 2 && foldAt(s, i-2, "%3a%2f%2f")
	}
	if s[i+1] != '/' || s[i+2] != '/' {
		return false
	}
	for j := i + 3; ; j++ {
		if j >= len(s) {
			return x.live
		}
		if c := urlEnds[s[j]]; c != 0 {
			if c == 3 && !hasAt(s, j, "://") || c == 4 && j+1 < len(s) && setA.has(s[j+1]) {
				continue
			}
			return c == 2
		}
	}
}

// urlEnds is 1 for what ends an address, 2 for what makes it worth a look, 3 and
// 4 for what ends it before certain bytes.
var urlEnds = func() (t [256]uint8) {
	for _, b := range []byte(" \t\"`<>") {
		t[b] = 1
	}
	t['@'], t['$'], t['{'], t['\\'] = 2, 2, 2, 2
	t[':'], t['\''] = 3, 4
	return t
}()

// worthBlock says that a PEM block begins behind the dash at i, or that a PuTTY
// key has one of its fields here.
func worthBlock(s string, i int) bool {
	if s[i] == 'e' {
		return hasAt(s, i-6, "Private-")
	}
	return hasAt(s, blanks(s, i+1), "BEGIN ")
}

// worthTool says that the word round i is a command with flags.
func (x *scan) worthTool(i int) bool {
	_, end, word := x.commandAt(i)
	switch word {
	case "":
		return false
	case "mc", "rabbitmqctl":
		return true
	case "login":
		return x.hasFlag(end)
	}
	return toolOf(word) != nil && (x.hasFlag(end) || strings.Contains(word, "freerdp"))
}

// worthMarker looks at the marks that are common in other words. The hash of
// three bytes may be that of others.
func (x *scan) worthMarker(i int) bool {
	s := x.s
	switch s[i] {
	case 'e':
		return hasAt(s, i, "eyJ") && x.leftOK(i, 6)
	case ':':
		return i > 0 && isDigit(s[i-1]) && hasAt(s, i, ":AA")
	case 'L':
		return hasAt(s, i, "LS0tLS1CRUdJTi")
	case '-':
		return i > 0 && setH.has(s[i-1]) && hasAt(s, i, "-us") && i+3 < len(s) && isDigit(s[i+3])
	case 'M', 'N', 'O':
		return x.leftOK(i, 6) && (x.live || i+22 < len(s) && setA.has(s[i+11]) && setA.has(s[i+22]))
	}
	return true
}
