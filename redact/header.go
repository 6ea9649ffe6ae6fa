package redact

import "strings"

// special looks at names that have rules of their own: the Authorization header,
// cookies, SQL, netrc, a password on standard input.
func (x *scan) special(start, end int, g *sign, signed bool) bool {
	s, n := x.s, end-start
	switch lower(s[end-1]) {
	case 'n':
		switch {
		case n >= 13 && foldAt(s, end-13, "authorization"):
			if signed {
				x.authorization(start, g)
			}
			return true
		case n >= 14 && foldAt(s, end-14, "password-stdin"), n >= 10 && foldAt(s, end-10, "with-token"):
			x.fromStdin(start, end)
			return true
		case n == 6 && foldAt(s, start, "passin"):
			x.passArgument(end)
			return true
		}
	case 'e':
		switch {
		case isCookieHeader(s[start:end]):
			return signed && x.cookies(start, end, g)
		case n == 7 && foldAt(s, start, "machine"):
			x.next.Netrc = x.next.Netrc || strings.TrimSpace(s[:start]) == "" && end < len(s) && s[end] == ' '
			return true
		}
	case 's':
		switch {
		case isCookieHeader(s[start:end]):
			return signed && x.cookies(start, end, g)
		case n == 4 && !signed && foldAt(s, start, "pass"):
			x.passArgument(end)
			return true
		}
	case 'd':
		switch {
		case n == 10 && foldAt(s, start, "identified"):
			x.identifiedBy(end)
			return true
		case n == 8 && foldAt(s, start, "chpasswd"):
			x.fromStdin(start, end)
			return true
		}
	case 't':
		if n == 7 && foldAt(s, start, "passout") {
			x.passArgument(end)
			return true
		}
	}
	return false
}

// passArgument: -passin pass:x of openssl.
func (x *scan) passArgument(end int) {
	if k := indexFrom(x.s[:min(len(x.s), end+7)], end, "pass:"); k >= 0 {
		x.hideWord(k + 5)
	}
}

// container is the end of the text that the header at start stands in, and
// whether its value is known to reach so far: a quote, a bracket, a line of an
// HTTP dump.
func (x *scan) container(start, at int) (from, end int, closed bool) {
	s := x.s
	if q, in := quoteAt(s, at); q != 0 {
		end, _ = closeQuote(s, in, q, in-1-at)
		return in, end, true
	}
	if at < len(s) && s[at] == '[' && !hasAt(s, at, Mark) {
		if q, in := quoteAt(s, at+1); q != 0 {
			end, _ = closeQuote(s, in, q, in-2-at)
			return in, end, true
		}
		if k := strings.IndexByte(s[at:], ']'); k > 0 {
			if strings.Contains(s[at:at+k], Mark[:len(Mark)-1]) {
				k++
			}
			return at + 1, at + k, true
		}
		return at + 1, len(s), true
	}
	if start > 0 && isQuote(s[start-1]) {
		depth := 0
		for start-2-depth >= 0 && s[start-2-depth] == '\\' {
			depth++
		}
		end, _ = closeQuote(s, at, s[start-1], depth)
		return at, end, true
	}
	return at, len(s), ledOnly(s, start)
}

// ledOnly says that nothing but the marks of an HTTP dump stands before byte i.
func ledOnly(s string, i int) bool {
	for k := 0; k < i; k++ {
		if c := s[k]; !isBlank(c) && c != '<' && c != '>' && c != '*' && c != '|' && c != '-' {
			return false
		}
	}
	return true
}

// singleToken schemes are followed by one word, listScheme by parameters.
var (
	singleToken = dictOf(`bearer basic token apikey api-key negotiate ntlm key dpop sso-key bot jwt splunk genie-key`)
	listScheme  = dictOf(`digest aws4-hmac-sha256 oauth hawk signature hmac gnap vapid webpush`)
)

// authorization hides the credentials of an Authorization header and keeps the
// scheme's word.
func (x *scan) authorization(start int, g *sign) {
	s := x.s
	at, end, closed := x.container(start, g.at)
	at = blanks(s, at)
	if at >= end {
		x.next.Header = x.next.Header || at >= len(s)
		return
	}
	if hasAt(s, at, Mark) || end-at <= maxRef && isReference(s[at:end]) {
		return
	}
	scheme := (setA | dash | under).run(s, at)
	rest := blanks(s, min(scheme, end))
	if scheme >= end || !isBlank(s[scheme]) {
		x.bareHeader(g, at, end, scheme)
		return
	}
	if rest >= end {
		x.next.Header = x.next.Header || end == len(s) && singleToken.has(s[at:scheme])
		return
	}
	word := s[at:scheme]
	x.named = max(x.named, rest)
	first := x.unquotedEnd(rest, false)
	first = min(first, end)
	t := s[rest:first]
	switch {
	case hasAt(s, rest, Mark), end-rest <= maxRef && isReference(s[rest:end]), isReference(t), isPlaceholder(t):
		return
	case x.live && first == len(s) && (singleToken.has(word) || listScheme.has(word)):
	case isPlainWord(t) && len(t) < 16 && (first < end || statusWords.has(t) || !singleToken.has(word)):
		return
	case listScheme.has(word):
	case !closed || singleToken.has(word) && first-rest >= 16:
		x.add(rest, first)
		return
	}
	for end > rest && isBlank(s[end-1]) {
		end--
	}
	x.add(rest, end)
}

// bareHeader: a value without a scheme.
func (x *scan) bareHeader(g *sign, at, end int, scheme int) {
	if scheme >= end && end == len(x.s) && (singleToken.has(x.s[at:end]) || listScheme.has(x.s[at:end])) {
		x.next.Header = true
		return
	}
	first := min(x.unquotedEnd(at, false), end)
	t := x.s[at:first]
	if g.quoted && isStructure(x.s, at, first) {
		return
	}
	if isPlaceholder(t) || isReference(t) || isPlainWord(t) && len(t) < 20 || isCall(t) || isPathOfCode(t) || isTypeText(t) {
		return
	}
	x.add(at, first)
}

// scheme hides what follows Bearer or Basic outside a header: 16 characters or
// more with a digit.
func (x *scan) scheme(i int) {
	s := x.s
	for _, w := range [...]string{"bearer", "basic"} {
		at := i
		if w == "basic" {
			at = i - 2
		}
		if !foldAt(s, at, w) || at > 0 && setA.has(s[at-1]) {
			continue
		}
		j := at + len(w)
		switch {
		case j < len(s) && s[j] == ' ':
			j++
		case hasAt(s, j, "%20"):
			j += 3
		default:
			return
		}
		if x.inside(j) {
			return
		}
		end := trimEnd(s, j, (setY|tilde).run(s, j))
		t := s[j:end]
		g, _ := of(t)
		if len(t) >= 16 && g&(digit|equal) != 0 && !isPlaceholder(t) || x.live && end == len(s) && end > j && !isPlainWord(t) {
			x.add(j, end)
			x.named = max(x.named, end)
		}
		return
	}
}
