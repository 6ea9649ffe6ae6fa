package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"offstage/redact"
)

// TestPatterns: redact.patterns in every form and layer; they add up, so that a
// project's file cannot show what its person hides (spec 5, C1).
func TestPatterns(t *testing.T) {
	user := write(t, "theme = \"dark\"\n[redact]\npatterns = [\"acme_\", \"corp-key-{32}\"]\n")
	project := write(t, "redact.patterns = \"acme_ inhouse-{4}\"\n")
	empty := write(t, "[redact]\npatterns = []\n")
	s, wrong := Load([]Layer{{Path: user}, {Path: project}, {Path: empty}}, func(k string) string {
		return map[string]string{"OFFSTAGE_REDACT_PATTERNS": "env_,env2_"}[k]
	})
	want := []redact.Pattern{{Prefix: "acme_", Min: 8}, {Prefix: "corp-key-", Min: 32}, {Prefix: "inhouse-", Min: 4}, {Prefix: "env_", Min: 8}, {Prefix: "env2_", Min: 8}}
	if !slices.Equal(s.Patterns, want) || s.Theme != "dark" || len(wrong) > 0 {
		t.Errorf("got %+v, %q", s.Patterns, wrong)
	}
}

// TestWrongPatterns: one sentence each with file, line and what is allowed; the
// good ones hold (spec 5).
func TestWrongPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"[redact]\npatterns = [\"ac\", \"acme_\"]\n":        `:2: redact.patterns: unusable pattern "ac": a prefix has 3 to 256 characters; it is left out`,
		"\nredact.patterns = [\"acme_\", \"x y z\"]\n":      `:2: redact.patterns: unusable pattern "x y z": a prefix is printable ASCII without blanks`,
		"redact.patterns = [\"acme_\", \"abcd{0}\"]\n":      `:1: redact.patterns: unusable pattern "abcd{0}": in braces stands a number from 1 to 256`,
		"redact.patterns = [\"acme_\", 3]\n":                `:1: redact.patterns: a list such as ["acme_", "corp-key-{32}"] is wanted`,
		"redact.patterns = 3\n":                             `:1: redact.patterns: a list such as`,
		"redact.patterns = [\"acme_\"]\nredact.level = 3\n": `:2: there is no setting redact.level`,
		"redact = 3\n": `:1: there is no setting redact`,
	} {
		s, wrong := Load([]Layer{{Path: write(t, text)}}, none)
		if len(wrong) != 1 || !strings.Contains(wrong[0], want) {
			t.Errorf("%q: %q, want %q", text, wrong, want)
		}
		if bad := strings.Contains(text, "3]") || strings.Contains(text, "= 3\n") && !strings.Contains(text, "level"); !bad && len(s.Patterns) != 1 {
			t.Errorf("%q: the good pattern is lost: %+v", text, s.Patterns)
		}
	}
	var many []string
	for i := range maxPatterns + 5 {
		many = append(many, fmt.Sprintf("%q", fmt.Sprint("pre", i, "_")))
	}
	s, wrong := Load([]Layer{{Path: write(t, "redact.patterns = ["+strings.Join(many, ",")+"]")}}, none)
	if len(s.Patterns) != maxPatterns || len(wrong) != 1 || !strings.Contains(wrong[0], "at most 100") {
		t.Errorf("%d patterns, %q", len(s.Patterns), wrong)
	}
}
