package redact

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

func seeds(f *testing.F) {
	for _, file := range files() {
		for _, c := range samples(f, file) {
			if len(c.In) < 1500 {
				f.Add(c.In, uint8(len(c.In)%17))
			}
		}
	}
	for _, s := range []string{"", "\r", "\n", "\x1b[", "\x1b]8;;", "a\b\b\bb", "\xc2", "\xe2\x80", "\x9b31m", "token=\x1b", "-----BEGIN PRIVATE KEY-----\nx",
		"key key key", "://:@", "a://b:c", "password: |\n  x\n", "${", "{{", "\\\\\\\"", "Authorization:", "Cookie: =;=", "eyJ.", "<password>", "curl -u"} {
		f.Add(s, uint8(3))
	}
}

// FuzzFilter: no bytes make it panic; any cutting gives the same; what comes out
// is not longer than the Marks make it; masking twice is masking once; the same
// line feeds come out.
func FuzzFilter(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in string, n uint8) {
		whole := String(in)
		if got := filter(in, int(n)+1); got != whole {
			t.Fatalf("in pieces of %d: %q, whole %q", int(n)+1, got, whole)
		}
		if a, b := strings.Count(in, "\n"), strings.Count(whole, "\n"); a != b {
			t.Fatalf("%d line feeds became %d: %q", a, b, whole)
		}
		if again := String(whole); again != whole {
			t.Fatalf("in %q\nonce  %q\ntwice %q", in, whole, again)
		}
		if utf8.ValidString(in) && !utf8.ValidString(whole) {
			t.Fatalf("a character was cut: %q", whole)
		}
	})
}

// FuzzLine: Ranges are in order and apart, and say the same as Line; the state
// can be stored and put back; Live hides at least what it says and never panics.
func FuzzLine(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in string, _ uint8) {
		a, b := New(Options{}), New(Options{})
		for _, l := range strings.Split(in, "\n") {
			c := New(Options{})
			c.Restore(a.Save())
			live := b.Live(l)
			if a.Save() != b.Save() {
				t.Fatalf("Live moved the state at %q", l)
			}
			fresh := a.fresh
			rs := a.Ranges(l)
			want := b.Line(l)
			if got := Apply(l, rs); got != want {
				t.Fatalf("ranges %v give %q, line %q", rs, got, want)
			}
			if got := c.Line(l); got != want && !fresh {
				t.Fatalf("after Restore %q, else %q", got, want)
			}
			at := 0
			for _, g := range append(rs, Range{len(l), len(l) + 1}) {
				if g.Start < at || g.End <= g.Start {
					t.Fatalf("ranges %v of %q", rs, l)
				}
				at = g.End
			}
			if s := Apply(l, live); strings.Contains(s, "\n") {
				t.Fatalf("live row %q", s)
			}
		}
	})
}

// FuzzPlanted puts a secret of each way of telling one into any text: nothing of
// it survives any cut.
func FuzzPlanted(f *testing.F) {
	seeds(f)
	rnd := rand.New(rand.NewSource(4))
	var plants []string
	for i := range shapes {
		plants = append(plants, " "+shapes[i].make(rnd)+" ")
	}
	const secret = "Qz7xWm4kRt9vLp2s"
	for _, p := range []string{"\nAPI_TOKEN=%\n", "\n{\"password\":\"%\"}\n", "\npostgres://app:%@db/app\n", "\nAuthorization: Bearer %\n",
		"\ncurl -u bob:% x\n", "\n  client_secret: %\n", "\nx --token % y\n", "\nCookie: sid=%; b=%\n", "\nhttps://h.test/?sig=%&x=1\n"} {
		plants = append(plants, strings.ReplaceAll(p, "%", secret))
	}
	f.Fuzz(func(t *testing.T, in string, n uint8) {
		plant := plants[(len(in)*7+int(n))%len(plants)]
		at := 0
		if len(in) > 0 {
			at = int(n) % len(in)
		}
		// A quote or a bracket that is open before the plant, or an escape that
		// swallows it, is another text than the one planted.
		head := strings.NewReplacer("\x1b", "", "\u009b", "", "\x9b", "").Replace(in[:at]) + "\n"
		text := head + plant + "\n" + in[at:]
		got := filter(text, int(n)%9+1)
		value := strings.TrimSpace(plant)
		if strings.Contains(plant, secret) {
			value = secret
		}
		if strings.Contains(in, value) {
			return
		}
		if strings.Contains(got, value) {
			t.Fatalf("%q survives in %q", value, got)
		}
	})
}
