package redact

// A line that is JSON, or a line of it, must still be JSON when its secrets are
// gone (C4). Rules that read text stop at blanks and brackets; here what they
// hide is kept within the string it stands in, at every depth of JSON in JSON.

// quotes are the strings that are open at a place, by the number of backslashes
// before their quotes: 0, 1, 3 … at is how far the line has been read.
type quotes struct {
	open  [8]int
	n, at int
	read  int // all that was read, to bound the work
}

// isJSON says that the line is made of the words of JSON alone: strings, numbers,
// literals, brackets. It is asked once for a line.
func (x *scan) isJSON() bool {
	if x.lexed == 0 {
		x.lexed = 2
		if lexesAsJSON(x.s) {
			x.lexed = 1
		}
		x.quotes = quotes{}
	}
	return x.lexed == 1
}

func lexesAsJSON(s string) bool {
	i := blanks(s, 0)
	if i >= len(s) || s[i] != '{' && s[i] != '[' && s[i] != '"' {
		return false
	}
	for i < len(s) {
		switch c := s[i]; {
		case c == '"':
			end, closed := closeQuote(s, i+1, '"', 0)
			i = blanks(s, end+1)
			if !closed || i < len(s) && s[i] != ',' && s[i] != ':' && s[i] != '}' && s[i] != ']' {
				return false
			}
		case isBlank(c) || c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':':
			i++
		case isDigit(c) || c == '-':
			for i++; i < len(s) && (isDigit(s[i]) || s[i] == '.' || s[i]|0x20 == 'e' || s[i] == '+' || s[i] == '-'); {
				i++
			}
		case hasAt(s, i, "true"), hasAt(s, i, "null"):
			i += 4
		case hasAt(s, i, "false"):
			i += 5
		default:
			return false
		}
	}
	return true
}

// clip gives what of s[a:b] lies in the innermost string round a; nothing where a
// is in none.
func (x *scan) clip(a, b int) (from, to int) {
	q, s := &x.quotes, x.s
	if a < q.at {
		*q = quotes{read: q.read}
	}
	if q.read > 16*len(s) {
		return a, b
	}
	q.read += a - q.at
	for ; q.at < a; q.at++ {
		if s[q.at] == '"' {
			q.meet(slashesBefore(s, q.at))
		}
	}
	if q.n == 0 {
		return a, a
	}
	for i := a; i < b || i < len(s) && s[i] == '"' && i-slashesBefore(s, i) < b; i++ {
		if s[i] != '"' {
			continue
		}
		if m := slashesBefore(s, i); m <= q.open[q.n-1] {
			return a, max(a, min(b, i-m))
		}
	}
	return a, b
}

// meet opens or closes a string at a quote with m backslashes before it.
func (q *quotes) meet(m int) {
	for q.n > 0 && q.open[q.n-1] > m {
		q.n--
	}
	switch {
	case q.n > 0 && q.open[q.n-1] == m:
		q.n--
	case q.n < len(q.open) && (q.n > 0 || m == 0):
		q.open[q.n] = m
		q.n++
	}
}

// slashesBefore counts the backslashes before byte i of s.
func slashesBefore(s string, i int) (m int) {
	for m < i && s[i-1-m] == '\\' {
		m++
	}
	return m
}
