package redact

import "strings"

// maxBlockLines bounds a secret text block and a here-document.
const maxBlockLines = 400

// continued does what the lines before ask of this one. It gives true when the
// line is done with; x.next is the state behind it then.
func (x *scan) continued() bool {
	st := x.st
	if st.zero() {
		return false
	}
	if st.Key > 0 && x.keyLine() {
		return true
	}
	trimmed := strings.TrimSpace(x.s)
	switch {
	case st.Putty > 0:
		x.next.Putty = st.Putty - 1
		x.hideLine()
		return true
	case st.Here != "":
		if trimmed == st.Here || st.BlockLines >= maxBlockLines {
			return false
		}
		x.next.Here, x.next.BlockLines = st.Here, st.BlockLines+1
		x.hideLine()
		return true
	case st.Block > 0:
		if x.blockLine(trimmed) {
			return true
		}
	case st.Element:
		x.elementLine(trimmed)
	case st.Pair:
		x.pairLine()
	case st.Header:
		x.headerLine()
	}
	if st.Wrap {
		x.wrapped()
	}
	return false
}

// leave sets what lasts behind this line: a section of settings, a netrc entry.
func (x *scan) leave() {
	if n := len(x.s); !x.st.Section && !x.st.Netrc && n > 0 && x.s[n-1] != ']' && !isBlank(x.s[n-1]) && x.s[n-1] >= ' ' && x.s[n-1] < 0x80 {
		return
	}
	t := strings.TrimSpace(x.s)
	if isSection(t) {
		x.next.Section = true
	}
	if x.st.Section && !x.next.Section {
		x.next.Section = t == "" || t[0] == '#' || t[0] == ';' || isSetting(t)
	}
	if x.st.Netrc && (strings.HasPrefix(t, "login ") || strings.HasPrefix(t, "account ")) {
		x.next.Netrc = true
	}
}

// isSection: [pypi], [profile dev], [tool.poetry].
func isSection(t string) bool {
	if len(t) < 3 || t[len(t)-1] != ']' || t[0] != '[' || !isLetter(t[1]) {
		return false
	}
	for i := 1; i < len(t)-1; i++ {
		if !ident.has(t[i]) && t[i] != ' ' && t[i] != ':' && t[i] != '"' && t[i] != '/' && t[i] != '@' {
			return false
		}
	}
	return t != Mark
}

// isSetting: name = value, the name one word.
func isSetting(t string) bool {
	e := ident.run(t, 0)
	e2 := blanks(t, e)
	return e > 0 && e2 < len(t) && t[e2] == '='
}

// hideLine hides a line but for its indent.
func (x *scan) hideLine() {
	a, b := blanks(x.s, 0), len(x.s)
	for b > a && isBlank(x.s[b-1]) {
		b--
	}
	if x.s[a:b] != Mark {
		x.put(a, b)
	}
}

// blockScalar: name: | opens a text block in YAML whose lines are the value.
func (x *scan) blockScalar(start, at int) bool {
	s := x.s
	if at >= len(s) || s[at] != '|' && s[at] != '>' || start > 200 {
		return false
	}
	e := at + 1
	for e < len(s) && (s[e] == '-' || s[e] == '+' || isDigit(s[e])) {
		e++
	}
	if e = blanks(s, e); e < len(s) && s[e] != '#' {
		return false
	}
	if strings.Trim(s[:start], " \t-\"'") != "" {
		return false
	}
	x.next.Block = 1 + blanks(s, 0)
	return true
}

// blockLine: a line deeper than the key belongs to the block. What a PEM block
// has around its body stays.
func (x *scan) blockLine(trimmed string) bool {
	st := x.st
	if trimmed == "" || blanks(x.s, 0) >= st.Block && st.BlockLines < maxBlockLines {
		x.next.Block, x.next.BlockLines = st.Block, st.BlockLines+1
		if strings.HasPrefix(trimmed, "-----") {
			return false
		}
		if trimmed != "" && !isReference(trimmed) && !isPlaceholder(trimmed) {
			x.hideLine()
		}
		return true
	}
	return false
}

// elementLine: the text of an XML element that the line before opened.
func (x *scan) elementLine(trimmed string) {
	a := blanks(x.s, 0)
	if at := valueTag(x.s, a); at > 0 {
		a = at
	} else if strings.HasPrefix(trimmed, "<") {
		return
	}
	b := a
	for b < len(x.s) && x.s[b] != '<' {
		b++
	}
	for b > a && isBlank(x.s[b-1]) {
		b--
	}
	if !isPlaceholder(x.s[a:b]) && !isReference(x.s[a:b]) {
		x.add(a, b)
	}
}

// pairLine: value: x behind - name: DB_PASSWORD.
func (x *scan) pairLine() {
	s := x.s
	at := 0
	for at < len(s) && (isBlank(s[at]) || isQuote(s[at]) || s[at] == '-' || s[at] == ',') {
		at++
	}
	x.valueKey(at)
}

// headerLine: the credentials of a header that stood alone on the line before.
func (x *scan) headerLine() {
	at := blanks(x.s, 0)
	at = blanks(x.s, at+schemeWordAt(x.s, at))
	end := x.unquotedEnd(at, false)
	t := x.s[at:end]
	if x.live && end == len(x.s) {
		x.add(at, end)
	}
	if len(t) >= 16 && varied(t) && end == at+len(strings.TrimSpace(x.s[at:])) && (setT|plus|slash|equal).run(x.s, at) == end {
		x.add(at, end)
	}
}
