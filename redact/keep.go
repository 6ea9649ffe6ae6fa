package redact

import "strings"

// refWords start a value that is looked up elsewhere.
var refWords = []string{"process.env", "os.environ", "os.getenv", "ENV[", "ENV.", "System.getenv", "env(", "env.", "%env(",
	"var.", "local.", "data.", "module.", "secrets.", "vars.", "!Ref", "!vault", "!Sub", "!GetAtt", "!ImportValue",
	"!reference", "op://", "vault:", "ref+", "arn:", "@Microsoft.KeyVault(", "import.meta.env", "Deno.env", "Bun.env",
	"os.Getenv", "std::env", "env!(", "ssm:", "sops:", "keyring:", "keychain:", "file:", "projects/", "ENC[", "(sensitive",
	"(known after", "(unset", "(none", "(hidden", "(not set", "(default", "(redacted", "(empty", "aws-ssm:", "secretsmanager:",
	"$ANSIBLE_VAULT", "lookup("}

// refEnd gives the end of the reference that starts in s at i, or -1 where none
// does: $X, ${X:-y}, $(cmd), `cmd`, %X%, !X!, {{ x }}, <x>, @file.
func refEnd(s string, i int) int {
	if i >= len(s) {
		return -1
	}
	switch s[i] {
	case '$':
		return dollarEnd(s, i)
	case '`':
		return closing(s, i+1, "`")
	case '%':
		return fence(s, i, '%')
	case '!':
		if e := fence(s, i, '!'); e > 0 {
			return e
		}
	case '{':
		if hasAt(s, i, "{{") {
			return closing(s, i+2, "}}")
		}
		if hasAt(s, i, "{%") {
			return closing(s, i+2, "%}")
		}
		return braceEnd(s, i)
	case '#':
		if hasAt(s, i, "#{") {
			return closing(s, i+2, "}")
		}
		return -1
	case '<':
		if e := closing(s, i+1, ">"); e > 0 && !strings.Contains(s[i+1:e], "</") {
			return e
		}
		return -1
	case '@':
		if i+1 < len(s) && !hasAt(s, i, "@Microsoft") && (isLetter(s[i+1]) || s[i+1] == '/' || s[i+1] == '.') {
			return (setU | slash | dot).run(s, i+1)
		}
	}
	for _, w := range refStarts[s[i]] {
		if hasAt(s, i, w) {
			return refWordEnd(s, i+len(w))
		}
	}
	return -1
}

// refStarts is refWords by their first byte.
var refStarts = func() (t [256][]string) {
	for _, w := range refWords {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}()

func refWordEnd(s string, i int) int {
	deep := 0
	for end := min(len(s), i+maxRef); i < end; i++ {
		c := s[i]
		if groups[c]&known != 0 {
			continue
		}
		switch {
		case c == '(' || c == '[':
			deep++
		case c == ')' || c == ']':
			deep--
			if deep < 0 && s[i-1] != '(' {
				return i + 1
			}
		case deep > 0:
		case isBlank(c) || isQuote(c) && i > 0 && s[i-1] != '[' || c == ',' || c == ';':
			return i
		}
	}
	return i
}

func dollarEnd(s string, i int) int {
	if i+1 >= len(s) {
		return -1
	}
	switch c := s[i+1]; {
	case c == '{':
		if hasAt(s, i, "${{") {
			return closing(s, i+3, "}}")
		}
		return nested(s, i+1, '{', '}')
	case c == '(':
		return nested(s, i+1, '(', ')')
	case c == '$' || c == '@' || c == '*' || c == '?':
		return i + 2
	case isDigit(c):
		if e := setD.run(s, i+1); e == i+2 && (e == len(s) || !setA.has(s[e]) && s[e] != '$') {
			return e
		}
		return -1
	case isLetter(c) || c == '_':
		e := (setW | colon).run(s, i+1)
		for e > i && s[e-1] == ':' {
			e--
		}
		return subscript(s, e)
	}
	return -1
}

// subscript reads what may follow a variable in code: ['x'], ->x, .x.
func subscript(s string, e int) int {
	for e < len(s) {
		switch {
		case s[e] == '[':
			k := closing(s, e+1, "]")
			if k < 0 {
				return e
			}
			e = k
		case hasAt(s, e, "->") && e+2 < len(s) && isLetter(s[e+2]):
			e = setW.run(s, e+2)
		case s[e] == '.' && e+1 < len(s) && isLetter(s[e+1]):
			e = setW.run(s, e+1)
		case s[e] == '(':
			k := nested(s, e, '(', ')')
			if k < 0 {
				return e
			}
			e = k
		default:
			return e
		}
	}
	return e
}

// maxRef bounds how far the end of a reference is looked for.
const maxRef = 512

func closing(s string, i int, end string) int {
	if i > len(s) {
		return -1
	}
	k := strings.Index(s[i:min(len(s), i+maxRef)], end)
	if k <= 0 {
		return -1
	}
	return i + k + len(end)
}

func nested(s string, i int, open, shut byte) int {
	end := min(len(s), i+maxRef)
	if strings.IndexByte(s[i:end], shut) < 0 {
		return -1
	}
	deep := 0
	for ; i < end; i++ {
		switch s[i] {
		case open:
			deep++
		case shut:
			if deep--; deep == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func fence(s string, i int, b byte) int {
	e := (setW | paren | dash | dot).run(s, i+1)
	if e > i+1 && e < len(s) && s[e] == b {
		return e + 1
	}
	return -1
}

// braceEnd: {name} of a format string.
func braceEnd(s string, i int) int {
	e := (setW | dot | dash).run(s, i+1)
	if e < len(s) && s[e] == '}' && (e > i+1 || e == i+1) {
		return e + 1
	}
	return -1
}

// isReference says that all of v is references, or parts of an address between
// them.
func isReference(v string) bool {
	for i := 0; i < len(v); {
		e := refEnd(v, i)
		if e <= i {
			return false
		}
		i = e
		for i < len(v) && i > 0 && (v[i] == ':' || v[i] == '@') && i+1 < len(v) {
			i++
		}
	}
	return v != ""
}

// emptyWords are values that are no values.
var emptyWords = dictOf(`null none nil undefined true false yes no n/a na unset redacted masked hidden filtered nan {} []
 <nil> <none> - omitted removed on off unknown empty todo ...`)

// mayBePlaceholder says at once that a value made of g is hardly one: it has no
// mark of those that placeholders have and is no word.
func mayBePlaceholder(v string, g set) bool {
	if g&(digit|plus|equal|colon) == 0 || g&^known != 0 || g&(dash|under|percent) != 0 || len(v) > 64 || v == "" {
		return true
	}
	first, last := v[0]|0x20, v[len(v)-1]|0x20
	return first == 'x' || first == 'y' || last == 'x' || last == '.'|0x20
}

// isPlaceholder says that v stands for a value and is none.
func isPlaceholder(v string) bool {
	if v == "" || len(v) < 12 && emptyWords.has(v) {
		return true
	}
	if strings.HasPrefix(v, Mark) || strings.HasSuffix(v, "...") || strings.HasSuffix(v, "…") {
		return true
	}
	if v[0] == '%' && len(v) <= 6 && isLetter(v[len(v)-1]) && strings.Trim(v[1:len(v)-1], "+#-.0123456789l") == "" {
		return true // %s, %+v
	}
	if len(v) > 64 {
		return onlyOf(v, "*xX•.-")
	}
	if g, ok := of(v); ok && g&(dash|under|percent) == 0 && lower(v[0]) != 'x' && lower(v[len(v)-1]) != 'x' && lower(v[0]) != 'y' {
		return false // letters, digits and dots: nothing of what follows
	}
	l := strings.ToLower(v)
	if strings.HasPrefix(l, "your") && (len(l) == 4 || !isLetter(l[4])) ||
		strings.Contains(l, "your_") || strings.Contains(l, "your-") || strings.Contains(l, "<your") {
		return true
	}
	if onlyOf(v, "*•●·∗") || onlyOf(l, "x") && len(l) >= 3 || onlyOf(v, ".…") || onlyOf(l, "%2a") || onlyOf(v, "_") || onlyOf(v, "-") {
		return true
	}
	if strings.HasSuffix(l, "xxx") || strings.HasSuffix(l, "***") || strings.HasPrefix(l, "xxx") || strings.HasPrefix(l, "***") {
		return true
	}
	switch l {
	case "[filtered]", "[masked]", "[hidden]", "[secret]", "[removed]", "(redacted)", "<redacted>", "[omitted]", "*redacted*", "__redacted__":
		return true
	}
	return l[0] == '<' && l[len(l)-1] == '>'
}

// onlyOf says that v is made of characters of set alone.
func onlyOf(v, set string) bool {
	for _, r := range v {
		if !strings.ContainsRune(set, r) {
			return false
		}
	}
	return v != ""
}
