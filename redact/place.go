package redact

import "strings"

// Where a name stands: in a query, in a form, at the start of a line of a shell.

// inQuery says that the name at start stands in the query of an address or in a
// form: right behind ? & # or one of them written %3F, &amp; or \u0026.
func (x *scan) inQuery(start int) bool {
	if start == 0 {
		return false
	}
	s := x.s
	switch s[start-1] {
	case '?', '&', '#':
		return true
	case ';':
		return hasAt(s, start-5, "&amp;") || hasAt(s, start-6, "&#x26;")
	}
	if !setX.has(s[start-1]) {
		return false
	}
	if start >= 3 && s[start-3] == '%' {
		return foldAt(s, start-3, "%3f") || foldAt(s, start-3, "%26") || foldAt(s, start-3, "%23")
	}
	return foldAt(s, start-6, `\u0026`) || foldAt(s, start-6, `\u003f`)
}

// queryEnd cuts a value short at the sign that ends it in a query.
func (x *scan) queryEnd(a, b int) int {
	if x.groupsOf(a, b)&(other|percent) == 0 {
		return b
	}
	for i := a; i < b; i++ {
		switch x.s[i] {
		case '&', '#':
			return i
		case '%':
			if foldAt(x.s, i, "%26") || foldAt(x.s, i, "%23") || foldAt(x.s, i, "%22") {
				return i
			}
		}
	}
	return b
}

// isField: this.token, self.key, e.password: a field in a program.
func isField(id string) bool {
	return len(id) > 2 && id[1] == '.' && isLower(id[0]) || strings.HasPrefix(id, "this.") || strings.HasPrefix(id, "self.")
}

// isEnv says that the name at start is a whole word of a shell or a dotenv file:
// at the line's start, perhaps behind export.
func (x *scan) isEnv(start int) bool {
	i := start
	if i == 0 {
		return true
	}
	if b := x.s[i-1]; !isBlank(b) || i > 40 && !isBlank(x.s[0]) {
		return false
	}
	for _, w := range [...]string{"export ", "set ", "declare -x ", "+ ", "$ "} {
		if i >= len(w) && foldAt(x.s, i-len(w), w) {
			i -= len(w)
		}
	}
	for i > 0 && isBlank(x.s[i-1]) {
		i--
	}
	return i == 0
}
