package testparse

import "unicode/utf8"

// line is one row as the runners see it: small enough to be passed in registers.
type line struct {
	text  string // without trailing spaces
	in    int    // how many leading spaces
	n     int64  // line of the file
	seq   int64  // row of the stream, of those that Wanted lets through
	wiped bool   // the cursor moved within the same line of the file, after this row
}

func makeLine(text string, n int64, wiped bool) line {
	in := 0
	for in < len(text) && text[in] == ' ' {
		in++
	}
	return line{text: text, in: in, n: n, wiped: wiped}
}

// body is the text without leading spaces.
func (l line) body() string { return l.text[l.in:] }

// first is the first byte after the indent, 0 for an empty row.
func (l line) first() byte {
	if l.in == len(l.text) {
		return 0
	}
	return l.text[l.in]
}

// mark splits a row that begins with one sign and a space, as in "✓ name".
func (l line) mark() (sign rune, rest string) {
	if l.first() < utf8.RuneSelf {
		return 0, ""
	}
	body := l.body()
	if len(body) > 3 && body[0] == 0xe2 && body[1]&body[2]&0xc0 == 0x80 && (body[1]|body[2])&0x40 == 0 {
		if body[3] != ' ' {
			return 0, ""
		}
		return 0x2000 | rune(body[1]&0x3f)<<6 | rune(body[2]&0x3f), body[4:]
	}
	r, size := utf8.DecodeRuneInString(body)
	if size < len(body) && body[size] == ' ' {
		return r, body[size+1:]
	}
	return 0, ""
}
