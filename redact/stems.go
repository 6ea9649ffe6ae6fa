package redact

import "strings"

// Telling words among others: token in broken_token, not in tokenizer.

// stemEnd gives the end of the telling word in which the trigger at i lies, or
// -1 where it is part of another word: passenger, keyword, authentic.
func stemEnd(s string, i int) int {
	e := -1
	switch fold3(s, i) {
	case 'k' | 'e'<<8 | 'y'<<16:
		e = i + 3
	case 'o' | 'k'<<8 | 'e'<<16:
		if letterAt(s, i-1, 't') && letterAt(s, i+3, 'n') {
			e = i + 4
		}
	case 'a' | 'u'<<8 | 't'<<16:
		if !letterAt(s, i+3, 'h') {
			return -1
		}
		if e = i + 4; letterAt(s, e, 'o') && foldAt(s, e, "orization") {
			return e
		}
	case 'e' | 'c'<<8 | 'r'<<16:
		if letterAt(s, i-1, 's') && letterAt(s, i+3, 'e') && letterAt(s, i+4, 't') {
			e = i + 5
		}
	case 'p' | 'a'<<8 | 's'<<16:
		if !letterAt(s, i+3, 's') {
			return -1
		}
		if e = i + 4; e < len(s) && isLower(s[e]) && strings.IndexByte("wpceio", s[e]) >= 0 {
			return passEnd(s, i)
		}
	case 'o' | 'k'<<8 | 'i'<<16:
		if letterAt(s, i-1, 'o') && letterAt(s, i-2, 'c') {
			return whole(s, i-2, "cookie", "cookies")
		}
	case 's' | 'i'<<8 | 'g'<<16:
		if i > 0 && isLower(s[i]) && isLetter(s[i-1]) && !(i > 1 && s[i-2] == '\\') && !x00(s, i) {
			return -1
		}
		if e = i + 3; letterAt(s, e, 'n') {
			return whole(s, i, "signature")
		}
	default:
		return rareEnd(s, i)
	}
	if e < len(s) && e >= 0 && isLower(s[e]) {
		return -1
	}
	return e
}

// passwordWord is the word in one number.
var passwordWord, _ = packed("password")

// passEnd is stemEnd for the words that start with pass and a small letter.
func passEnd(s string, i int) int {
	switch s[i+4] {
	case 'w':
		if i+8 <= len(s) && fold8(load8(s, i)) == passwordWord {
			if i+8 == len(s) || !isLower(s[i+8]) {
				return i + 8
			}
			return -1
		}
		if letterAt(s, i+5, 'd') {
			return whole(s, i, "passwd")
		}
		return whole(s, i, "password", "passwort")
	case 'p':
		return whole(s, i, "passphrase")
	case 'c':
		return whole(s, i, "passcode")
	case 'e':
		return whole(s, i, "passe")
	case 'i':
		return whole(s, i, "passin")
	}
	return whole(s, i, "passout")
}

// rareEnd is stemEnd for words that are seldom met.
func rareEnd(s string, i int) int {
	switch fold3(s, i) {
	case 'c' | 'r'<<8 | 'e'<<16:
		if letterAt(s, i+3, 'd') {
			return whole(s, i, "cred", "creds", "credential", "credentials")
		}
	case 'm' | 'a'<<8 | 'c'<<16:
		if i == 0 || isBlank(s[i-1]) {
			return whole(s, i, "machine")
		}
	case 'h' | 'm'<<8 | 'a'<<16:
		return whole(s, i, "hmac")
	case 'e' | 'm'<<8 | 'o'<<16:
		return whole(s, i-2, "mnemonic")
	case 'f' | 'i'<<8 | 'e'<<16:
		return whole(s, i-6, "identified")
	case '_' | 0x20 | 'p'<<8 | 'w'<<16:
		if e := i + 3; e == len(s) || !isLower(s[e]) || s[e] == 'd' {
			return e
		}
	case 'j' | 'w'<<8 | 't'<<16, 'p' | 'w'<<8 | 'd'<<16:
		return i + 3
	}
	return -1
}

// letterAt says that the letter b, in any case, stands in s at i.
func letterAt(s string, i int, b byte) bool { return uint(i) < uint(len(s)) && s[i]|0x20 == b }

// x00 says that two hex digits of an escape like %3F stand before i.
func x00(s string, i int) bool { return i >= 3 && s[i-3] == '%' || i >= 6 && s[i-6] == '\\' }

// whole gives the end of one of the words at i where no small letter goes on
// with it, else -1.
func whole(s string, i int, words ...string) int {
	for _, w := range words {
		if e := i + len(w); foldAt(s, i, w) && (e == len(s) || !isLower(s[e])) {
			return e
		}
	}
	return -1
}

// fold3 gives the three bytes at i, the first one lowest, letters in lower case.
func fold3(s string, i int) uint32 {
	b := s[i : i+3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | 0x202020
}
