package console

import (
	"strconv"

	"offstage/task"
)

// reset ends every styled stretch; nothing leaks into the next cell.
const reset = "\x1b[m"

// sgrInverse fills a hit of a search.
const sgrInverse = "\x1b[7m"

// attrCodes are the SGR parameters of the attributes, in the order of their
// bits. Inverse is handed to the terminal, which alone knows its default
// colours: a badge stands filled.
var attrCodes = [...]string{"1", "2", "3", "4", "4:2", "4:3", "4:4", "4:5", "7", "9"}

// sgr is the opening of a style; "" for plain text. Without colours the
// attributes stay.
func sgr(s task.Style, noColor bool) string {
	if noColor {
		s.FG, s.BG, s.UL = 0, 0, 0
	}
	if s == (task.Style{}) {
		return ""
	}
	b := make([]byte, 0, 24)
	for i, code := range attrCodes {
		if s.Attr&(1<<i) != 0 {
			b = append(append(b, ';'), code...)
		}
	}
	b = appendColor(b, s.FG, 30, 38)
	b = appendColor(b, s.BG, 40, 48)
	b = appendColor(b, s.UL, -1, 58)
	if len(b) == 0 {
		return ""
	}
	b[0] = '['
	return "\x1b" + string(b) + "m"
}

// appendColor writes one of the user's own 16 colours in its short form, where
// there is one (base), else as a palette entry or a true colour.
func appendColor(b []byte, c task.Color, base, long int) []byte {
	num := func(parts ...int) {
		for _, p := range parts {
			b = strconv.AppendInt(append(b, ';'), int64(p), 10)
		}
	}
	if n, ok := c.Index(); ok {
		switch {
		case base >= 0 && n < 8:
			num(base + int(n))
		case base >= 0 && n < 16:
			num(base + 52 + int(n))
		default:
			num(long, 5, int(n))
		}
	} else if r, g, bl, ok := c.RGB(); ok {
		num(long, 2, int(r), int(g), int(bl))
	}
	return b
}
