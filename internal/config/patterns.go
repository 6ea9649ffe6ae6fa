package config

import (
	"fmt"
	"slices"
	"strings"

	"offstage/redact"
)

// The setting redact.patterns: a list of forms, in the environment one text with
// commas or blanks between them.
const (
	patternsKey = "redact.patterns"
	patternsEnv = "OFFSTAGE_REDACT_PATTERNS"
	// maxPatterns bounds the list: each is looked for in every row.
	maxPatterns = 100
)

const patternsForm = `a list such as ["acme_", "corp-key-{32}"] is wanted: a beginning, and in braces the least number of characters that follow`

// takePatterns takes the value of redact.patterns out of a file's settings.
func takePatterns(doc map[string]any) (any, bool) {
	table, ok := doc["redact"].(map[string]any)
	if !ok {
		return nil, false
	}
	v, ok := table["patterns"]
	delete(table, "patterns")
	return v, ok
}

// readPatterns adds the patterns of one layer; at is its place. One that cannot be
// used is one sentence, the others hold.
func (s *Settings) readPatterns(at string, v any) (wrong []string) {
	texts, ok := patternTexts(v)
	if !ok {
		return []string{at + ": " + patternsKey + ": " + patternsForm + "; it is left out"}
	}
	for _, text := range texts {
		p, err := redact.ParsePattern(text)
		switch {
		case err != nil:
			wrong = append(wrong, at+": "+patternsKey+": "+err.Error()+"; it is left out")
		case slices.Contains(s.Patterns, p):
		case len(s.Patterns) >= maxPatterns:
			return append(wrong, fmt.Sprintf("%s: %s: at most %d patterns are taken; %q and what follows is left out", at, patternsKey, maxPatterns, text))
		default:
			s.Patterns, s.origin[patternsKey] = append(s.Patterns, p), at
		}
	}
	return wrong
}

// patternTexts are the texts of a value: a list of texts, or one text.
func patternTexts(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }), true
	case []any:
		var out []string
		for _, x := range v {
			text, ok := x.(string)
			if !ok {
				return nil, false
			}
			out = append(out, text)
		}
		return out, true
	}
	return nil, false
}
