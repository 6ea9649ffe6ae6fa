package redact

import "strings"

// wordAt gives the word of a command line at i without its quotes: s[a:b].
func wordAt(s string, i int) (a, b int) {
	if i >= len(s) {
		return i, i
	}
	if q, at := quoteAt(s, i); q != 0 {
		b, _ = closeQuote(s, at, q, at-1-i)
		return at, b
	}
	if e := refEnd(s, i); e > 0 && (s[i] == '$' || s[i] == '`' || s[i] == '{' || s[i] == '<') {
		if e >= len(s) || wordEnds(s, e) {
			return i, e
		}
	}
	b = i
	for b < len(s) && (groups[s[b]]&mayEndWord == 0 || !wordEnds(s, b)) {
		if s[b] == '\\' && b+1 < len(s) && !isQuote(s[b+1]) {
			b++
		}
		b++
	}
	return i, min(b, len(s))
}

// mayEndWord has all bytes at which an unquoted word needs a closer look.
const mayEndWord = other | paren | dollar

// wordEnds says that an unquoted word of a command line ends at i: a blank, an
// operator, or what closes the text that the command stands in.
func wordEnds(s string, i int) bool {
	switch c := s[i]; c {
	case ' ', '\t', '|', ';', '`':
		return true
	case '"', '\'':
		return true
	case ')', ']', '}', ',':
		return softEnd(s, i)
	case '&':
		return softEnd(s, i)
	case '\\':
		return i+1 < len(s) && (isQuote(s[i+1]) || s[i+1] == 'n' && (i+2 >= len(s) || !setA.has(s[i+2])))
	}
	return false
}

// nextWord gives the raw word (quotes kept) of a command that goes on at i, and
// ok false where the command ends.
func nextWord(s string, i int) (a, b int, ok bool) {
	a = blanks(s, i)
	if a >= len(s) || strings.IndexByte("|;)&", s[a]) >= 0 || s[a] == '#' {
		return a, a, false
	}
	b = a
	for b < len(s) {
		if groups[s[b]]&mayEndWord == 0 {
			b++
			continue
		}
		if isQuote(s[b]) {
			e, closed := closeQuote(s, b+1, s[b], 0)
			if !closed {
				return a, len(s), true
			}
			b = e + 1
			continue
		}
		if wordEnds(s, b) || hasAt(s, b, "$(") && nested(s, b+1, '(', ')') < 0 {
			break
		}
		if hasAt(s, b, "${") || hasAt(s, b, "$(") {
			if e := dollarEnd(s, b); e > b {
				b = e
				continue
			}
		}
		b++
	}
	return a, b, b > a
}

// flagsOf reads the words of a command from i on, once: the word behind a flag of
// rule.spaced is hidden, as is what is attached to one with a sign; behind a flag
// of rule.pairs only what follows the first colon; what is attached to a flag of
// rule.stuck. A command may stand in an argument of another one: each rule reads
// such a stretch once.
func (x *scan) flagsOf(i int, rule *toolRule) {
	s := x.s
	if i >= x.tooled {
		x.ran = 0
	}
	if x.ran&rule.bit != 0 {
		return
	}
	x.ran |= rule.bit
	for {
		a, b, ok := nextWord(s, i)
		if !ok {
			x.tooled = max(x.tooled, a)
			return
		}
		i = b
		if b-a >= 2 && (s[a] == '-' || s[a] == '/') {
			i = x.flag(a, b, rule)
		}
	}
}

// flag reads the flag s[a:b] and gives where the command goes on.
func (x *scan) flag(a, b int, rule *toolRule) (next int) {
	w := x.s[a:b]
	next = b
	for _, f := range rule.spaced {
		if w[1] != f[1] {
			continue
		}
		if w == f {
			next = x.hideArg(b, false)
		} else if isSet(w, f) {
			x.hideSpan(a+len(f)+1, b, false)
		}
	}
	for _, f := range rule.pairs {
		switch {
		case w[1] != f[1]:
			if len(f) == 2 && w[len(w)-1] == f[1] && isBundle(w, f[1]) {
				next = x.hideArg(b, true)
			}
		case w == f || len(f) == 2 && isBundle(w, f[1]):
			next = x.hideArg(b, true)
		case isSet(w, f):
			x.hideSpan(a+len(f)+1, b, true)
		case len(f) == 2 && strings.HasPrefix(w, f) && len(w) > 2 && w[2] != '=':
			x.hideSpan(a+2, b, true)
		}
	}
	for _, f := range rule.stuck {
		if strings.HasPrefix(w, f) && len(w) > len(f) {
			x.hideSpan(a+len(f), b, false)
		}
	}
	if rule.cookies && (w == "-b" || w == "--cookie") {
		next = max(next, x.cookieArg(b))
	}
	return next
}

// isSet: --flag=value in one word.
func isSet(w, flag string) bool {
	return len(w) > len(flag) && w[len(flag)] == '=' && w[:len(flag)] == flag
}

// isBundle: -sSu, short flags of curl in one word, the last of which has a value.
func isBundle(w string, last byte) bool {
	if len(w) < 3 || w[0] != '-' || w[len(w)-1] != last {
		return false
	}
	for i := 1; i < len(w)-1; i++ {
		if strings.IndexByte("fgGiIjJkKlLnNOpqRsSvZ#0346", w[i]) < 0 {
			return false
		}
	}
	return true
}

// hideArg hides the next word and gives where it ends.
func (x *scan) hideArg(i int, pair bool) int {
	a, b, ok := nextWord(x.s, i)
	if !ok {
		return i
	}
	if x.s[a] == '-' && !pair {
		return a
	}
	x.hideSpan(a, b, pair)
	return b
}

// hideSpan hides the word s[a:b] without the quotes round it; of a pair only
// what follows the first colon (or the % of smbclient).
func (x *scan) hideSpan(a, b int, pair bool) {
	s := x.s
	if a < b && isQuote(s[a]) {
		end, _ := closeQuote(s, a+1, s[a], 0)
		a, b = a+1, min(b, end)
	}
	if a >= b || isReference(s[a:b]) {
		return
	}
	if pair {
		k := pairColon(s[a:b])
		if k < 0 {
			return
		}
		a += k + 1
	}
	if t := s[a:b]; t != "" && !isPlaceholder(t) && !isReference(t) {
		x.add(a, b)
		x.remember(a, b)
	}
}

// pairColon finds the colon between user and password, not one in ${A:-b}.
func pairColon(t string) int {
	i := 0
	if e := refEnd(t, 0); e > 0 {
		i = e
	}
	for ; i < len(t); i++ {
		if t[i] == ':' || t[i] == '%' && i > 0 {
			return i
		}
	}
	return -1
}
