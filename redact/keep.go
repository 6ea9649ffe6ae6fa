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
var refStarts [256][]string

func makeRefStarts() (t [256][]string) {
	for _, w := range refWords {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}

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

// maxReference bounds how long a value may be to count as references alone.
const maxReference = 2048

// isReference says that all of v is references, or parts of an address between
// them.
func isReference(v string) bool {
	if len(v) > maxReference {
		return false
	}
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
