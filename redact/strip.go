package redact

import "unicode/utf8"

// maxSequence bounds how long an escape sequence with a text in it (OSC, DCS)
// may be; past it the introducer alone is taken as the sequence.
const maxSequence = 1 << 16

// plain is a line without what a terminal does not show: escape sequences,
// controls, invisible characters. cuts says where something was taken out.
type plain struct {
	text []byte
	cuts []cut
	// backs says that there were backspaces.
	backs bool
}

// cut says that raw bytes From to To stood before byte At of the plain text.
// Drop is set where they are no escape sequence and vanish inside a secret.
type cut struct {
	at, from, to int
	drop         bool
}

// controlAt gives the length of what strip would take out of s at i; 0 where
// there is nothing to take.
func controlAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	b := s[i]
	switch {
	case b == 0x1b:
		return escapeLen(s, i)
	case isControl(b):
		return 1
	case b < 0x80:
		return 0
	case b == 0xc2 && i+1 < len(s):
		if s[i+1] == 0xad {
			return 2
		}
		if s[i+1] == 0x9b {
			return csiLen(s, i, i+2)
		}
		if s[i+1] >= 0x80 && s[i+1] < 0xa0 {
			return 2
		}
	case b == 0xe2 && i+2 < len(s):
		c, d := s[i+1], s[i+2]
		if c == 0x80 && (d >= 0x8b && d <= 0x8f || d >= 0xaa && d <= 0xae) || c == 0x81 && d >= 0xa0 && d <= 0xaf {
			return 3
		}
	case b == 0xef && hasAt(s, i, "\xef\xbb\xbf"):
		return 3
	case b < 0xa0 && strayByte(s, i):
		if b == 0x9b {
			return csiLen(s, i, i+1)
		}
		return 1
	}
	return 0
}

// strayByte says that the continuation byte at i belongs to no character.
func strayByte(s string, i int) bool {
	for k := i - 1; k >= 0 && i-k < utf8.UTFMax; k-- {
		if s[k] >= 0xc0 {
			r, n := utf8.DecodeRuneInString(s[k:])
			return r == utf8.RuneError && n <= 1 || k+n <= i
		}
		if s[k] < 0x80 {
			return true
		}
	}
	return true
}

// escapeLen measures the sequence that the ESC at i starts; an unfinished one
// reaches to the end of s.
func escapeLen(s string, i int) int {
	if i+1 >= len(s) {
		return 1
	}
	switch c := s[i+1]; {
	case c == '[':
		return csiLen(s, i, i+2)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return stringLen(s, i)
	case c == 'N' || c == 'O':
		return min(3, len(s)-i)
	case c >= 0x20 && c < 0x30:
		j := i + 2
		for j < len(s) && s[j] >= 0x20 && s[j] < 0x30 {
			j++
		}
		return min(j+1, len(s)) - i
	case c >= 0x30 && c < 0x7f:
		return 2
	}
	return 1
}

func csiLen(s string, i, at int) int {
	for at < len(s) && s[at] >= 0x20 && s[at] < 0x40 {
		at++
	}
	if at < len(s) && s[at] >= 0x40 && s[at] < 0x7f {
		at++
	}
	return at - i
}

// stringLen measures OSC, DCS and their kin: to BEL, ST, or the next ESC.
func stringLen(s string, i int) int {
	end := min(len(s), i+maxSequence)
	for j := i + 2; j < end; j++ {
		switch {
		case s[j] == 0x07:
			return j + 1 - i
		case s[j] == 0x1b:
			if j+1 < len(s) && s[j+1] == '\\' {
				return j + 2 - i
			}
			return j - i
		}
	}
	if end < len(s) {
		return 2
	}
	return end - i
}

// strip fills p with s as it reads. With apply a backspace takes back the
// character before it, as a terminal shows it; without, it is only left out.
func (p *plain) strip(s string, apply bool) {
	p.text, p.cuts, p.backs = p.text[:0], p.cuts[:0], false
	for i := 0; i < len(s); {
		n := controlAt(s, i)
		if n == 0 {
			p.text = append(p.text, s[i])
			i++
			continue
		}
		from := i
		if s[i] == '\b' {
			p.backs = true
			if apply && len(p.text) > 0 {
				from = p.unwrite(s)
			}
		}
		p.cut(cut{at: len(p.text), from: from, to: i + n, drop: n == 1 || s[i] != 0x1b && s[i] != 0x9b && (s[i] != 0xc2 || n == 2)})
		i += n
	}
}

// cut notes c; what was cut at the same place before becomes one with it where
// both are of a kind.
func (p *plain) cut(c cut) {
	for len(p.cuts) > 0 {
		before := &p.cuts[len(p.cuts)-1]
		if before.at <= c.at && before.to <= c.from {
			if before.at == c.at && before.to == c.from && before.drop == c.drop {
				before.to = c.to
				return
			}
			break
		}
		c.from = min(c.from, before.from)
		p.cuts = p.cuts[:len(p.cuts)-1]
	}
	p.cuts = append(p.cuts, c)
}

// unwrite takes the last character back and gives the raw offset where it was.
func (p *plain) unwrite(s string) int {
	_, n := utf8.DecodeLastRune(p.text)
	at := p.raw(len(p.text) - n)
	p.text = p.text[:len(p.text)-n]
	return at
}

// raw gives the offset in the raw line of byte i of the plain text.
func (p *plain) raw(i int) int {
	for k := len(p.cuts) - 1; k >= 0; k-- {
		if p.cuts[k].at <= i {
			return p.cuts[k].to + i - p.cuts[k].at
		}
	}
	return i
}

// rawBack is raw for offsets that come from the back; k is the cut to look at
// first, and is given back for the next call.
func (p *plain) rawBack(i, k int) (raw, next int) {
	for k >= 0 && p.cuts[k].at > i {
		k--
	}
	if k < 0 {
		return i, k
	}
	return p.cuts[k].to + i - p.cuts[k].at, k
}

// broken says whether something stood before byte i of the plain text.
func (p *plain) broken(i int) bool {
	lo, hi := 0, len(p.cuts)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.cuts[mid].at < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(p.cuts) && p.cuts[lo].at == i
}
