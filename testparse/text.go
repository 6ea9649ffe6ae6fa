package testparse

import (
	"encoding/binary"
	"strings"
)

func trimRight(s string) string {
	end := len(s)
	for end > 0 && (s[end-1] == ' ' || s[end-1] == '\r' || s[end-1] == '\t') {
		end--
	}
	return s[:end]
}

// number reads a decimal number of at most nine digits at the start of s.
func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 || i < len(s) && s[i] >= '0' && s[i] <= '9' {
		return 0, s, false
	}
	return n, s[i:], true
}

// counted reads "12 word" as a whole.
func counted(s string) (n int, word string, ok bool) {
	n, rest, ok := number(s)
	if !ok || len(rest) < 2 || rest[0] != ' ' {
		return 0, "", false
	}
	return n, rest[1:], true
}

// bytesOf is a set of bytes.
func bytesOf(set string) *[256]bool {
	var t [256]bool
	for i := range len(set) {
		t[set[i]] = true
	}
	return &t
}

// allIn says that s is not empty and holds only bytes of set.
func allIn(s string, set *[256]bool) bool {
	for i := range len(s) {
		if !set[s[i]] {
			return false
		}
	}
	return s != ""
}

// digitAt says that s[i] is a digit.
func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// undate cuts one leading time stamp ("2026-11-30T20:00:00.000Z ", "[20:00:00] ",
// "Nov 30 20:00:00 "), as `ts` and log collectors write it before each line.
func undate(s string) string {
	if len(s) < 10 {
		return s
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9':
		if len(s) > 20 && s[4] == '-' && s[7] == '-' && (s[10] == 'T' || s[10] == ' ') && s[13] == ':' {
			for i := 19; i < len(s) && i <= 35; i++ {
				if s[i] == ' ' {
					return s[i+1:]
				}
			}
		}
	case c == '[':
		if len(s) > 11 && digitAt(s, 1) && s[3] == ':' && s[6] == ':' && s[9] == ']' && s[10] == ' ' {
			return s[11:]
		}
	case c >= 'A' && c <= 'Z':
		if len(s) > 16 && s[3] == ' ' && s[6] == ' ' && s[9] == ':' && s[12] == ':' && s[15] == ' ' && digitAt(s, 7) {
			return s[16:]
		}
	}
	return s
}

// cutDuration takes " (1.2ms)", " (5 ms)", " 5ms" or " [0.17ms]" off the end of a name.
func cutDuration(s string) (name string, ok bool) {
	t := s
	if n := len(t); n > 2 && (t[n-1] == ')' || t[n-1] == ']') {
		open := byte('(')
		if t[n-1] == ']' {
			open = '['
		}
		i := strings.LastIndexByte(t, open)
		if i < 1 || t[i-1] != ' ' || !isDuration(t[i+1:n-1]) {
			return s, false
		}
		return trimRight(t[:i]), true
	}
	i := strings.LastIndexByte(t, ' ')
	if i < 1 || !isDuration(t[i+1:]) {
		return s, false
	}
	return trimRight(t[:i]), true
}

// isDuration reads "12ms", "5 ms", "1.2s", "0.3 s", "1m", "2.1m".
func isDuration(s string) bool {
	i := 0
	for i < len(s) && (digitAt(s, i) || s[i] == '.') {
		i++
	}
	if i == 0 {
		return false
	}
	switch strings.TrimPrefix(s[i:], " ") {
	case "ms", "s", "m", "h", "us", "µs", "sec", "seconds":
		return true
	}
	return false
}

// isScriptPath says that a word looks like a source file in JavaScript,
// TypeScript or what is compiled to them.
func isScriptPath(s string) bool {
	dot := len(s) - 1
	for dot > 0 && s[dot] != '.' {
		if dot--; len(s)-dot > len(".coffee") {
			return false
		}
	}
	if dot < 1 {
		return false
	}
	switch s[dot+1:] {
	case "js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "md", "coffee":
		return strings.IndexByte(s, ' ') < 0
	}
	return false
}

// lastOpen is where the last " (" begins, -1 without one.
func lastOpen(s string) int {
	i := strings.LastIndexByte(s, '(')
	for i > 0 && s[i-1] != ' ' {
		i = strings.LastIndexByte(s[:i], '(')
	}
	return max(i-1, -1)
}

// hash is a number for a name that is the same after a restore. Names that differ
// in what they print have different ones, but for chance.
func hash(s string) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(len(s)) * prime
	b := raw(s)
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 29
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * prime
		h ^= h >> 29
	}
	return h
}

// list reads "12 word, 3 other word": each part goes to take, which says whether
// it knows the word. All parts must be known.
func list(s, sep string, take func(n int, word string) bool) bool {
	for part := range strings.SplitSeq(s, sep) {
		n, word, ok := counted(strings.TrimSpace(part))
		if !ok || !take(n, word) {
			return false
		}
	}
	return true
}

// labels reads "Word: 12, Other: 3" in the same way.
func labels(s string, take func(n int, word string) bool) bool {
	for part := range strings.SplitSeq(s, ", ") {
		word, value, ok := strings.Cut(part, ":")
		if !ok {
			return false
		}
		n, rest, ok := number(strings.TrimLeft(value, " "))
		if !ok || rest != "" || !take(n, strings.TrimSpace(word)) {
			return false
		}
	}
	return true
}

// numbered reads "12) title".
func numbered(s string) (n int, title string, ok bool) {
	n, rest, ok := number(s)
	if !ok || !strings.HasPrefix(rest, ") ") {
		return 0, "", false
	}
	return n, rest[2:], true
}

// cutLast cuts at the last sep, which it looks for from the end.
func cutLast(s, sep string) (head, tail string, ok bool) {
	for i := len(s) - len(sep); i >= 0; i-- {
		if s[i] == sep[0] && s[i:i+len(sep)] == sep {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// placed says that s ends with a place in a file, ":12:5".
func placed(s string) bool {
	for range 2 {
		i := len(s)
		for i > 0 && digitAt(s, i-1) {
			i--
		}
		if i == len(s) || i < 2 || s[i-1] != ':' {
			return false
		}
		s = s[:i-1]
	}
	return true
}
