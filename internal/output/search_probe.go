package output

import (
	"bytes"
)

// probe looks for one word in bytes by its rarest letter: the speed is that of
// finding a byte. What is rare it learns from the bytes themselves, for a log of
// numbers has other rare letters than one of prose.
type probe struct {
	word string
	fold bool // the word is in lower case, the bytes may be in either
	// learned: at is the place of the rarest byte in the word.
	learned bool
	at      int
}

// in says whether b holds the word.
func (p *probe) in(b []byte) bool {
	if len(b) < len(p.word) {
		return false
	}
	if !p.learned {
		p.learn(b)
	}
	c := p.word[p.at]
	if p.has(b, c) {
		return true
	}
	up := upper(c)
	return p.fold && up != c && p.has(b, up)
}

// has looks for the word with its letter at p.at as c.
func (p *probe) has(b []byte, c byte) bool {
	last := len(b) - len(p.word) + p.at
	for i := p.at; i <= last; i++ {
		j := bytes.IndexByte(b[i:last+1], c)
		if j < 0 {
			return false
		}
		i += j
		if at := i - p.at; p.is(b[at : at+len(p.word)]) {
			return true
		}
	}
	return false
}

func (p *probe) is(b []byte) bool {
	if !p.fold {
		return string(b) == p.word
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != p.word[i] {
			return false
		}
	}
	return true
}

// learn chooses the letter of the word that b has least of.
func (p *probe) learn(b []byte) {
	const sample = 16 << 10
	var seen [256]int
	for _, c := range b[:min(len(b), sample)] {
		seen[c]++
	}
	p.learned, p.at = len(b) >= sample, 0
	best := 1 << 30
	for i := range len(p.word) {
		c := p.word[i]
		n := seen[c]
		if up := upper(c); p.fold && up != c {
			n += seen[up] + 1 // a second pass
		}
		if n < best {
			best, p.at = n, i
		}
	}
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
