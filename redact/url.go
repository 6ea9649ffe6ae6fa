package redact

import "strings"

// maxUserinfo bounds how far the @ of an address is looked for.
const maxUserinfo = 4096

// url hides the password of scheme://user:password@host, or a token in the place
// of the user. i is where :// stands, or %3A%2F%2F.
func (x *scan) url(i int) {
	s := x.s
	if s[i] != ':' {
		if i >= 2 && foldAt(s, i-2, "%3a%2f%2f") {
			x.codedURL(i + 7)
		}
		return
	}
	if i == 0 || !setA.has(s[i-1]) || i < x.linked {
		return
	}
	from := i + 3
	end := min(x.addressEnd(from), from+maxUserinfo)
	x.linked = end
	host := from
	for host < end && (groups[s[host]]&(slash|query|other) == 0 || s[host] != '/' && s[host] != '?' && s[host] != '#') {
		host++
	}
	at := strings.LastIndexByte(s[from:host], '@')
	if at < 0 {
		at = x.lateAt(from, host, end)
	}
	if at < 0 {
		x.openUserinfo(from, host, end)
		return
	}
	x.userinfo(from, from+at)
}

// addressEnd gives where an address that goes on at i ends: a blank, a quote, a
// closing bracket, another address.
func (x *scan) addressEnd(i int) int {
	s := x.s
	for end := min(len(s), i+maxUserinfo); i < end; i++ {
		c := s[i]
		if groups[c]&(other|angle|colon|dollar) == 0 {
			continue
		}
		switch c {
		case ' ', '\t', '"', '`', '<', '>':
			return i
		case '\'':
			if i+1 >= len(s) || !setA.has(s[i+1]) {
				return i
			}
		case '\\':
			if i+1 < len(s) && (isQuote(s[i+1]) || s[i+1] == 'n') {
				return i
			}
		case ':':
			if hasAt(s, i, "://") {
				return i
			}
		case '$', '{':
			if e := refEnd(s, i); e > i {
				i = e - 1
			}
		}
	}
	return i
}

// lateAt finds the @ behind a password that holds / ? or #; what stands before
// the colon must be no host, what follows it no port.
func (x *scan) lateAt(from, host, end int) int {
	s := x.s
	colon := strings.IndexByte(s[from:host], ':')
	if colon < 0 || strings.IndexByte(s[from:from+colon], '.') >= 0 || strings.HasPrefix(s[from:], "[") {
		return -1
	}
	if p := setD.run(s, from+colon+1); p == host && p > from+colon+1 {
		return -1
	}
	return strings.LastIndexByte(s[from:end], '@')
}

func (x *scan) userinfo(from, at int) {
	s := x.s
	colon := strings.IndexByte(s[from:at], ':')
	if hasAt(s, from, "${") || hasAt(s, from, "{{") {
		if e := refEnd(s, from); e > 0 && e < at {
			colon = strings.IndexByte(s[e:at], ':')
			if colon >= 0 {
				colon += e - from
			}
		}
	}
	if colon < 0 {
		if t := s[from:at]; len(t) >= 30 && setT.run(s, from) == at && varied(t) {
			x.add(from, at)
		}
		return
	}
	a := from + colon + 1
	pw := s[a:at]
	if pw == "x-oauth-basic" || pw == "" || pw == "x" {
		if t := s[from : a-1]; len(t) >= 20 && varied(t) && setT.run(s, from) == a-1 {
			x.add(from, a-1)
		}
		return
	}
	if isPlaceholder(pw) || isReference(pw) || strings.HasPrefix(pw, Mark) {
		return
	}
	x.add(a, at)
	x.named = max(x.named, at)
}

// openUserinfo: in a live row the @ may still come.
func (x *scan) openUserinfo(from, host, end int) {
	if !x.live || end != len(x.s) {
		return
	}
	colon := strings.IndexByte(x.s[from:host], ':')
	user := x.s[from:host]
	if colon >= 0 {
		user = user[:colon]
	}
	if host == end && len(user) >= 20 && (setU|tilde).run(user, 0) == len(user) && varied(user) {
		x.add(from, from+len(user))
	}
	if colon < 0 || host < end && strings.IndexByte(x.s[from:from+colon], '.') >= 0 {
		return
	}
	a := from + colon + 1
	if setD.run(x.s, a) != host && !isReference(x.s[a:]) && !hasAt(x.s, a, Mark) {
		x.add(a, len(x.s))
	}
}

// codedURL: postgres%3A%2F%2Fuser%3Apassword%40host.
func (x *scan) codedURL(i int) {
	s := x.s
	end := min(len(s), i+maxUserinfo)
	colon, at := -1, -1
	for j := i; j < end && (setT.has(s[j]) || s[j] == '%' || s[j] == '!' || s[j] == '*' || s[j] == '+'); j++ {
		switch {
		case foldAt(s, j, "%3a") && colon < 0:
			colon = j + 3
		case foldAt(s, j, "%40"):
			at = j
		case foldAt(s, j, "%2f"):
			end = j
		}
	}
	if colon >= 0 && at > colon && !isPlaceholder(s[colon:at]) {
		x.add(colon, at)
	}
}
