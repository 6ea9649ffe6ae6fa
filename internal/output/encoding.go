package output

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding of a file, told by its first bytes. PowerShell writes UTF-16.
type encoding int

const (
	utf8Text encoding = iota
	utf16LE
	utf16BE
)

// sniff gives the encoding and the length of the byte order mark.
func sniff(head []byte) (encoding, int64) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16LE, 2
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16BE, 2
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return utf8Text, 3
	}
	return utf8Text, 0
}

// unit is the size of the smallest character in bytes: offsets of characters
// are multiples of it.
func (e encoding) unit() int64 {
	if e == utf8Text {
		return 1
	}
	return 2
}

// lf is where the newline character stands in a pair of bytes.
func (e encoding) lf() int {
	if e == utf16BE {
		return 1
	}
	return 0
}

// next gives the index behind the first newline in b, -1 without one. b starts
// on a character.
func (e encoding) next(b []byte) int {
	if e == utf8Text {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return -1
		}
		return i + 1
	}
	for i := 0; i+1 < len(b); {
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			return -1
		}
		i = (i + j) &^ 1
		if i+1 < len(b) && b[i+e.lf()] == '\n' && b[i+1-e.lf()] == 0 {
			return i + 2
		}
		i += 2
	}
	return -1
}

// last gives the index behind the last newline in b, -1 without one.
func (e encoding) last(b []byte) int {
	if e == utf8Text {
		i := bytes.LastIndexByte(b, '\n')
		if i < 0 {
			return -1
		}
		return i + 1
	}
	for i := (len(b) - 2) &^ 1; i >= 0; i -= 2 {
		if b[i+e.lf()] == '\n' && b[i+1-e.lf()] == 0 {
			return i + 2
		}
	}
	return -1
}

// count is the number of newlines in b.
func (e encoding) count(b []byte) int64 {
	if e == utf8Text {
		return int64(bytes.Count(b, []byte{'\n'}))
	}
	n := int64(0)
	for i := 0; i+1 < len(b); i += 2 {
		if b[i+e.lf()] == '\n' && b[i+1-e.lf()] == 0 {
			n++
		}
	}
	return n
}

// utf8 appends b, in the encoding, to dst as UTF-8. Half a pair at the end of b
// is U+FFFD, so callers cut at lines.
func (e encoding) utf8(dst, b []byte) []byte {
	if e == utf8Text {
		return append(dst, b...)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if e == utf16BE {
		order = binary.BigEndian
	}
	for i := 0; i < len(b); i += 2 {
		if i+1 >= len(b) {
			return utf8.AppendRune(dst, utf8.RuneError)
		}
		r := rune(order.Uint16(b[i:]))
		if utf16.IsSurrogate(r) {
			low := rune(utf8.RuneError)
			if i+3 < len(b) {
				low = rune(order.Uint16(b[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 2
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}
