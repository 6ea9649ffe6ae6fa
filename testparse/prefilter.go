package testparse

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unsafe"
)

// The prefilter. A row matters to a runner by how it begins, by how it ends, or,
// in the log of a monorepo tool, by how it goes on after the prefix. What is not
// in the tables of forms.go no runner sees: a form that a runner learns goes there first.

// Wanted says whether a raw line may matter to a scanner, in whatever state it
// is; false is final. It costs a few nanoseconds for a plain line.
func Wanted(raw []byte) bool {
	if text, plain := plainRow(raw); plain {
		return wanted(trimRight(undate(text)))
	}
	var room [1024]byte
	if len(raw) > len(room) {
		return true
	}
	row := Strip(room[:0], raw)
	if bytes.IndexByte(row, '\n') >= 0 {
		return true // redrawn: Line has to know that rows come again
	}
	return len(row) > 0 && wanted(trimRight(undate(view(row))))
}

// plainRow is a raw line without its end, when it holds no escape sequence and
// no carriage return.
func plainRow(raw []byte) (text string, plain bool) {
	end := len(raw)
	for end > 0 && (raw[end-1] == '\n' || raw[end-1] == '\r') {
		end--
	}
	raw = raw[:end]
	if bytes.IndexByte(raw, esc) >= 0 || bytes.IndexByte(raw, '\r') >= 0 {
		return "", false
	}
	return view(raw), true
}

// view is b as a string without a copy, for the time that b does not change:
// whatever is kept of it is cloned (clip).
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// wanted is Wanted for one row as Line sees it.
func wanted(s string) bool { return wants(s) != 0 || afterPrefix(s) }

// Why a row is wanted.
const (
	byItself = 1 + iota // by its beginning or its end
	byPrefix            // it announces a prefix
)

func wants(s string) int {
	if begins(s) || ends(s) {
		return byItself
	}
	return byWords(s)
}

// begins looks at the start of a row.
func begins(s string) bool {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) {
		return false
	}
	c := s[i]
	if c >= '0' && c <= '9' {
		return countLed(s[i:])
	}
	if c == 0xe2 {
		return len(s) > i+2 && signs[int(s[i+1]&0x3f)<<6|int(s[i+2]&0x3f)]
	}
	if i+1 < len(s) && pairs[c][s[i+1]>>6]>>(s[i+1]&63)&1 != 0 {
		for _, w := range leads[c] {
			if strings.HasPrefix(s[i:], w) {
				return true
			}
		}
	}
	if c == '[' && i == 0 && digitAt(s, 1) {
		return progress(s)
	}
	if i > 0 && (c == '}' && i+1 == len(s) || c == '.' && s[i:] == "...") {
		return true // the end of an error of node:test, of a YAML block of TAP
	}
	if c == '>' && i == 0 {
		return strings.IndexByte(s, '@') > 0
	}
	return false
}

// progress looks for playwright's "[15/71] ".
func progress(s string) bool {
	_, rest, ok := number(s[1:])
	if !ok || rest == "" || rest[0] != '/' {
		return false
	}
	_, rest, ok = number(rest[1:])
	return ok && strings.HasPrefix(rest, "] ")
}

// countLed looks at a row that begins with a number.
func countLed(s string) bool {
	n, rest, ok := number(s)
	if !ok || rest == "" {
		return false
	}
	switch rest[0] {
	case ' ':
		if len(rest) > 1 {
			for _, w := range counts[rest[1]] {
				if strings.HasPrefix(rest[1:], w) {
					return true
				}
			}
		}
	case ')':
		return len(rest) > 1 && rest[1] == ' '
	case '/':
		return digitAt(rest, 1) && strings.Contains(rest, " Test ")
	case '%':
		return strings.HasPrefix(rest, "% tests passed")
	case '.':
		return n == 1 && len(rest) > 2 && rest[1] == '.' && digitAt(rest, 2)
	}
	return false
}

// ends looks at the end of a row.
func ends(s string) bool {
	if s == "" {
		return false
	}
	last := s[len(s)-1]
	if !lasts[last] {
		return false
	}
	for _, w := range tails[last] {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	switch last {
	case ']': // the margin of pytest
		n := len(s)
		return n > 4 && (s[n-2] == '%' || s[n-2] >= '0' && s[n-2] <= '9' && strings.IndexByte(s[max(0, n-14):], '/') >= 0)
	case ')':
		return bracketed(s)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9': // deno's "name => ./a_test.ts:4:6"
		return placed(s) && strings.Contains(s, " => ")
	case ':': // "       times out:" beneath a suite's name
		return len(s) < maxName
	case '\'', '"':
		open := strings.LastIndexByte(s[:len(s)-1], last)
		return open > 0 && (strings.HasSuffix(s[:open], skipped) || s[open-1] == '\\' && strings.Contains(s, skipped))
	}
	return letterTail(s)
}

// skipped stands before the reason in unittest's rows.
const skipped = " ... skipped "

// bracketed looks at a row that ends with a bracket: a duration or a reason.
func bracketed(s string) bool {
	i := strings.LastIndexByte(s, '(')
	if i < 0 {
		return false
	}
	if strings.HasPrefix(s[i:], "(FAILED - ") || strings.HasSuffix(s, "%)") {
		return true
	}
	if strings.Contains(s, " ... ") {
		return true
	}
	return strings.HasSuffix(s, "s)") && strings.Contains(s, "--- ") ||
		strings.Contains(s, "::") && (strings.Contains(s, " SKIPPED (") || strings.Contains(s, " XFAIL (") || strings.Contains(s, " XPASS ("))
}

// letterTail looks for pytest's letters, alone or after a file's name.
func letterTail(s string) bool {
	i := len(s)
	for i > 0 && isPytestSign[s[i-1]] {
		i--
	}
	if i == 0 {
		return true
	}
	return i < len(s) && s[i-1] == ' ' && pythonPath(s[:i-1])
}

// byWords looks at the first two words of a row: pytest's "tests/test_a.py::test_x
// output of the test", playwright's "    [web] › a.spec.ts:9:3 › x", ava's "  a › x", and the rows that
// announce a prefix, "web:test: cache miss, …" and "packages/api test$ jest".
func byWords(s string) int {
	if s == "" {
		return 0
	}
	if s[0] == ' ' {
		in := 1
		for in < 5 && in < len(s) && s[in] == ' ' {
			in++
		}
		if (in == 2 || in == 4) && strings.Contains(s, " › ") {
			return byItself
		}
		return 0
	}
	i := wordEnd(s, 0)
	if i > len(".py::") && strings.Contains(s[:i], ".py::") {
		return byItself
	}
	if i+3 > len(s) {
		return 0
	}
	if s[i-1] == ':' && isCacheWord(s[i+1:]) || s[wordEnd(s, i+1)-1] == '$' {
		return byPrefix
	}
	return 0
}

// wordEnd is where the next space stands from i on, in the first 200 bytes; eight
// bytes at a time, as words are too short for a call: x ^ 0x20… is zero at a space.
func wordEnd(s string, i int) int {
	const one, space, top = 0x0101010101010101, 0x2020202020202020, 0x8080808080808080
	s = s[:min(len(s), 200)]
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(raw(s[i:])) ^ space
		if m := (x - one) &^ x & top; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(s) && s[i] != ' ' {
		i++
	}
	return i
}

// raw is s as bytes without a copy, to be read only.
func raw(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// afterPrefix looks behind "web:test: " and "packages/api test: ".
func afterPrefix(s string) bool {
	rest, at := s, 0
	for range 4 {
		k := strings.IndexByte(rest, ':')
		if k < 0 || at+k > 200 || k+1 >= len(rest) {
			return false
		}
		at += k
		if rest[k+1] == ' ' {
			return strings.Count(s[:at], " ") < 2 && (begins(s[at+2:]) || ends(s[at+2:]))
		}
		rest = rest[k+1:]
		at++
	}
	return false
}
