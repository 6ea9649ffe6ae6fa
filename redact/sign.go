package redact

// sign is what stands between a name and its value.
type sign struct {
	form byte // '=', ':', 'w' (:=), '>' (=> or an arrow), '<' (XML: <name>), ' ' (a blank)
	// pre and post say that blanks stood before and behind it.
	pre, post bool
	// quoted: the name stood in quotes.
	quoted bool
	// coded: the sign was written %3D, &#61; or \u003d.
	coded bool
	// at is where the value starts.
	at int
}

// afterSign is not 0 for bytes behind = or : that may make another sign of it.
var afterSign = func() (t [256]uint8) {
	for _, b := range []byte("=>~:") {
		t[b] = 1
	}
	return t
}()

// sign reads what follows the name that ends at i.
func (x *scan) sign(i int) (g sign, ok bool) {
	s := x.s
	if i >= len(s) {
		return g, false
	}
	switch c := s[i]; c { // most names end so: nothing to see
	case '=', ':':
		if i+1 < len(s) && afterSign[s[i+1]] == 0 {
			g.form, g.at = c, i+1
			if isBlank(s[i+1]) {
				g.at, g.post = blanks(s, i+2), true
			}
			return g, true
		}
	case ' ', '"', '\'', '\\', ']', '\t', '%', '&', '?', '>', '`', ')', '!', '\xe2', '+', '|':
	default:
		return g, false
	}
	i = x.closeName(i, &g)
	j := blanks(s, i)
	g.pre = j > i
	n := 0
	g.form, n, g.coded = signAt(s, j)
	if n == 0 {
		return g, false
	}
	j += n
	g.at = blanks(s, j)
	g.post = g.at > j
	return g, true
}

// closeName skips what may close a name: quotes, brackets, the ? of an optional
// field, a number (Unseal Key 1).
func (x *scan) closeName(i int, g *sign) int {
	s := x.s
	start := i
	for i < len(s) && i-start < 8 {
		switch s[i] {
		case '"', '\'', '`':
			g.quoted = true
			i++
		case '\\':
			if i+1 < len(s) && (isQuote(s[i+1]) || s[i+1] == '\\') {
				i++
				continue
			}
			return i
		case ']', '?', '!', '[':
			if s[i] == '!' && i+1 < len(s) && s[i+1] == '=' {
				return i
			}
			if s[i] == '?' && i+1 < len(s) && s[i+1] != ':' {
				return i
			}
			if s[i] == '[' && (i+1 >= len(s) || s[i+1] != ']') {
				return i
			}
			i++
		case '&':
			if !hasAt(s, i, "&quot;") {
				return i
			}
			g.quoted = true
			i += len("&quot;")
		default:
			if isBlank(s[i]) && i+2 < len(s) && isDigit(s[i+1]) && s[i+2] == ':' {
				return i + 2
			}
			return i
		}
	}
	return i
}

// signAt reads one sign; n is its length, 0 if there is none.
func signAt(s string, j int) (form byte, n int, coded bool) {
	if j >= len(s) {
		return 0, 0, false
	}
	second := byte(0)
	if j+1 < len(s) {
		second = s[j+1]
	}
	switch s[j] {
	case '=':
		switch {
		case second == '>':
			return '>', 2, false
		case second == '=' || second == '~':
			return 0, 0, false
		}
		return '=', 1, false
	case ':':
		switch {
		case second == '=':
			return 'w', 2, false
		case second == ':':
			return 0, 0, false
		}
		return ':', 1, false
	case '+', '?', '|':
		if second == '=' {
			return 'w', 2, false
		}
		if s[j] != '+' && second == s[j] && j+2 < len(s) && s[j+2] == '=' {
			return 'w', 3, false
		}
	case '%':
		if second == '3' && j+2 < len(s) && (s[j+2]|0x20 == 'd' || s[j+2]|0x20 == 'a') {
			if s[j+2]|0x20 == 'a' {
				return ':', 3, true
			}
			return '=', 3, true
		}
	case '&':
		for _, e := range [...]string{"&#61;", "&#x3d;", "&equals;"} {
			if foldAt(s, j, e) {
				return '=', len(e), true
			}
		}
	case '\\':
		if foldAt(s, j, `\u003d`) {
			return '=', 6, true
		}
		if foldAt(s, j, `\u003a`) {
			return ':', 6, true
		}
	case '\xe2':
		if hasAt(s, j, "→") {
			return '>', 3, false
		}
	}
	return 0, 0, false
}
