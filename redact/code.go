package redact

import "strings"

// What compilers and people write where a value could stand: calls, paths of
// names, types, constants.

const callName = setW | dot | colon | angle | bang | dollar | query

// isCall: a path of names and an opening bracket.
func isCall(t string) bool {
	e := callName.run(t, 0)
	if e == 0 || e >= len(t) || !isLetter(t[0]) && t[0] != '_' {
		return false
	}
	switch t[e] {
	case '(', '[':
		return e+1 == len(t) || isQuote(t[e+1]) || strings.IndexAny(t[e:], ")]") > 0
	case '{':
		return true
	}
	return false
}

// isPathOfCode: two or more names joined by dots; a digit only at the end of
// one of them.
func isPathOfCode(t string) bool {
	g, ok := of(t)
	if !ok || g&^(setN|under|dot|digit) != 0 || g&dot == 0 {
		return false
	}
	for part := range strings.SplitSeq(t, ".") {
		if g, _ := of(strings.TrimRight(part, "0123456789")); part == "" || g&digit != 0 || g == 0 {
			return false
		}
	}
	return true
}

// marks says where a mark of punctuation may stand: it is asked for every value.
var marks = func() (t [256]uint8) {
	for bit, list := range map[uint8]string{beforeType: "*&[]?", behindType: "[<(|,;=", afterType: "?!;,",
		afterSentence: ".!?", afterWord: ".,!?;:"} {
		for _, b := range []byte(list) {
			t[b] |= bit
		}
	}
	return t
}()

const (
	beforeType uint8 = 1 << iota
	behindType
	afterType
	afterSentence
	afterWord
)

// trimMarks takes the marks of a kind off the end of t.
func trimMarks(t string, kind uint8) string {
	for len(t) > 0 && marks[t[len(t)-1]]&kind != 0 {
		t = t[:len(t)-1]
	}
	return t
}

func isNameOfCode(t string) bool {
	g, ok := of(t)
	return ok && g&^(setN|under) == 0
}

// isTypeText: a type of a language behind a colon, with its marks.
func isTypeText(t string) bool {
	base := t
	for len(base) > 0 && marks[base[0]]&beforeType != 0 {
		base = base[1:]
	}
	for e := 1; e < len(base); e++ {
		if marks[base[e]]&behindType != 0 {
			base = base[:e]
			break
		}
	}
	base = trimMarks(base, afterType)
	if len(base) > len("CharSequence") {
		return false
	}
	switch base {
	case "string", "String", "str", "bool", "boolean", "Boolean", "Buffer", "bytes", "Bytes", "byte", "number", "Number", "int",
		"Int", "any", "Any", "Optional", "Option", "Vec", "u8", "u32", "u64", "i64", "char", "void", "undefined", "unknown",
		"object", "Object", "SecretStr", "SecretString", "Secret", "Uint8Array", "Promise", "Array", "List", "Map", "Record",
		"interface{}", "never", "text", "varchar", "TEXT", "VARCHAR", "uuid", "UUID", "Uint", "float", "double", "Data",
		"NSString", "CharSequence", "ReactNode", "symbol", "Callable", "Union", "Dict", "dict", "list", "tuple", "None":
		return true
	}
	return false
}

// isStructure says that what stands in s[a:b] without quotes behind a name in
// quotes is JSON of its own: an object or a list, whose parts are judged by their
// own names, or a number. A Mark there would break the document.
func isStructure(s string, a, b int) bool {
	if a >= len(s) {
		return false
	}
	if s[a] == '{' || s[a] == '[' {
		return true
	}
	i := a
	if s[i] == '-' {
		i++
	}
	for i < b && (isDigit(s[i]) || i > a && strings.IndexByte(".eE+-", s[i]) >= 0) {
		i++
	}
	if i == a || i < b || !isDigit(s[b-1]) {
		return false
	}
	i = blanks(s, b)
	return i >= len(s) || s[i] == ',' || s[i] == '}' || s[i] == ']'
}
