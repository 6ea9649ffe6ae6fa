package claude

import "bytes"

// walk visits the top-level members of one JSON object without decoding the
// values; visit returns false to stop early. It reports whether the object was
// well formed as far as it was read. It looks at every byte at most twice, so
// lines of many MB cost little.
func walk(line []byte, visit func(key, value []byte) bool) bool {
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return false
	}
	i = space(line, i+1)
	for i < len(line) {
		switch line[i] {
		case '}':
			return true
		case ',':
			i = space(line, i+1)
			continue
		case '"':
		default:
			return false
		}
		end := afterString(line, i)
		if end < 0 {
			return false
		}
		key := line[i+1 : end-1]
		i = space(line, end)
		if i >= len(line) || line[i] != ':' {
			return false
		}
		i = space(line, i+1)
		end = afterValue(line, i)
		if end < 0 {
			return false
		}
		if !visit(key, line[i:end]) {
			return true
		}
		i = space(line, end)
	}
	return false
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// afterString is the index behind the string that starts at i, -1 if it does
// not end.
func afterString(b []byte, i int) int {
	for i++; i < len(b); {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return -1
		}
		j += i
		k := j
		for k > i && b[k-1] == '\\' {
			k--
		}
		i = j + 1
		if (j-k)%2 == 0 {
			return i
		}
	}
	return -1
}

// afterValue is the index behind the value that starts at i, -1 if it is cut.
func afterValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = afterString(b, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	if depth == 0 {
		return i
	}
	return -1
}
