package redact

import "strings"

// name looks at the identifier round i, a telling word. Most are followed by no
// sign and cost one look.
func (x *scan) name(i int) {
	s := x.s
	if s[i] >= 0x80 || s[i+1] >= 0x80 {
		x.foreign(i)
		return
	}
	if i < x.named {
		return
	}
	end := x.ident.to // worth has measured it
	if i >= end {
		end = ident.run(s, i)
	}
	x.named = max(end, i+1)
	for end > i && (s[end-1] == '.' || s[end-1] == '-') {
		end--
	}
	g, signed := x.sign(end)
	if !signed && (!x.otherwise(end) || x.ident.dot >= 0 && end < len(s) && isBlank(s[end]) && strings.IndexByte(s[i:end], '.') >= 0) {
		return
	}
	start := x.nameStart(i)
	if x.special(start, end, &g, signed) {
		return
	}
	k := x.judge(start, end)
	if k == bareKey && x.spokenKey(start) {
		k = keyKind
	}
	if k == noSecret {
		return
	}
	if !signed {
		x.unsigned(k, start, end)
		return
	}
	x.assign(k, start, end, &g)
}

// otherwise says that a name without a sign may still have a value: a blank, an
// XML tag's end or a quote follows.
func (x *scan) otherwise(end int) bool {
	if end >= len(x.s) {
		return true
	}
	switch x.s[end] {
	case ' ', '\t', '>', '<', '"', '\'', '\\', ',':
		return true
	}
	return false
}

// nameStart goes left from i to where the identifier starts, and takes off what
// an escape before it left: the digits of %3F, the n of \n.
func (x *scan) nameStart(i int) int {
	s := x.s
	low := 0
	if n := len(x.out); n > 0 && x.out[n-1].End <= i {
		low = x.out[n-1].End
	}
	start := max(low, ident.back(s, i, foldMax))
	for start < i && (s[start] == '-' || s[start] == '.') {
		start++
	}
	if start >= 1 && s[start-1] == '%' && start+2 <= i && setX.has(s[start]) && setX.has(s[start+1]) {
		return start + 2
	}
	if start >= 1 && s[start-1] == '\\' && start < i {
		if s[start] == 'u' && start+5 <= i {
			return start + 5
		}
		if s[start] == 'n' || s[start] == 'r' || s[start] == 't' {
			return start + 1
		}
	}
	return start
}

// spokenKey says that `key` at start is the second word of "API key".
func (x *scan) spokenKey(start int) bool {
	s := x.s
	if start < 2 || s[start-1] != ' ' {
		return false
	}
	from := setN.back(s, start-1, 20)
	if from == start-1 {
		return false
	}
	n := copy(x.fold[:], s[from:start-1])
	for i := 0; i < n; i++ {
		x.fold[i] = lower(x.fold[i])
	}
	return nameWords.get(textOf(x.fold[:n]))&beforeKey != 0
}

// assign hides the value behind a name and a sign.
func (x *scan) assign(k kind, start, end int, g *sign) {
	s := x.s
	query := x.inQuery(start)
	if start > 0 && s[start-1] == '=' && hasAt(s, start-len("--from-file="), "--from-file=") {
		return // kubectl: the value is a path
	}
	if (k > signature || k == cookie || g.form == '>') && !x.counts(k, start, end, g, query) {
		return
	}
	if g.form == ':' && g.at < len(s) && (s[g.at] == '|' || s[g.at] == '>') && x.blockScalar(start, g.at) {
		return
	}
	env := g.form == '=' && !g.pre && !g.post && !g.quoted && !g.coded && !query && x.isEnv(start) && !isField(s[start:end])
	var v val
	x.value(&v, g.at, env)
	if v.a < v.b && (s[v.a] == 's' || s[v.a] == '?') && !query && isSAS(s[v.a:v.b]) {
		v.b = v.a + strings.IndexAny(s[v.a:]+" ", " \t\"';")
	}
	if query || g.coded {
		v.b = x.queryEnd(v.a, v.b)
	}
	if start >= 2 && s[start-1] == '{' && s[start-2] == '$' {
		return // ${NAME:-x} is a reference
	}
	v.g = x.groupsOf(v.a, v.b)
	if v.g&dash != 0 && v.b-v.a >= 10 && strings.Contains(s[v.a:min(v.b, v.a+maxRef)], "-----BEGIN") {
		return // a PEM block has its own rule
	}
	if v.kept || v.a >= v.b && !(x.live && v.a > v.b) || g.quoted && g.form == ':' && v.quote == 0 && isStructure(s, v.a, v.b) {
		return
	}
	x.schemeWord(&v)
	if (k != authKind || x.judgeAuth(k, start, g, &v, query)) && !x.staysLong(k, start, end, g, &v, query || env) {
		x.add(v.a, v.b)
		x.remember(v.a, v.b)
		if v.closed {
			x.replaced(v.b + 1)
		}
		if v.b == len(s) && v.quote == 0 {
			x.wrapValue()
		}
	}
}

// replaced hides the new value behind an old one in a plan: "a" -> "b".
func (x *scan) replaced(i int) {
	if i >= len(x.s) || x.s[i] != ' ' || !hasAt(x.s, i, " -> ") {
		return
	}
	var v val
	if x.value(&v, i+4, false); v.quote != 0 && !v.kept && !isPlaceholder(x.s[v.a:v.b]) {
		x.add(v.a, v.b)
	}
}

// isSAS: a whole shared access signature given as a value goes as one (D10).
func isSAS(t string) bool {
	t = strings.TrimPrefix(t, "?")
	if len(t) < 4 || t[0] != 's' || t[2] != '=' && t[3] != '=' {
		return false
	}
	for _, w := range [...]string{"sv=", "sig=", "se=", "sp=", "sr=", "st=", "ss="} {
		if strings.HasPrefix(t, w) {
			return true
		}
	}
	return false
}

// counts says whether a name that is a secret's only in some places stands in
// one of them.
func (x *scan) counts(k kind, start, end int, g *sign, query bool) bool {
	switch k {
	case bareKey:
		return query
	case barePwd:
		return query || x.afterSemicolon(start)
	case barePass:
		return query || g.at < len(x.s) && (isQuote(x.s[g.at]) || x.s[g.at] == '\\') && x.userBefore(start) || hasAt(x.s, start-8, "literal=")
	case authKind:
		return query || g.quoted || g.form == '=' || start > 0 && x.s[start] == '_' || x.s[max(0, start-1)] == ':'
	case cookie:
		return true
	}
	if g.form == '>' && x.s[end] == ' ' && g.at < len(x.s) && x.s[g.at] != '"' && x.s[g.at] != '\'' {
		return varied(x.s[g.at:x.unquotedEnd(g.at, false)])
	}
	return true
}

// userBefore: a user's name stands shortly before the name at start.
func (x *scan) userBefore(start int) bool {
	return strings.Contains(x.s[max(0, start-80):start], "user")
}

// afterSemicolon: Uid=sa;Pwd=x.
func (x *scan) afterSemicolon(start int) bool {
	for start > 0 && isBlank(x.s[start-1]) {
		start--
	}
	return start > 0 && x.s[start-1] == ';'
}

// judgeAuth: `auth` names a secret where the value looks like one.
func (x *scan) judgeAuth(k kind, start int, g *sign, v *val, query bool) bool {
	if k != authKind || query || x.s[start] == '_' {
		return true
	}
	t := x.s[v.a:v.b]
	if strings.Contains(t, "://") {
		return false
	}
	if g.quoted && v.quote != 0 {
		grp, ok := of(t)
		return x.live && v.b == len(x.s) || ok && grp&^setY == 0 && len(t) >= 8 && (varied(t) || strings.HasSuffix(t, "="))
	}
	return isUpper(x.s[start]) && (len(t) >= 16 && varied(t) || strings.IndexByte(t, ':') > 0)
}

// schemeWord leaves the word Bearer before a token in place.
func (x *scan) schemeWord(v *val) {
	s := x.s
	if v.b < len(s) && s[v.b] != ' ' && v.quote == 0 || !letterAt(s, v.a, 'b') && !letterAt(s, v.a, 't') {
		return
	}
	n := schemeWordAt(s, v.a)
	if n == 0 {
		return
	}
	a := blanks(s, v.a+n)
	if v.quote == 0 {
		v.b = x.unquotedEnd(a, false)
	}
	if a < v.b {
		v.a = a
	}
	v.g = x.groupsOf(v.a, v.b)
}

// schemeWordAt is the length of the word Bearer, Basic or Token in s at i with
// the blank behind it, 0 where none stands.
func schemeWordAt(s string, i int) int {
	for _, w := range [...]string{"bearer ", "basic ", "token "} {
		if k := i + len(w) - 1; k < len(s) && s[k] == ' ' && foldAt(s, i, w) {
			return len(w)
		}
	}
	return 0
}
