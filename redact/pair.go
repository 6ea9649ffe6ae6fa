package redact

import "strings"

// Two fields that belong together: one called name holds a telling name, its
// neighbour called value the secret.

// isPair says that the name at start is itself the value of a field called name
// or key.
func (x *scan) isPair(start int) bool {
	s := x.s
	i := start
	for i > 0 && (isQuote(s[i-1]) || s[i-1] == '\\') {
		i--
	}
	for i > 0 && isBlank(s[i-1]) {
		i--
	}
	if i == 0 || s[i-1] != ':' && s[i-1] != '=' {
		return false
	}
	i--
	for i > 0 && (isBlank(s[i-1]) || isQuote(s[i-1]) || s[i-1] == '\\') {
		i--
	}
	return nameFields.has(s[setW.back(s, i, 24):i])
}

// nameFields are fields that hold a name, valueFields those that hold its value.
var (
	nameFields  = dictOf("name key parameterkey variable variablename property setting env field param")
	valueFields = dictOf("value val parametervalue stringvalue secret_value plaintext_value secretvalue")
)

// pairValue finds the value of the pair whose name ends at i: on this line, or
// on the next.
func (x *scan) pairValue(i int) {
	s := x.s
	for i < len(s) && (isQuote(s[i]) || s[i] == '\\') {
		i++
	}
	if i < len(s) && s[i] == '>' {
		x.element(i)
		return
	}
	end := min(len(s), i+96)
	for i = max(i, min(end, x.paired)); i < end; i++ {
		switch c := s[i]; {
		case c == '}' || c == '{' || c == '>' || c == ']':
			return
		case lower(c) == 'v' || lower(c) == 'p' || lower(c) == 's':
			if x.valueKey(i) {
				return
			}
		}
	}
	x.paired = i
	if i >= len(s) {
		x.next.Pair = true
	}
}

// valueKey hides the value of a field called value at i.
func (x *scan) valueKey(i int) bool {
	s := x.s
	if i > 0 && setW.has(s[i-1]) {
		return false
	}
	e := setW.run(s, i)
	if !valueFields.has(s[i:e]) {
		return false
	}
	g, ok := x.sign(e)
	if !ok {
		return false
	}
	if g.form == ':' && x.blockScalar(i, g.at) {
		return true
	}
	var v val
	x.value(&v, g.at, false)
	if v.quote == 0 && g.quoted && isStructure(s, v.a, v.b) {
		return true
	}
	if v.quote == 0 && !v.kept && g.form == ':' {
		v.b = len(s)
		for v.b > v.a && (isBlank(s[v.b-1]) || s[v.b-1] == ',' || s[v.b-1] == '}') {
			v.b--
		}
		if k := strings.Index(s[v.a:v.b], " #"); k > 0 {
			v.b = v.a + k
		}
	}
	if t := s[v.a:v.b]; !v.kept && v.a < v.b && !isPlaceholder(t) && !isPublic(t) && !isAddress(t) {
		x.add(v.a, v.b)
	}
	return true
}
