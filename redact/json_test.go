package redact

import (
	"encoding/json"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestJSONParses: a document that parses still does when a token of any shape, or
// a value behind a telling name, stands in it at any depth of quoting (C4).
func TestJSONParses(t *testing.T) {
	rnd := rand.New(rand.NewSource(6))
	for i := range shapes {
		tok := shapes[i].make(rnd)
		for _, name := range []string{"x", "token", "client_secret", "Authorization", "cookie", "url"} {
			for _, value := range []any{tok, "Bearer " + tok, "https://bob:" + tok + "@h.test/?sig=" + tok + "&x=1", "a=" + tok + "; b=" + tok,
				[]string{tok, "plain"}, map[string]any{"password": tok, "n": 1}} {
				checkJSON(t, name, value)
			}
		}
	}
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if got := String(c.In); json.Valid([]byte(c.In)) && !json.Valid([]byte(got)) {
				t.Errorf("%s: %.200q no longer parses: %.200q", c.ID, c.In, got)
			}
			checkJSON(t, "message", c.In)
		}
	}
	for _, in := range []string{`{"password":12345678901}`, `{"token": 1234567.5}`, `[{"pin":1},{"secret":true,"a":-7e9}]`,
		`{"password":null,"api_key":[1,2]}`, `{"passwords":[],"token":{}}`, `{"token":[["a"]]}`} {
		if got := String(in); !json.Valid([]byte(got)) {
			t.Errorf("%s became %s", in, got)
		}
	}
}

// checkJSON wraps name and value three deep and asks whether all still parses.
func checkJSON(t *testing.T, name string, value any) {
	t.Helper()
	for range 3 {
		one, err := json.Marshal(map[string]any{name: value, "b": 1})
		if err != nil {
			return
		}
		in := string(one)
		got := String(in)
		if !json.Valid([]byte(got)) {
			t.Errorf("%.300s\nno longer parses:\n%.300s", in, got)
			return
		}
		value = in
	}
}

// FuzzJSON: whatever the name and the value are.
func FuzzJSON(f *testing.F) {
	for _, c := range samples(f, "kinds.jsonl") {
		if len(c.In) < 300 {
			f.Add("password", c.In)
			f.Add(c.In, "Qz7xWm4kRt9vLp2s")
		}
	}
	f.Fuzz(func(t *testing.T, name, value string) { checkJSON(t, name, value) })
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// TestColoursKept: the colours of a text come out as they were, in their order,
// wherever they stand in a secret (C8).
func TestColoursKept(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if len(c.In) > 1500 || strings.ContainsAny(c.In, "\x1b\b\u009b") {
				continue
			}
			var b strings.Builder
			for i, r := range c.In {
				if rnd.Intn(8) == 0 && i > 0 {
					b.WriteString([...]string{"\x1b[31m", "\x1b[0m", "\x1b[1;38;5;8m"}[rnd.Intn(3)])
				}
				b.WriteRune(r)
			}
			in := b.String()
			got := String(in)
			if a, b := sgr.FindAllString(in, -1), sgr.FindAllString(got, -1); !slices.Equal(a, b) {
				t.Errorf("%s: colours %q became %q in %.300q", c.ID, a, b, got)
			}
			if a, b := strings.Count(in, "\n"), strings.Count(got, "\n"); a != b {
				t.Errorf("%s: %d lines became %d", c.ID, a, b)
			}
		}
	}
}
