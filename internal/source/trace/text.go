package trace

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Clean makes one row of plain text: no terminal sequence, no control byte, tabs
// as blanks.
func Clean(s string) string {
	s = strings.TrimRight(s, "\r\n")
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(stripEscapes(s), "\ufffd"))
}

// stripEscapes removes terminal sequences, which tools put into their output.
func stripEscapes(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			i++
			continue
		}
		i = afterEscape(s, i+1)
	}
	return b.String()
}

// afterEscape is the place behind the sequence whose ESC stands before i.
func afterEscape(s string, i int) int {
	if i >= len(s) {
		return i
	}
	switch s[i] {
	case '[':
		for i++; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
	case ']', 'P', '_', '^', 'X':
		for i++; i < len(s); i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
	default:
		return i + 1
	}
	return len(s)
}

// FirstLine is the first line that says something, in one row, cut to 200 bytes.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(Clean(line)); line != "" {
			return Clip(line, 200)
		}
	}
	return ""
}

// Clip cuts s to at most n bytes on a character's border, with a mark.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// sayings are the arguments that say most of a tool call, best first.
var sayings = []string{"command", "cmd", "file_path", "path", "absolute_path", "pattern", "query", "url", "description", "message", "name", "task_id", "session_id", "id", "prompt"}

// Headline is the one argument of a tool call that says most, on one row; input
// is the call's JSON object, or a string that holds it.
func Headline(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		input = json.RawMessage(text)
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) != nil {
		return short(input, text)
	}
	for _, k := range sayings {
		if v := short(in[k], ""); v != "" {
			return v
		}
	}
	keys := make([]string, 0, len(in))
	for k := range in {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if v := short(in[k], ""); v != "" {
			return v
		}
	}
	return ""
}

// short is a plain value in one row of at most 300 bytes; otherwise stands for it
// where it is none.
func short(raw json.RawMessage, otherwise string) string {
	v := otherwise
	switch {
	case v != "" || len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || string(raw) == "null":
	case raw[0] == '"':
		_ = json.Unmarshal(raw, &v)
	default:
		v = string(raw)
	}
	return Clip(strings.Join(strings.Fields(Clean(v)), " "), 300)
}
