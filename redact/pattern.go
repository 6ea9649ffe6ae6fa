package redact

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrPattern is the error of a pattern that cannot be used.
var ErrPattern = errors.New("unusable pattern")

// Bounds of a user's pattern: a prefix of fewer characters would hide words, and
// Min is minTail where none is given.
const (
	minPrefix  = 3
	minTail    = 8
	maxPattern = 256
)

// ParsePattern reads a pattern as the setting redact.patterns has it: a prefix
// ("acme_"), or a prefix and the least number of characters that follow it
// ("acme_{32}"); 8 where no number is given. The error is ErrPattern and says
// what is wrong with the text.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{Prefix: text, Min: minTail}
	if prefix, rest, ok := strings.Cut(text, "{"); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(rest, "}"))
		if err != nil || !strings.HasSuffix(rest, "}") || n < 1 || n > maxPattern {
			return Pattern{}, fmt.Errorf("%w %q: in braces stands a number from 1 to %d", ErrPattern, text, maxPattern)
		}
		p = Pattern{Prefix: prefix, Min: n}
	}
	switch {
	case len(p.Prefix) < minPrefix || len(p.Prefix) > maxPattern:
		return Pattern{}, fmt.Errorf("%w %q: a prefix has %d to %d characters", ErrPattern, text, minPrefix, maxPattern)
	case strings.ContainsFunc(p.Prefix, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return Pattern{}, fmt.Errorf("%w %q: a prefix is printable ASCII without blanks", ErrPattern, text)
	}
	return p, nil
}

// ParsePatterns reads all patterns of a setting. One that cannot be used takes
// none of the others with it: the good ones are given beside the joined errors.
func ParsePatterns(texts []string) (ps []Pattern, err error) {
	for _, t := range texts {
		p, wrong := ParsePattern(t)
		if wrong != nil {
			err = errors.Join(err, wrong)
			continue
		}
		ps = append(ps, p)
	}
	return ps, err
}
