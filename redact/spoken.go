package redact

import "strings"

// What people and programs say in sentences: "Password for bob: x", "your
// temporary password is x", "New token created: x".

// saidWords may stand between a name and the sign before its value.
var saidWords = dictOf("created generated issued saved added received value is")

// said looks for a value behind a name in a sentence; at is the next word.
func (x *scan) said(k kind, start, end, at int) {
	s := x.s
	e := setN.run(s, at)
	word := s[at:e]
	switch {
	case e >= len(s):
	case k == password && len(word) == 3 && foldAt(word, 0, "for") && isBlank(s[e]):
		a, b := wordAt(s, blanks(s, e))
		if b < len(s) && isQuote(s[b]) {
			b++
		}
		if a < b && s[b-1] == ':' {
			b--
		}
		quoted := func(at int) bool { return at < len(s) && (s[at] == '\'' || s[at] == '"') }
		if g, ok := x.sign(b); ok && g.post && (g.form == ':' || g.form == '=' && quoted(g.at)) { // SET PASSWORD FOR 'bob' = 'x'
			x.assign(k, start, end, &g)
		}
	case s[e] == ':' && saidWords.has(word):
		var v val
		x.value(&v, blanks(s, e+1), false)
		if t := s[v.a:v.b]; !v.kept && (varied(t) || x.live) && (x.live && v.b == len(s) || len(t) >= 12 || k == password && len(t) >= 6) && !isAddress(t) && !isPath(t) && !isPlaceholder(t) {
			x.add(v.a, v.b)
		}
	case word == "is" && isBlank(s[e]):
		a, b := wordAt(s, blanks(s, e))
		b = trimEnd(s, a, b)
		if t := s[a:b]; len(t) >= 6 && setU.run(t, 0) == len(t) && strings.ContainsAny(t, "0123456789") && strings.Trim(t, "0123456789") != "" {
			x.add(a, b)
		}
	}
}
