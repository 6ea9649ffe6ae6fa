package console

import "hash/maphash"

// Rows that differ in their numbers only are the steps of a progress that was
// written line by line: "12 %", "3/40", "1.2 of 8 MB". A run of them is shown as
// its last. A row is one only if it is said to be of a whole: lines that just
// hold numbers stay.

// fewAlike is the least run that is folded.
const fewAlike = 4

var alikeSeed = maphash.MakeSeed()

// progress is a number for the text without its digits and bars, 0 for a row
// that is no step of a progress.
func progress(s string) uint64 {
	if len(s) > 300 || !ofWhole(s) {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(alikeSeed)
	last := rune(0)
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9', r == '.' && last == '0', r == ',' && last == '0':
			r = '0'
		case bar(r):
			r = '='
		}
		if r == last && (r == '0' || r == '=') {
			continue
		}
		last = r
		_, _ = h.WriteString(string(r)) // it never fails
	}
	return max(h.Sum64(), 1)
}

// bar are the characters that progress bars and their gaps are drawn with.
func bar(r rune) bool {
	switch r {
	case '=', '#', '>', '-', ' ', '.', '*', '_':
		return true
	}
	return r >= 0x2580 && r <= 0x259f || r >= 0x2500 && r <= 0x257f || r >= 0x2800 && r <= 0x28ff
}

// ofWhole says whether a text has a number that is part of a whole: "40%",
// "40 %", "3/40", "3 of 40".
func ofWhole(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		j := i
		for j < len(s) && (s[j] >= '0' && s[j] <= '9' || s[j] == '.') {
			j++
		}
		k := j
		for k < len(s) && s[k] == ' ' {
			k++
		}
		switch rest := s[k:]; {
		case rest == "":
		case rest[0] == '%':
			return true
		case rest[0] == '/' && len(rest) > 1 && digitAt(rest, 1):
			return true
		case len(rest) > 3 && rest[:3] == "of " && digitAt(rest, 3):
			return true
		}
		i = j
	}
	return false
}

func digitAt(s string, i int) bool {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i < len(s) && s[i] >= '0' && s[i] <= '9'
}
