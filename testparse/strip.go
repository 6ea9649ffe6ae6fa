package testparse

import "bytes"

const esc = 0x1b

// Strip appends one raw line to dst without its escape sequences and control
// bytes, for Line. A line that was redrawn by carriage returns alone keeps its
// last state. Where the cursor goes to another row, or a row is wiped, it leaves
// one '\n': what follows is another row of the same line of the file.
func Strip(dst, line []byte) []byte {
	end := len(line)
	for end > 0 && (line[end-1] == '\n' || line[end-1] == '\r') {
		end--
	}
	line = line[:end]
	begin, start := len(dst), len(dst) // of the line, of the row
	turns := bytes.IndexByte(line, '\r') >= 0
	for {
		i := bytes.IndexByte(line, esc)
		part := line
		if i >= 0 {
			part = line[:i]
		}
		if turns {
			dst = appendTurns(dst, start, part)
		} else {
			dst = append(dst, part...)
		}
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

// appendTurns appends text with carriage returns: one begins the row again,
// unless nothing follows it.
func appendTurns(dst []byte, start int, part []byte) []byte {
	for {
		i := bytes.IndexByte(part, '\r')
		if i < 0 {
			return append(dst, part...)
		}
		dst = append(dst, part[:i]...)
		for i < len(part) && part[i] == '\r' {
			i++
		}
		part = part[i:]
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
