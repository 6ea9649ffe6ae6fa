package redact

import "strings"

// unsigned looks for the value of a telling name that no sign follows: the next
// word behind a flag or a setting, the text of an XML element, a neighbouring
// field called value.
func (x *scan) unsigned(k kind, start, end int) {
	s := x.s
	if k == bareKey || k == barePwd || k == barePass {
		return
	}
	if start > 0 && s[start-1] == '<' || x.inTag(start) {
		x.element(end)
		return
	}
	if x.isPair(start) {
		x.pairValue(end)
		return
	}
	if end >= len(s) || !isBlank(s[end]) {
		return
	}
	at := blanks(s, end)
	if at >= len(s) {
		return
	}
	switch {
	case x.isFlag(start):
		x.flagValue(start, end, at)
	case x.isSetter(start, end, at):
		x.hideWord(at)
	case k == password && (s[at] == '\'' || s[at] == '"') && x.isSQL(start):
		x.hideWord(at)
	case k == password && strings.IndexByte("!=<>:&|+-", s[at]) < 0 && x.inNetrc(start):
		x.hideWord(at)
	case k == secret && hasAt(s, at, "set "):
		x.secretSet(at + 4)
	case isLetter(s[at]):
		x.said(k, start, end, at)
	}
}

// isFlag: --password, or -password of Java, PowerShell and Go.
func (x *scan) isFlag(start int) bool {
	s := x.s
	dashes := dash.back(s, start, 3)
	n := start - dashes
	return (n == 1 || n == 2) && (dashes == 0 || isBlank(s[dashes-1]) || isQuote(s[dashes-1]) || s[dashes-1] == '[' || s[dashes-1] == '(' || s[dashes-1] == ',')
}

// flagValue hides the word behind a flag, unless it is another flag or belongs
// to a help text.
func (x *scan) flagValue(start, end, at int) {
	s := x.s
	if s[at] == '-' && at+1 < len(s) && (s[at+1] == '-' || isLetter(s[at+1])) || strings.IndexByte("|;&)]}=<>,", s[at]) >= 0 {
		return
	}
	a, b := wordAt(s, at)
	t := s[a:b]
	if helpWords.has(t) || isTypeText(t) || isEnvName(t) && endAlike(t, s[start:end]) {
		return
	}
	if at-end > 1 && !isQuote(s[at]) && b+1 < len(s) && isBlank(s[b]) && isLetter(s[b+1]) && (isPlainWord(t) || isEnvName(t)) {
		return // a column of a help text
	}
	x.hideWord(at)
}

// helpWords stand behind a flag in a help text.
var helpWords = newDict(func() map[string]uint32 {
	all := map[string]uint32{"flag": 1, "option": 1, "value": 1, "argument": 1}
	for w := range strings.FieldsSeq(glueList) {
		all[w] = 1
	}
	return all
})

// endAlike says that t, in capitals, names the value of the flag called name as
// help texts do: NAME, MY_NAME, or the end of it.
func endAlike(t, name string) bool {
	n := min(len(t), len(name))
	for i := 1; i <= n; i++ {
		a, b := t[len(t)-i], name[len(name)-i]
		if b == '-' && a == '_' && len(t) == len(name) {
			continue
		}
		if isLower(b) {
			b -= 'a' - 'A'
		}
		if a != b {
			return false
		}
	}
	return len(t) <= len(name) || t[len(t)-n-1] == '_'
}

// hideWord hides the word of a command line at i, quotes kept.
func (x *scan) hideWord(i int) {
	a, b := wordAt(x.s, i)
	t := x.s[a:b]
	if isReference(t) || isPlaceholder(t) {
		return
	}
	x.add(a, b)
	x.remember(a, b)
}

// isSetter: tools and files that set a name to the next word.
func (x *scan) isSetter(start, end, at int) bool {
	id := x.s[start:end]
	if foldAt(id, 0, "requirepass") || foldAt(id, 0, "masterauth") {
		return true
	}
	if id == "sshpass" || !x.mentions(setterWords) {
		return false
	}
	words, n := x.wordsBefore(start)
	for k := range n {
		before := ""
		if k+1 < n {
			before = words[k+1]
		}
		switch words[k] {
		case "ENV", "setenv", "#define":
			return k == 0
		case "set":
			if before == "config" || before == "configure" || before == "secrets" {
				return true
			}
			return k > 0 && words[0][0] == '-' && strings.IndexByte(words[0], 'x') > 0
		case "config":
			if before == "git" {
				return k == 0 || k == 1
			}
		}
	}
	return false
}

// wordsBefore gives up to four words before the one in which place start lies,
// the nearest first. A prefix of the name (//host/:_authToken) counts as part of
// it.
func (x *scan) wordsBefore(start int) (words [4]string, n int) {
	s := x.s
	low := max(0, start-160)
	i := start
	for i > low && !isBlank(s[i-1]) {
		i--
	}
	for n < len(words) && (n < 2 || words[0][0] == '-' || words[0] == "set" || words[1] == "set" || words[1] == "config") {
		for i > low && isBlank(s[i-1]) {
			i--
		}
		end := i
		for i > low && !isBlank(s[i-1]) {
			i--
		}
		if i == end {
			break
		}
		words[n] = s[i:end]
		n++
	}
	return words, n
}

// isSQL: a statement about users stands before PASSWORD '…'.
func (x *scan) isSQL(start int) bool {
	const far = 200
	i := max(x.sqlSeen, start-far)
	for ; i < start; i++ {
		if x.s[i] == ' ' && i > 3 && sqlWords.has(x.s[setN.back(x.s, i, dictMax):i]) {
			x.sqlAt = 1 + setN.back(x.s, i, dictMax)
		}
	}
	x.sqlSeen = max(x.sqlSeen, start)
	return x.sqlAt > 0 && x.sqlAt-1 >= start-far
}

var sqlWords = dictOf("user role login identified encrypted alter create with superuser nologin")

// identifiedBy: IDENTIFIED BY 'x', IDENTIFIED WITH plugin BY 'x'.
func (x *scan) identifiedBy(end int) {
	for at := blanks(x.s, end); at < len(x.s) && at-end < 80; {
		e := setW.run(x.s, at)
		if e == at {
			return
		}
		word := x.s[at:e]
		at = blanks(x.s, e)
		if strings.EqualFold(word, "by") || strings.EqualFold(word, "as") || strings.EqualFold(word, "password") {
			if at < len(x.s) && (x.s[at] == '\'' || x.s[at] == '"') {
				x.hideWord(at)
				return
			}
		}
	}
}

// inNetrc: machine h login l password p, on one line or three.
func (x *scan) inNetrc(start int) bool {
	if c := x.s[0]; !x.st.Netrc && c != 'm' && c != 'd' && !isBlank(c) {
		return false
	}
	if at := blanks(x.s, 0); !x.st.Netrc && !hasAt(x.s, at, "machine ") && !hasAt(x.s, at, "default ") {
		return false
	}
	if start > 400 {
		return false
	}
	f := strings.Fields(x.s[:start])
	switch {
	case len(f) == 0:
		return x.st.Netrc
	case f[0] == "machine":
		return len(f) == 2 || len(f) >= 4 && (f[2] == "login" || f[2] == "account")
	case f[0] == "default", x.st.Netrc:
		return len(f) > 1 && f[len(f)-2] == "login"
	}
	return false
}

// secretSet: gh secret set NAME --body value.
func (x *scan) secretSet(at int) {
	x.flagsOf(at, &bodyFlags)
}
