package redact

// set is a set of bytes; each bit is a group of bytes that no alphabet splits.
// Every byte is in one group.
type set uint32

const (
	lowAF set = 1 << iota
	lowGZ
	upAF
	upGZ
	digit
	dash
	under
	plus
	slash
	equal
	dot
	tilde
	percent
	colon
	paren  // ( and )
	angle  // < and >
	bang   // !
	dollar // $
	query  // ?
	other  // every byte that is in no group above
)

// The alphabets of token shapes, by the letter that the table uses for them.
const (
	setL  = lowAF | lowGZ | digit         // L: lower-case letters and digits
	setH  = lowAF | digit                 // H: lower-case hex
	setC  = upAF | upGZ | digit           // C: capitals and digits
	setD  = digit                         // D: digits
	setA  = setL | setC                   // A: letters and digits
	setU  = setA | dash | under           // U: Base64 for URLs
	setB  = setA | plus | slash | equal   // B: Base64
	setW  = setA | under                  // W: a word
	setX  = setH | upAF                   // X: hex of either case
	setV  = setU | dot                    // V: U and dots
	setE  = setU | dot | equal | plus     // E: V, padding and plus
	setP  = setU | percent | plus | slash // P: percent-encoded Base64
	setT  = setU | dot | tilde            // T: V and tilde
	setY  = setB | dash | under | dot     // Y: either Base64 and dots
	setN  = lowAF | lowGZ | upAF | upGZ   // N: letters alone
	ident = setU | dot                    // of a name
	known = ident | plus | slash | equal | tilde | percent | colon
)

var groups = func() (t [256]set) {
	for c := 0; c < 256; c++ {
		b := byte(c)
		switch {
		case b >= 'a' && b <= 'f':
			t[c] = lowAF
		case b >= 'g' && b <= 'z':
			t[c] = lowGZ
		case b >= 'A' && b <= 'F':
			t[c] = upAF
		case b >= 'G' && b <= 'Z':
			t[c] = upGZ
		case b >= '0' && b <= '9':
			t[c] = digit
		default:
			t[c] = other
		}
	}
	for b, g := range map[byte]set{'-': dash, '_': under, '+': plus, '/': slash, '=': equal,
		'.': dot, '~': tilde, '%': percent, ':': colon, '(': paren, ')': paren, '<': angle, '>': angle, '!': bang,
		'$': dollar, '?': query} {
		t[b] = g
	}
	return t
}()

func (g set) has(b byte) bool { return groups[b]&g != 0 }

// run gives the end of the run of g in s that starts at i.
func (g set) run(s string, i int) int {
	for i < len(s) && groups[s[i]]&g != 0 {
		i++
	}
	return i
}

// runMax is run that looks no further than limit bytes.
func (g set) runMax(s string, i, limit int) int {
	for end := min(len(s), i+limit); i < end && groups[s[i]]&g != 0; {
		i++
	}
	return i
}

// back gives the start of the run of g in s that ends at i, at most limit long.
func (g set) back(s string, i, limit int) int {
	low := max(0, i-limit)
	for i > low && groups[s[i-1]]&g != 0 {
		i--
	}
	return i
}

// of gives the groups of bytes that s is made of; ok is false when a byte of s
// does not occur in tokens.
func of(s string) (g set, ok bool) {
	for i := 0; i < len(s); i++ {
		g |= groups[s[i]]
	}
	return g, g&^known == 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func isLetter(b byte) bool { return setN.has(b) }

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isLower(b byte) bool { return b >= 'a' && b <= 'z' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func lower(b byte) byte {
	if isUpper(b) {
		return b + 'a' - 'A'
	}
	return b
}

// blanks gives the first place from i on that is not a blank.
func blanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// foldAt says whether word, which is lower case, stands in s at i in any case.
func foldAt(s string, i int, word string) bool {
	if i < 0 || len(s)-i < len(word) {
		return false
	}
	for j := 0; j < len(word); j++ {
		if lower(s[i+j]) != word[j] {
			return false
		}
	}
	return true
}

// hasAt says whether word stands in s at i.
func hasAt(s string, i int, word string) bool {
	return i >= 0 && len(s)-i >= len(word) && s[i:i+len(word)] == word
}

// varied says that s is hardly a word: a digit beside letters, or capitals
// inside it. It is asked only where a telling place has been seen before.
func varied(s string) bool {
	var g set
	for i := 0; i < len(s); i++ {
		g |= groups[s[i]]
		if g&digit != 0 && g&setN != 0 || i > 0 && isUpper(s[i]) && isLower(s[i-1]) {
			return true
		}
	}
	return false
}
