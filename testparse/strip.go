package testparse

import "bytes"

const esc = 0x1b

// Strip appends one raw line to dst without its escape sequences and control
// bytes, for Line. A line that was redrawn by carriage returns alone keeps its
// last state. Where the cursor goes to another row, or a row is wiped, it leaves
// one '\n': what follows is another row of the same line of the file.
func Strip(dst, line []byte) []byte {
	line = bytes.TrimRight(line, "\r\n")
	begin, start := len(dst), len(dst) // of the line, of the row
	for {
		i := bytes.IndexByte(line, esc)
		part := line
		if i >= 0 {
			part = line[:i]
		}
		dst, start = appendRow(dst, start, part)
		if i < 0 {
			return dst
		}
		n, moves := escape(line[i:])
		if moves && (len(dst) == begin || dst[len(dst)-1] != '\n') {
			dst = append(dst, '\n')
			start = len(dst)
		}
		line = line[i+n:]
	}
}

// appendRow appends text without escapes; a CR begins the row again unless
// nothing follows it.
func appendRow(dst []byte, start int, part []byte) ([]byte, int) {
	for {
		i := bytes.IndexByte(part, '\r')
		if i < 0 {
			return append(dst, part...), start
		}
		dst = append(dst, part[:i]...)
		part = bytes.TrimLeft(part[i:], "\r")
		if len(part) > 0 {
			dst = dst[:start]
		}
	}
}

// escape measures the sequence at the start of b; moves: it leads to another row
// or clears one.
func escape(b []byte) (n int, moves bool) {
	if len(b) < 2 {
		return len(b), false
	}
	switch b[1] {
	case '[':
		for n = 2; n < len(b); n++ {
			if c := b[n]; c >= 0x40 && c <= 0x7e {
				return n + 1, isMove(c)
			}
		}
		return len(b), false
	case ']', 'P', '_', '^', 'X':
		for n = 2; n < len(b); n++ {
			if b[n] == 0x07 {
				return n + 1, false
			}
			if b[n] == esc {
				if n+1 < len(b) && b[n+1] == '\\' {
					return n + 2, false
				}
				return n, false
			}
		}
		return len(b), false
	case 'c', 'D', 'E', 'M':
		return 2, true
	case '(', ')', '*', '+', '#', '%', ' ':
		return min(3, len(b)), false
	}
	return 2, false
}

// isMove knows the final bytes of the moves to another row and of the wipes.
func isMove(c byte) bool {
	switch c {
	case 'A', 'B', 'E', 'F', 'H', 'f', 'J', 'K', 'L', 'M', 'S', 'T', 'd', 'u':
		return true
	}
	return false
}
