package testparse

import "bytes"

const esc = 0x1b

// Strip appends one raw line to dst without its escape sequences and its end, for
// Line. A line that was redrawn by carriage returns alone keeps its
// last state. Where the cursor goes to another row, or a row is wiped, it leaves
// one '\n': what follows is another row of the same line of the file.
func Strip(dst, line []byte) []byte {
	end := len(line)
	for end > 0 && (line[end-1] == '\n' || line[end-1] == '\r') {
		end--
	}
	line = line[:end]
	begin := len(dst) // of the line
	start := begin    // of the row
	turns := bytes.IndexByte(line, '\r') >= 0
	turned := false // a carriage return came: what follows begins the row again
	for i := 0; i < end; {
		j := next(line, i, esc)
		if turns {
			dst, turned = appendTurns(dst, start, line[i:j], turned)
		} else {
			dst = append(dst, line[i:j]...)
		}
		if i = afterColour(line, j); i > j || j == end {
			continue
		}
		n, moves := escape(line[j:])
		if moves && (len(dst) == begin || dst[len(dst)-1] != '\n') {
			dst = append(dst, '\n')
			start, turned = len(dst), false
		}
		i = j + n
	}
	return dst
}

// afterColour gives the end of a colour sequence ("\x1b[1;31m") at j; j if it is
// another one.
func afterColour(line []byte, j int) int {
	if j+2 >= len(line) || line[j+1] != '[' {
		return j
	}
	k := j + 2
	for k < len(line) && (line[k] >= '0' && line[k] <= '9' || line[k] == ';') {
		k++
	}
	if k < len(line) && line[k] == 'm' {
		return k + 1
	}
	return j
}

// appendTurns appends text with carriage returns; turned is carried from part to
// part of a line.
func appendTurns(dst []byte, start int, part []byte, turned bool) ([]byte, bool) {
	for len(part) > 0 {
		i := bytes.IndexByte(part, '\r')
		if i == 0 {
			turned, part = true, part[1:]
			continue
		}
		if i < 0 {
			i = len(part)
		}
		if turned {
			dst = dst[:start]
		}
		dst, turned, part = append(dst, part[:i]...), false, part[i:]
	}
	return dst, turned
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
