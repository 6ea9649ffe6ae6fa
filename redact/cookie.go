package redact

import "strings"

func isCookieHeader(id string) bool {
	switch len(id) {
	case 6, 7, 9, 10, 11:
		return cookieHeaders.has(id)
	}
	return false
}

var cookieHeaders = dictOf("cookie cookies setcookie set-cookie set_cookie http_cookie http-cookie")

// cookies hides the values of a Cookie header, or the first of each Set-Cookie.
// It gives false where no name=value stands, so that other rules look.
func (x *scan) cookies(start, end int, g *sign) bool {
	s := x.s
	only := end-start > 7 && lower(s[start]) == 's'
	at, limit, closed := x.container(start, g.at)
	if k := strings.IndexByte(s[at:limit], '='); k <= 0 || strings.ContainsAny(s[at:at+k], " \t;:,\"'{}") {
		return false
	}
	for {
		x.cookieList(at, limit, only, closed)
		// "set-cookie": ["a=b; Path=/", "c=d"]
		k := limit + 1
		if !closed || k >= len(s) || s[min(limit, len(s)-1)] == ']' {
			return true
		}
		k = blanks(s, k)
		if k >= len(s) || s[k] != ',' {
			return true
		}
		k = blanks(s, k+1)
		q, in := quoteAt(s, k)
		if q == 0 {
			return true
		}
		e, ok := closeQuote(s, in, q, in-1-k)
		if !ok && !x.live || strings.IndexByte(s[in:e], '=') <= 0 || blanks(s, e+1) < len(s) && s[blanks(s, e+1)] == ':' {
			return true
		}
		at, limit = in, e
	}
}

// cookieList hides the values of name=value pairs apart by semicolons.
func (x *scan) cookieList(at, limit int, only, closed bool) {
	s := x.s
	for at < limit {
		at = blanks(s, at)
		name := at
		for at < limit && s[at] != '=' && s[at] != ';' && !isBlank(s[at]) {
			at++
		}
		if at >= limit || s[at] != '=' || at == name {
			return
		}
		at++
		from := at
		for at < limit && s[at] != ';' && !isBlank(s[at]) && (closed || !isQuote(s[at]) || at == from) {
			at++
		}
		a, b := from, at
		if b-a >= 2 && s[a] == '"' && s[b-1] == '"' {
			a, b = a+1, b-1
		}
		if t := s[a:b]; !isPlaceholder(t) && !isReference(t) {
			x.add(a, b)
		}
		if only || at >= limit || s[at] != ';' {
			return
		}
		at++
	}
}
