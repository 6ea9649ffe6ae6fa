package redact

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// members gives the characters of an alphabet, letters and digits first.
func members(g set) string {
	var b strings.Builder
	for c := byte('0'); c < 0x7f; c++ {
		if g.has(c) && setA.has(c) {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// make builds a token of the shape that holds a digit and a capital inside where
// the alphabet has them.
func (h *shape) make(rnd *rand.Rand) string {
	var b strings.Builder
	b.WriteString(h.prefix)
	for _, g := range h.segs {
		if g.lit != "" {
			b.WriteString(g.lit)
			continue
		}
		all := members(g.alphabet)
		for i := range g.min {
			switch {
			case i == 1 && g.alphabet.has('7'):
				b.WriteByte('7')
			case i == 3 && g.alphabet.has('c'):
				b.WriteByte('c')
			default:
				b.WriteByte(all[rnd.Intn(len(all))])
			}
		}
	}
	return b.String()
}

// carriers are places in which a token may stand; %s is the token.
var carriers = []string{
	"%s", "using %s now", "X=%s", "export X=\"%s\"", "{\"x\":\"%s\"}", "{\"a\":\"{\\\"x\\\":\\\"%s\\\"}\"}", "x: %s",
	"> X-Custom: %s", "https://h.test/a?x=%s&b=1", "https://h.test/%s", "'%s'", "(%s)", "[%s]", "<%s>", "%s, and more",
	"tool --x %s --y", "\x1b[31m%s\x1b[0m", "a\x1b[1m%s", "x=%s\r", "line\\n%s\\n", "x\t%s\ty", "Bearer %s",
}

// TestShapes puts a token of every shape of the table into every carrier (C1).
func TestShapes(t *testing.T) {
	if n := len(shapes); n < 170 {
		t.Fatalf("%d shapes, want 170 or more", n)
	}
	rnd := rand.New(rand.NewSource(1))
	for i := range shapes {
		h := &shapes[i]
		tok := h.make(rnd)
		for _, c := range carriers {
			in, want := fmt.Sprintf(c, tok), fmt.Sprintf(c, Mark)
			if got := String(in); got != want {
				t.Errorf("%s%s in %q: %q, want %q", h.prefix, h.tail, c, got, want)
			}
		}
	}
}

// TestShapesColoured puts a colour change into the middle of a token (C8): no
// part of it may be left, and the escape stays.
func TestShapesColoured(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	for i := range shapes {
		tok := shapes[i].make(rnd)
		for _, k := range []int{1, len(tok) / 2, len(tok) - 1} {
			in := "a " + tok[:k] + "\x1b[7m" + tok[k:] + "\x1b[0m b"
			if got, want := String(in), "a "+Mark+"\x1b[7m\x1b[0m b"; got != want {
				t.Errorf("%s cut at %d: %q", shapes[i].prefix, k, got)
			}
			in = "a " + tok[:k] + "x\b" + tok[k:] + " b"
			if got := String(in); leaks(tok, got) {
				t.Errorf("%s with a backspace at %d leaves %q", shapes[i].prefix, k, got)
			}
		}
	}
}

// TestLiveShapes: while a token grows at the end of a live row, no six characters
// of its secret part are shown.
func TestLiveShapes(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	for i := range shapes {
		h := &shapes[i]
		tok := h.make(rnd)
		secret := tok[len(h.prefix):]
		for k := 1; k <= len(secret); k++ {
			row := "using " + h.prefix + secret[:k]
			if got := Apply(row, Live(row)); k >= 6 && strings.Contains(got, secret[:6]) {
				t.Errorf("%s after %d: %q", h.prefix, k, got)
				break
			}
		}
	}
}

// leaks says that six characters in a row of the secret stand in text.
func leaks(secret, text string) bool {
	for i := 0; i+6 <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+6]) {
			return true
		}
	}
	return false
}
