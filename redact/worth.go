package redact

import "strings"

// What the filter finds is most often nothing: the key of a keyboard, the path
// of a file auth/token.ts, an address without a user. worth looks a few bytes
// further and drops what no scanner would act on, so that a clean line is done
// without one. It may keep too much, never drop what a scanner would hide.

// worth gives those classes of the find at i in x.s that need a scanner.
func (x *scan) worth(i int, class uint8) uint8 {
	if class&atName != 0 && !x.worthName(i) {
		if class &^= atName; class == 0 {
			return 0
		}
	}
	if class&atShape != 0 && !x.worthShape(i) {
		class &^= atShape
	}
	if class&atTool != 0 && !worthTool(x.s, i) {
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

// stemEnd gives the end of the telling word in which the trigger at i lies, or
// -1 where it is part of another word: passenger, keyword, authentic.
func stemEnd(s string, i int) int {
	e := -1
	switch fold3(s, i) {
	case 'k' | 'e'<<8 | 'y'<<16:
		e = i + 3
	case 'o' | 'k'<<8 | 'e'<<16:
		if letterAt(s, i-1, 't') && letterAt(s, i+3, 'n') {
			e = i + 4
		}
	case 'a' | 'u'<<8 | 't'<<16:
		if !letterAt(s, i+3, 'h') {
			return -1
		}
		if e = i + 4; letterAt(s, e, 'o') && foldAt(s, e, "orization") {
			return e
		}
	case 'e' | 'c'<<8 | 'r'<<16:
		if letterAt(s, i-1, 's') && letterAt(s, i+3, 'e') && letterAt(s, i+4, 't') {
			e = i + 5
		}
	case 'p' | 'a'<<8 | 's'<<16:
		if !letterAt(s, i+3, 's') {
			return -1
		}
		if e = i + 4; e < len(s) && isLower(s[e]) && strings.IndexByte("wpceio", s[e]) >= 0 {
			return whole(s, i, "password", "passwd", "passphrase", "passcode", "passwort", "passe", "passin", "passout")
		}
	case 'o' | 'k'<<8 | 'i'<<16:
		if letterAt(s, i-1, 'o') && letterAt(s, i-2, 'c') {
			return whole(s, i-2, "cookie", "cookies")
		}
	case 's' | 'i'<<8 | 'g'<<16:
		if i > 0 && isLower(s[i]) && isLetter(s[i-1]) && !(i > 1 && s[i-2] == '\\') && !x00(s, i) {
			return -1
		}
		if e = i + 3; letterAt(s, e, 'n') {
			return whole(s, i, "signature")
		}
	default:
		return rareEnd(s, i)
	}
	if e < len(s) && e >= 0 && isLower(s[e]) {
		return -1
	}
	return e
}

// rareEnd is stemEnd for words that are seldom met.
func rareEnd(s string, i int) int {
	switch fold3(s, i) {
	case 'c' | 'r'<<8 | 'e'<<16:
		if letterAt(s, i+3, 'd') {
			return whole(s, i, "cred", "creds", "credential", "credentials")
		}
	case 'm' | 'a'<<8 | 'c'<<16:
		if i == 0 || isBlank(s[i-1]) {
			return whole(s, i, "machine")
		}
	case 'h' | 'm'<<8 | 'a'<<16:
		return whole(s, i, "hmac")
	case 'e' | 'm'<<8 | 'o'<<16:
		return whole(s, i-2, "mnemonic")
	case 'f' | 'i'<<8 | 'e'<<16:
		return whole(s, i-6, "identified")
	case '_' | 0x20 | 'p'<<8 | 'w'<<16:
		if e := i + 3; e == len(s) || !isLower(s[e]) || s[e] == 'd' {
			return e
		}
	case 'j' | 'w'<<8 | 't'<<16, 'p' | 'w'<<8 | 'd'<<16:
		return i + 3
	}
	return -1
}

// letterAt says that the letter b, in any case, stands in s at i.
func letterAt(s string, i int, b byte) bool { return uint(i) < uint(len(s)) && s[i]|0x20 == b }

// x00 says that two hex digits of an escape like %3F stand before i.
func x00(s string, i int) bool { return i >= 3 && s[i-3] == '%' || i >= 6 && s[i-6] == '\\' }

// whole gives the end of one of the words at i where no small letter goes on
// with it, else -1.
func whole(s string, i int, words ...string) int {
	for _, w := range words {
		if e := i + len(w); foldAt(s, i, w) && (e == len(s) || !isLower(s[e])) {
			return e
		}
	}
	return -1
}

// fold3 gives the three bytes at i, the first one lowest, letters in lower case.
func fold3(s string, i int) uint32 {
	b := s[i : i+3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | 0x202020
}

// worthShape says that a token of the table may start round i.
func (x *scan) worthShape(i int) bool {
	s := x.s
	k := shapeAt[triHash(s[i], s[i+1], s[i+2])]
	if k == 0 {
		return false
	}
	for _, h := range shapeSet[k-1] {
		from := i - h.off
		if !h.startsAt(s, from) {
			continue
		}
		if !x.live && !h.mayFollow(s, from) {
			continue
		}
		if h.sum || x.leftOK(from, len(h.prefix)) {
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
func worthTool(s string, i int) bool {
	name := setA | dash
	end := name.run(s, i)
	if end >= len(s) || !isBlank(s[end]) {
		return false
	}
	start := name.back(s, i, 20)
	if start >= end || !commandStart(s, start) {
		return false
	}
	switch word := s[start:end]; word {
	case "mc", "rabbitmqctl":
		return true
	case "login":
		return hasFlag(s[end:])
	default:
		return toolOf(word) != nil && hasFlag(s[end:])
	}
}

// worthMarker looks at the marks that are common in other words.
func (x *scan) worthMarker(i int) bool {
	s := x.s
	switch s[i] {
	case 'e':
		return x.leftOK(i, 6)
	case ':':
		return i > 0 && isDigit(s[i-1])
	case 'L':
		return hasAt(s, i, "LS0tLS1CRUdJTi")
	case '-':
		return i > 0 && setH.has(s[i-1]) && i+3 < len(s) && isDigit(s[i+3])
	case 'M', 'N', 'O':
		return x.leftOK(i, 6) && (x.live || i+22 < len(s) && setA.has(s[i+11]) && setA.has(s[i+22]))
	}
	return true
}
