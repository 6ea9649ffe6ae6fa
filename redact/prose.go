package redact

import "strings"

// statusWords follow a telling name in messages and types, and are no values.
var statusWords = dictOf(`required optional incorrect invalid expired missing wrong ok valid revoked rotated refreshed
 accepted rejected denied updated changed set unset failed success successful created deleted found not none disabled enabled
 include omit same-origin string str bool boolean buffer bytes byte number int integer any object optional text varchar char
 uuid interface struct void never password secret token key error loading loaded checking ready done pending active inactive
 basic bearer strict lax default auto available unavailable present absent skipped unknown unauthorized forbidden mismatch
 matched verified verifying encrypted string; literal symbol array list map dict float identifier keyword punctuator eof
 option option[string] sensitive nullable *string &str []byte string[] secretstr self this true false null nil undefined
 random generated prompt stdin read write github env environment vault file help stop`)

// glueWords are in sentences and hardly ever in a secret.
var glueWords = dictOf(glueList)

const glueList = `is are was be been must should can cannot could has have had the a an and or not of for to in on at
 with from by your you it this that will may no if when please than least only does do did as into must`

// codeRoots start a path of code.
var codeRoots = dictOf(`self this args req request config cfg opts options params props settings process os ctx event body
 env input user res response json data state store app flags viper conf cli context session auth payload form result client`)

// parserWords before `token` make it a word of a grammar.
var parserWords = dictOf(`unexpected invalid illegal expected unknown bad syntax next current lookahead unrecognized
 undefined reserved offending near`)

// troubleWords before a name make a message of what follows.
var troubleWords = dictOf(`error err invalid wrong bad failed missing incorrect unexpected expired unknown no parse syntax
 warning warn fail denied rejected refused reason`)

// staysLong is stays with a memory: of a long value that stays, a later part
// that ends with it stays too. It is not asked again for every name in it.
func (x *scan) staysLong(k kind, start, end int, g *sign, v *val, data bool) bool {
	if v.b-v.a <= longValue || data || v.quote != 0 {
		return x.stays(k, start, end, g, v, data)
	}
	if v.b == x.stayed.End && v.a >= x.stayed.Start {
		return true
	}
	if !x.stays(k, start, end, g, v, data) {
		return false
	}
	if !isAddress(x.s[v.a:v.b]) { // its query is judged by itself
		x.stayed = Range{v.a, v.b}
	}
	return true
}

// stays says that the value v is no secret after all: a placeholder, code, a
// type, a sentence. data says that the place alone makes it data (a query, a
// shell's assignment).
func (x *scan) stays(k kind, start, end int, g *sign, v *val, data bool) bool {
	t := x.s[v.a:v.b]
	if x.live && v.b == len(x.s) && v.quote == 0 && !g.post {
		return isReference(t) || strings.HasPrefix(t, Mark)
	}
	if mayBePlaceholder(t, v.g) && isPlaceholder(t) || isPublic(t) {
		return true
	}
	if v.g == digit && len(t) < 7 && (k == token || k == signature || k == keyKind) {
		return true
	}
	if k == bareKey && len(t) < 12 && v.g&^(lowAF|lowGZ) == 0 {
		return true // ?key=title: the key of a list, an API's is no word
	}
	if v.g&colon != 0 && isAddress(t) || k != password && isPath(t) {
		return true
	}
	if v.quote != 0 {
		return x.quotedStays(k, start, t)
	}
	upper := isEnvName(x.s[start:end])
	if !data && !(upper && g.form == '=' && !g.pre) && x.opens(v) && isCall(x.s[v.a:min(len(x.s), v.a+maxRef)]) {
		return true
	}
	switch {
	case data || g.form == '=' && !g.pre && !g.post:
		return !upper && (x.codeArgument(start, end, v) || t == "!0" || t == "!1")
	case g.form == ':' && !g.post:
		return x.tightStays(start, v)
	case g.form == ':':
		return x.colonStays(k, start, v, upper)
	}
	return x.s[start] != '_' && x.codeStays(k, v, upper)
}

// opens says that a bracket may open behind the name of code at v's start.
func (x *scan) opens(v *val) bool {
	return v.g&(paren|other) != 0 || v.b < len(x.s) && groups[x.s[v.b]]&(angle|bang|query|paren|other) != 0
}

// isAddress: an address is judged by its own rules.
func isAddress(t string) bool {
	k := setE.runMax(t, 0, 24)
	return k > 0 && k < 24 && hasAt(t, k, "://")
}

func isEnvName(id string) bool {
	g, _ := of(id)
	return len(id) > 2 && g&(lowAF|lowGZ) == 0 && g&setN != 0
}

func (x *scan) quotedStays(k kind, start int, t string) bool {
	if k == token && x.wordBefore(start, parserWords) && (len(t) < 16 || !varied(t)) {
		return true
	}
	if statusWords.has(t) && (k == secret || len(t) > 0 && t == "string") && t != "password" && t != "secret" && t != "default" {
		return true
	}
	if strings.IndexByte(t, ' ') < 0 {
		return false
	}
	plainWords, glue := 0, 0
	for _, w := range strings.Fields(t) {
		if !isPlainWord(w) {
			continue
		}
		plainWords++
		if glueWords.has(w) {
			glue++
		}
	}
	return plainWords >= 3 && glue > 0
}

// codeArgument: login(user, password=password) and token=self.token.
func (x *scan) codeArgument(start, end int, v *val) bool {
	t := x.s[v.a:v.b]
	follows := byte(0)
	if v.b < len(x.s) {
		follows = x.s[v.b]
	}
	if t == x.s[start:end] && (follows == ',' || follows == ')') && !isUpper(t[0]) {
		return true
	}
	if root, _, ok := strings.Cut(t, "."); ok && isPathOfCode(t) && isLower(root[0]) && codeRoots.has(root) {
		return true
	}
	return false
}

// tightStays judges name:value without a blank: places in files, tags of images,
// fields of a struct.
func (x *scan) tightStays(start int, v *val) bool {
	t := x.s[v.a:v.b]
	before := byte('{')
	if start > 0 {
		before = x.s[start-1]
	}
	if before == '/' || before == '.' {
		return true
	}
	field := strings.IndexByte("{[(,&", before) >= 0
	g, ok := of(t)
	switch {
	case ok && g&^setN == 0 && (!field || statusWords.has(t)):
		return statusWords.has(t) || !varied(t)
	case ok && g&^(digit|dot|colon) == 0 && !field:
		return true
	case strings.HasPrefix(t, "/") || isCall(t):
		return true
	}
	return false
}

// colonStays judges name: value.
func (x *scan) colonStays(k kind, start int, v *val, upper bool) bool {
	s, t := x.s, x.s[v.a:v.b]
	word := trimMarks(t, afterSentence)
	follows := byte(0)
	if v.b < len(s) {
		follows = s[v.b]
	}
	after := blanks(s, v.b)
	whole := after >= len(s) || s[after] == '#'
	if k == token && x.wordBefore(start, parserWords) && (len(t) < 16 || !varied(t)) {
		return true
	}
	if isPlainWord(word) && !whole && isBlank(follows) && isLetter(s[after]) {
		return true // prose
	}
	if setD.run(t, 0) == len(t) && len(t) < 4 && !whole && isLetter(s[after]) {
		return true // password: 8 characters
	}
	if upper {
		return statusWords.has(word) && word != "secret" && word != "password" || isTypeText(t)
	}
	if isTypeText(t) || isPathOfCode(word) || strings.IndexByte("({[*&<|", t[0]) >= 0 {
		return true
	}
	if isNameOfCode(t) && (follows == ',' || follows == ';' || follows == ')' || follows == '|' || follows == '}' && !varied(t)) {
		return true
	}
	if k == secret && isSlug(t) && strings.IndexByte(t, '-') > 0 {
		return true // the name of a secret
	}
	if isPlainWord(word) {
		return statusWords.has(word) || !whole || k == token || k == keyKind || k == signature || x.troubleBefore(start) || word != t
	}
	return false
}

// codeStays judges name = value with blanks.
func (x *scan) codeStays(k kind, v *val, upper bool) bool {
	t := strings.TrimRight(x.s[v.a:v.b], ";")
	if t == "" || strings.IndexByte("({[*&<|-", t[0]) >= 0 {
		return true
	}
	if isPathOfCode(t) {
		return true
	}
	if isNumber(t) && k != password || hasAt(t, 0, "0x") && len(t) <= 12 {
		return true
	}
	if isNameOfCode(t) {
		return !(x.st.Section && blanks(x.s, v.b) == len(x.s)) && !(upper && !isUpper(t[0]) && varied(t))
	}
	return false
}

// isNumber: a constant of a program, not long enough for a secret.
func isNumber(t string) bool { return len(t) < 12 && strings.Trim(t, "0123456789_.-") == "" }

// isPlainWord: letters with at most a capital in front, or joined by dashes or
// an apostrophe, perhaps with a mark of the sentence behind.
func isPlainWord(w string) bool {
	w = trimMarks(w, afterWord)
	for i := 0; i < len(w); i++ {
		if !isLower(w[i]) && !(i == 0 && isUpper(w[i])) && !(i > 0 && (w[i] == '\'' || w[i] == '-') && i+1 < len(w)) {
			return false
		}
	}
	return w != ""
}

// isSlug: small letters joined by dashes and dots, without a digit.
func isSlug(t string) bool {
	g, ok := of(t)
	return ok && g&^(lowAF|lowGZ|dash|dot) == 0
}

// wordBefore says that the word before the name at start is one of set.
func (x *scan) wordBefore(start int, set *dict) bool {
	end := start
	for end > 0 && isBlank(x.s[end-1]) {
		end--
	}
	from := setN.back(x.s, end, 20)
	return end < start && from < end && set.has(x.s[from:end])
}

// troubleBefore says that a word of the line before start speaks of an error.
func (x *scan) troubleBefore(start int) bool {
	end := start
	for n := 0; n < 6 && end > 0; n++ {
		for end > 0 && !isLetter(x.s[end-1]) {
			end--
		}
		from := setN.back(x.s, end, 20)
		if troubleWords.has(x.s[from:end]) {
			return true
		}
		end = from
	}
	return false
}
