package output

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"offstage/redact"
)

// Most of a log is lines as they stand: text, perhaps with colours. Of those the
// rows are had without a screen, at the speed of redaction; a stretch with
// anything else in it goes the long way, and both give the same rows.

// lightSlack bounds how far behind its end the last line of a stretch goes.
const lightSlack = 256 << 10

// light has the memory of the short way; one goroutine has one.
type light struct{ text, row []byte }

// lines gives the rows that start in [from, to), masked, to fn; false where the
// stretch must go the long way, and then what fn got is void.
func (s *light) lines(ctx context.Context, b *book, from, to int64, fn func(at int64, row string)) (bool, error) {
	if b.look.dec != nil || b.enc != utf8Text {
		return false, nil
	}
	start, inside, err := b.begin(ctx, from)
	if err != nil || inside {
		return false, err
	}
	text, err := s.stretch(b, start, to)
	if err != nil || text == nil {
		return false, err
	}
	red := b.look.secrets.redactor()
	for at, text := start, string(text); len(text) > 0 && at < to; {
		n := strings.IndexByte(text, '\n')
		row, ok := s.plainRow(text[:n])
		if !ok {
			return false, nil
		}
		hidden := red.Ranges(row)
		b.look.secrets.note(row, hidden)
		if at >= from {
			fn(at, redact.Apply(row, hidden))
		}
		at, text = at+int64(n)+1, text[n+1:]
	}
	return true, ctx.Err()
}

// stretch reads the whole lines that start in [start, to); nil where they do not
// end in a newline.
func (s *light) stretch(b *book, start, to int64) ([]byte, error) {
	want := int(min(to+lightSlack, b.size) - start)
	if cap(s.text) < want {
		s.text = make([]byte, want+want/4)
	}
	n, err := b.f.ReadThrough(s.text[:want], start)
	if n < want { // a hole, or it was cut: the long way knows what to do
		if err != nil && b.fresh() != nil {
			return nil, errStale
		}
		return nil, nil
	}
	text := s.text[:n]
	last := int(to - 1 - start)
	if last >= n {
		last = n - 1
	}
	end := bytes.IndexByte(text[last:], '\n')
	if end < 0 {
		return nil, nil
	}
	return text[:last+end+1], nil
}

// plainRow is what a line shows; false where only a screen can tell.
func (s *light) plainRow(line string) (string, bool) {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if len(line) > wholeText {
		return "", false
	}
	if printable(line) {
		return line, true
	}
	s.row = s.row[:0]
	beyond, tab := false, false
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == 0x1b:
			n := colour(line[i:])
			if n == 0 {
				return "", false
			}
			i += n
			continue
		case c == '\t': // to the next stop; at the end of a row it shows nothing
			tab = true
			if len(strings.TrimLeft(line[i:], "\t")) == 0 {
				return string(s.row), !beyond
			}
			for s.row = append(s.row, ' '); len(s.row)%8 != 0; {
				s.row = append(s.row, ' ')
			}
		case c < 0x20 || c == 0x7f:
			return "", false
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(line[i:])
			if !usual(r) {
				return "", false
			}
			beyond = true
			s.row = append(s.row, line[i:i+n]...)
			i += n
			continue
		default:
			s.row = append(s.row, c)
		}
		i++
	}
	return string(s.row), !(tab && beyond)
}

// printable says that all of a line is printable ASCII, eight bytes at a time.
func printable(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// a byte below 0x20 borrows; 0x7f and above carries into the top bit
		if ((w-0x20*ones)|(w+ones)|w)&tops != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// usual are characters that a row shows as they are.
func usual(r rune) bool {
	return r != utf8.RuneError && unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && r < 0x1f000
}

// colour is the length of the SGR sequence that b starts with, 0 for another.
func colour(b string) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
