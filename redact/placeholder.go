package redact

import "strings"

// What stands for a value and is none.

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
	if isYours(v) || isFill(v) || boxed.has(v) {
		return true
	}
	return v[0] == '<' && v[len(v)-1] == '>'
}

// boxed are what other programs put in a secret's place.
var boxed = dictOf(`[filtered] [masked] [hidden] [secret] [removed] (redacted) <redacted> [omitted] *redacted* __redacted__`)

// isYours: your-key, <YOUR_TOKEN>, put_your_key_here.
func isYours(v string) bool {
	for i := 0; i+4 <= len(v); i++ {
		if v[i]|0x20 != 'y' || !foldAt(v, i, "your") {
			continue
		}
		e := i + 4
		if i == 0 && (e == len(v) || !isLetter(v[e])) || e < len(v) && (v[e] == '_' || v[e] == '-') || i > 0 && v[i-1] == '<' {
			return true
		}
	}
	return false
}

// isFill says that v is one mark over and over, or begins or ends with three x
// or asterisks.
func isFill(v string) bool {
	n := len(v)
	switch c := v[0]; {
	case c == 'x' || c == 'X' || c == '*':
		if n >= 3 && v[0]|0x20 == v[1]|0x20 && v[1]|0x20 == v[2]|0x20 {
			return true
		}
	case c == '%':
		return onlyOf(v, "%2aA")
	}
	if c := v[n-1]; n >= 3 && (c == '*' || c|0x20 == 'x') && v[n-2]|0x20 == c|0x20 && v[n-3]|0x20 == c|0x20 {
		return true
	}
	if strings.IndexByte("*.-_", v[0]) < 0 && v[0] < 0x80 {
		return false
	}
	return onlyOf(v, "*•●·∗") || onlyOf(v, ".…") || onlyOf(v, "_") || onlyOf(v, "-")
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
