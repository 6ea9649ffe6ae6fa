package redact

import "strings"

// maxKeyLines is how many lines a private key may have before its END is no
// longer waited for.
const maxKeyLines = 400

// block looks at the dashes of a PEM block and at the fields of a PuTTY key.
func (x *scan) block(i int) {
	s := x.s
	if s[i] == 'e' {
		x.putty(i)
		return
	}
	if i < x.marked || s[i] != '-' {
		return
	}
	end := i + 1
	i = dash.back(s, end, 80)
	x.marked = end
	if end-i < 4 {
		return
	}
	at := blanks(s, end)
	if !hasAt(s, at, "BEGIN ") {
		return
	}
	close := indexFrom(s, at, "---")
	if close < 0 || close-at > 64 || !strings.Contains(s[at:close], "PRIVATE") || !strings.Contains(s[at:close], "KEY") {
		return
	}
	x.keyBody(i, dash.run(s, close))
}

// keyBody hides what follows BEGIN on its line, and opens the key where END does
// not follow too.
func (x *scan) keyBody(begin, at int) {
	s := x.s
	for at < len(s) {
		switch {
		case isBlank(s[at]):
			at++
		case hasAt(s, at, `\n`), hasAt(s, at, `\r`):
			at += 2
		case hasAt(s, at, `\\n`):
			at += 3
		default:
			end, closed := keyEnd(s, at)
			if !hasAt(s, at, Mark) {
				x.add(at, end)
			}
			x.named = max(x.named, end)
			x.marked = max(x.marked, end)
			if !closed {
				x.next.Key, x.next.KeyColumn = 1, begin
			}
			return
		}
	}
	x.next.Key, x.next.KeyColumn = 1, begin
}

// keyEnd finds where a key on one line ends: at END, or at the quote round it.
func keyEnd(s string, at int) (end int, closed bool) {
	if k := indexFrom(s, at, "-----END"); k >= 0 {
		return k, true
	}
	for k := at; k < len(s); k++ {
		if s[k] == '"' || s[k] == '\'' || s[k] == '`' || s[k] == '<' {
			return k, s[at] != s[k]
		}
	}
	end = len(s)
	for end > at && isBlank(s[end-1]) {
		end--
	}
	return end, false
}

// keyLine judges a line inside a private key. It gives false for a line that
// belongs to no key, which is then read like any other.
func (x *scan) keyLine() bool {
	s, st := x.s, x.st
	if k := strings.Index(s, "-----END"); k >= 0 {
		if a, b := bodyOf(s[:k]); b-a >= 4 {
			x.add(a, b)
		}
		return false
	}
	if st.Key >= maxKeyLines || strings.Contains(s, "-----BEGIN") {
		return false
	}
	x.next = *st
	x.next.Key++
	a, b := bodyOf(s)
	if strings.TrimSpace(s) == "" || isArmorHeader(s) || hasAt(s, a-1, Mark) || strings.HasSuffix(strings.TrimSpace(s), Mark) {
		return true
	}
	if !x.isBody(a, b) {
		x.next = State{}
		return false
	}
	x.add(a, b)
	return true
}

// isBody says whether s[a:b] is a line of the key's Base64.
func (x *scan) isBody(a, b int) bool {
	s, st := x.s, x.st
	n := b - a
	if n == 0 {
		return false
	}
	led := leadOnly(s[:a]) || a == st.KeyColumn
	if x.live && led {
		return true // it may become one
	}
	if n == 5 && s[a] == '=' && led {
		return true // the checksum of an armor
	}
	if !led && n < 40 {
		return false
	}
	switch {
	case st.KeyWidth == 0:
		if n < 16 {
			return false
		}
		x.next.KeyWidth = n
	case n < st.KeyWidth:
		if n < 16 && (st.KeyLast || s[b-1] != '=' && !varied(s[a:b])) {
			return false
		}
		x.next.KeyLast = true
	}
	return true
}

// bodyOf finds the last run of Base64 of a line, with \n between its parts, and
// leaves out what code puts behind it: \n" +
func bodyOf(s string) (a, b int) {
	b = len(s)
	for b > 0 && (isBlank(s[b-1]) || isQuote(s[b-1]) || s[b-1] == ',' || s[b-1] == '+' && b > 1 && isBlank(s[b-2]) || s[b-1] == ';' || s[b-1] == '\\') {
		b--
	}
	for b >= 2 && s[b-2] == '\\' && (s[b-1] == 'n' || s[b-1] == 'r') {
		b -= 2
	}
	a = b
	for {
		a = setB.back(s, a, len(s))
		if a < 1 || s[a-1] != '\\' || a >= len(s) || s[a] != 'n' && s[a] != 'r' || a == b {
			return a, b
		}
		if a-1 > 0 && setB.has(s[a-2]) || a >= 3 && s[a-2] == 'n' {
			a--
			continue
		}
		return a + 1, b
	}
}

// leadOnly: blanks, quotes and marks of comments, diffs and quoted mail.
func leadOnly(s string) bool { return strings.Trim(s, " \t\"'`>|#+-*/;,") == "" }

func isArmorHeader(s string) bool {
	s = strings.TrimLeft(s, " \t")
	for _, h := range [...]string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "MessageID:"} {
		if strings.HasPrefix(s, h) {
			return true
		}
	}
	return false
}

// putty: Private-Lines: N opens N lines of a key, Private-MAC has a value.
func (x *scan) putty(i int) {
	s := x.s
	const lines, mac = "Private-Lines: ", "Private-MAC: "
	switch {
	case hasAt(s, i-6, lines):
		n := 0
		for k := i - 6 + len(lines); k < len(s) && isDigit(s[k]) && n < maxKeyLines; k++ {
			n = n*10 + int(s[k]-'0')
		}
		x.next.Putty = min(n, maxKeyLines)
	case hasAt(s, i-6, mac):
		at := i - 6 + len(mac)
		x.add(at, setX.run(s, at))
	}
}

// looksLikeBody says that a whole line is the Base64 of a key as PEM writes it:
// nothing but an indent before it, letters of both cases and digits or signs.
// short lets the last line of a key count, which may be of any length.
func looksLikeBody(s string, short bool) bool {
	if !short && len(s) < 60 {
		return false
	}
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if len(s) < 4 || len(s) > 80 || !short && len(s) < 60 {
		return false
	}
	if !setB.has(s[len(s)/2]) || setB.run(s, 0) != len(s) {
		return false
	}
	if short && len(s) < 60 {
		return true
	}
	g, _ := of(s)
	return g&(lowAF|lowGZ) != 0 && g&(upAF|upGZ) != 0 && g&(digit|plus|slash) != 0
}

// isKeyEnd says that a line ends a private key.
func isKeyEnd(s string) bool {
	k := strings.Index(s, "-----END ")
	return k >= 0 && strings.Contains(s[k:], "PRIVATE KEY")
}
