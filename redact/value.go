package redact

import "strings"

// val is the value behind a name.
type val struct {
	a, b int
	// quote is its quote, 0 without one; closed says that the quote was closed.
	quote  byte
	closed bool
	// kept says that it is a reference, or hidden already.
	kept bool
	g    set // what it is made of
}

// groupsOf gives the groups of bytes that s[a:b] is made of. A long text is read
// once: a later part of it counts as made of the same.
func (x *scan) groupsOf(a, b int) set {
	if b-a <= longValue {
		g, _ := of(x.s[min(a, b):b])
		return g
	}
	if w := &x.wide; b != w.End || a < w.Start || x.wideSet == 0 {
		x.wideSet, _ = of(x.s[a:b])
		x.wide = Range{a, b}
	}
	return x.wideSet
}

// wrappers are what code or a debug print puts round a value.
var wrappers = []string{"Some(", "Ok(", "[]byte(", "Buffer.from(", "String::from(", "SecretString::new(", "Secret(", "b", "f",
	"r", "u", "L", "@", "rb", "br", "&"}

// wrapStarts is wrappers by their first byte.
var wrapStarts [256][]string

func makeWrapStarts() (t [256][]string) {
	for _, w := range wrappers {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}

// value reads the value that starts at i into v, which is zero. env says that it is a shell's or a
// dotenv's whole word, in which quotes and brackets may occur.
func (x *scan) value(v *val, i int, env bool) {
	s := x.s
	v.a, v.b = i, i
	if i >= len(s) {
		return
	}
	if !startsOdd(s, i) {
		v.b = x.unquotedEnd(i, env)
		return
	}
	if hasAt(s, i, Mark) || s[i] == '[' && hasAt(s, i+1, Mark) {
		v.kept = true
		return
	}
	if hasAt(s, i, "!!") { // a tag of YAML
		i = blanks(s, setA.run(s, i+2))
		if i >= len(s) {
			return
		}
	}
	if !env || s[i] != '[' {
		i = unwrap(s, i)
	}
	if hasAt(s, i, Mark) {
		v.kept = true
		return
	}
	if q, at := quoteAt(s, i); q != 0 {
		x.quotedValue(v, i, at, q, env)
		return
	}
	v.a = i
	if i >= x.looked.Start && i < x.looked.End {
		v.b, v.kept = x.looked.End, x.lookedUp
		return
	}
	if e := refEnd(s, i); e > 0 {
		if e >= len(s) || x.ends(e, env) {
			v.b, v.kept = e, true
		} else {
			v.b = x.unquotedEnd(e, env)
			v.kept = isReference(s[v.a:v.b])
		}
		if v.b-v.a > maxRef/2 && !env {
			x.looked, x.lookedUp = Range{i, v.b}, v.kept
		}
		return
	}
	v.b = x.unquotedEnd(i, env)
}

// oddStarts has a bit for the second byte (modulo 64) of everything that starts
// with a byte and is more than a plain value: quotes, references, wrappers.
var oddStarts [256]uint64

func makeOddStarts() (t [256]uint64) {
	for _, b := range []byte("[!\\\"'&$`%{#<@") {
		t[b] = ^uint64(0)
	}
	for _, w := range refWords {
		t[w[0]] |= 1 << (w[1] & 63)
	}
	for _, w := range wrappers {
		seconds := w[1:min(2, len(w))]
		if seconds == "" {
			seconds = "\"'"
		}
		for _, c := range []byte(seconds) {
			t[w[0]] |= 1 << (c & 63)
		}
	}
	return t
}

// startsOdd says that the value at i may be more than a plain one.
func startsOdd(s string, i int) bool {
	m := oddStarts[s[i]]
	return m != 0 && i+1 < len(s) && m>>(s[i+1]&63)&1 != 0 || m == ^uint64(0)
}

// unwrap gives the place of the quote behind what is wrapped round a value, or i.
func unwrap(s string, i int) int {
	for _, w := range wrapStarts[s[i]] {
		if hasAt(s, i, w) && i+len(w) < len(s) && (s[i+len(w)] == '"' || s[i+len(w)] == '\'') {
			return i + len(w)
		}
	}
	if s[i] == '[' && i+1 < len(s) && s[i+1] != ']' && s[i+1] != '[' {
		return i + 1
	}
	return i
}

// quoteAt gives the quote that stands at i, perhaps behind backslashes, and
// where the text behind it starts.
func quoteAt(s string, i int) (q byte, at int) {
	j := i
	for j < len(s) && s[j] == '\\' && j-i < 32 {
		j++
	}
	if j < len(s) && (s[j] == '"' || s[j] == '\'') {
		return s[j], j + 1
	}
	if hasAt(s, i, "&quot;") {
		return '&', i + 6
	}
	return 0, i
}

func (x *scan) quotedValue(v *val, i, at int, q byte, env bool) {
	s := x.s
	v.quote, v.a = q, at
	v.b, v.closed = closeQuote(s, at, q, at-1-i)
	if env && v.closed && v.b+1 < len(s) && q != '&' && v.b > at {
		// "abc"'def': a word of a shell goes on behind the quote.
		if c := s[v.b+1]; isQuote(c) || setA.has(c) || c == '$' {
			v.b = x.unquotedEnd(v.b+1, true)
		}
	}
	v.kept = strings.HasPrefix(s[v.a:v.b], Mark) || isReference(s[v.a:v.b])
}

// closeQuote finds where the text that starts at i ends: at quote q with as many
// backslashes as its opening had (depth), or at one with fewer, which closes a
// text round it. An open quote reaches to the end of s.
func closeQuote(s string, i int, q byte, depth int) (end int, closed bool) {
	if q == '&' {
		if k := strings.Index(s[i:], "&quot;"); k >= 0 {
			return i + k, true
		}
		return len(s), false
	}
	for j := i; j < len(s); j++ {
		k := strings.IndexByte(s[j:], q)
		if k < 0 {
			break
		}
		j += k
		m := 0
		for j-m > i && s[j-m-1] == '\\' {
			m++
		}
		if m < depth || (m-depth)%(2*(depth+1)) == 0 {
			if q == '\'' && depth == 0 && j > i && j+1 < len(s) && s[j+1] == '\'' {
				j++ // '' inside a YAML or SQL text
				continue
			}
			return j - min(m, depth), true
		}
	}
	return len(s), false
}

// unquotedEnd gives the end of the unquoted value that goes on at i. A long one
// is measured once.
func (x *scan) unquotedEnd(i int, env bool) int {
	if !env && i >= x.last.Start && i < x.last.End {
		return x.last.End
	}
	end := x.measure(i, env)
	if !env && end-i > longValue {
		x.last = Range{i, end}
	}
	return end
}

// longValue is the length from which on the end of a value is remembered.
const longValue = 512

func (x *scan) measure(i int, env bool) int {
	s := x.s
	deep := 0
	for ; i < len(s); i++ {
		c := s[i]
		if groups[c]&(other|paren|angle) == 0 {
			continue
		}
		switch c {
		case ' ', '\t', 0x1b, 0x07:
			return i
		case '(', '[', '{':
			deep++
		case ')', ']', '}':
			if deep > 0 {
				deep--
				continue
			}
			if !env || softEnd(s, i) {
				return i
			}
		case '"', '\'', '`':
			if !env || i+1 == len(s) {
				return i
			}
		case '<', '>':
			if !env || softEnd(s, i) {
				return i
			}
		case ',':
			if softEnd(s, i) {
				return i
			}
		case ';', '&', '|':
			if !env || softEnd(s, i) {
				return i
			}
		case '\\':
			if i+1 < len(s) && (isQuote(s[i+1]) || s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == '\\' || hasAt(s, i, `\u00`)) {
				return i
			}
		}
	}
	return i
}

// ends says that a value ends at i.
func (x *scan) ends(i int, env bool) bool { return x.unquotedEnd(i, env) == i }

// softEnd says that the mark at i closes a value: nothing follows, or something
// that belongs to what is round the value.
func softEnd(s string, i int) bool {
	if i+1 >= len(s) {
		return true
	}
	c := s[i+1]
	if isBlank(c) || c == s[i] || isQuote(c) || strings.IndexByte("{}[]()<>\\,;:&|/", c) >= 0 {
		return true
	}
	e := ident.run(s, i+1)
	if e == i+1 || e >= len(s) {
		return false
	}
	if s[e] == '=' || s[e] == ':' {
		return true
	}
	return s[i] == ';' && isBlank(s[e]) || s[e] == '"' && e+1 < len(s) && s[e+1] == ':'
}
