package redact

import (
	"errors"
	"testing"
)

// TestParsePattern: the forms of the setting redact.patterns.
func TestParsePattern(t *testing.T) {
	for _, c := range []struct {
		text string
		want Pattern
		bad  bool
	}{
		{"acme_", Pattern{"acme_", 8}, false},
		{"acme_{32}", Pattern{"acme_", 32}, false},
		{"corp-key:{1}", Pattern{"corp-key:", 1}, false},
		{"", Pattern{}, true}, {"ab", Pattern{}, true}, {"ab{3}", Pattern{}, true}, {"acme_{", Pattern{}, true}, {"acme_{}", Pattern{}, true},
		{"acme_{0}", Pattern{}, true}, {"acme_{999}", Pattern{}, true}, {"acme_{x}", Pattern{}, true}, {"ac me_", Pattern{}, true},
		{"acmé_", Pattern{}, true},
	} {
		got, err := ParsePattern(c.text)
		if got != c.want || (err != nil) != c.bad || c.bad && !errors.Is(err, ErrPattern) {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
	}
	if ps, err := ParsePatterns([]string{"acme_", "x", "corp-{4}"}); len(ps) != 2 || !errors.Is(err, ErrPattern) {
		t.Errorf("%v, %v", ps, err)
	}
}

// TestOwnPatterns: a user's own pattern is hidden wherever it stands, beside the
// built-in rules, and what is too short stays.
func TestOwnPatterns(t *testing.T) {
	ps, err := ParsePatterns([]string{"acme_{12}", "corp-key:{4}"})
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{Patterns: ps})
	for _, c := range []struct{ in, want string }{
		{"using acme_0123456789ab now", "using " + Mark + " now"},
		{"using acme_0123 now", "using acme_0123 now"},
		{"acme_acme_acme_acme_", Mark},
		{`{"x":"acme_0123456789ab"}`, `{"x":"` + Mark + `"}`},
		{"corp-key:abcd, password=x9", Mark + ", password=" + Mark},
		{"nothing here", "nothing here"},
	} {
		if got := r.Line(c.in); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	if got := string(r.Write([]byte("a acme_01\x1b[1m23456789ab b\n"))); got != "a "+Mark+"\x1b[1m b\n" {
		t.Errorf("coloured: %q", got)
	}
}
