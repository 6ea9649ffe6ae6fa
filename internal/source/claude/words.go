package claude

import (
	"encoding/json"
	"sort"
	"strings"
	"unicode"
)

// clean makes one row of plain text: no control bytes, tabs as blanks.
func clean(s string) string {
	s = strings.TrimRight(s, "\r\n")
	plain := true
	for _, r := range s {
		plain = plain && r >= ' ' && r != 0x7f && (r < 0x80 || !unicode.IsControl(r)) && r != unicode.ReplacementChar
	}
	if plain {
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

// stripEscapes removes terminal sequences, which tools put into their output:
// CSI, OSC and two-byte ones.
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

// sayings are the arguments that say most, by tool; others are searched in
// the order of common.
var sayings = map[string]string{
	"Bash": "command", "PowerShell": "command", "Monitor": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path",
	"MultiEdit": "file_path", "NotebookEdit": "notebook_path", "Glob": "pattern", "Grep": "pattern", "LS": "path",
	"WebFetch": "url", "WebSearch": "query", "Agent": "description", "Task": "description", "Skill": "skill",
	"TaskStop": "task_id", "TaskOutput": "task_id", "KillShell": "shell_id", "SendMessage": "summary", "TaskCreate": "subject",
	"TaskUpdate": "taskId", "TaskGet": "taskId", "Workflow": "name", "ToolSearch": "query",
}

var common = []string{"command", "file_path", "path", "pattern", "query", "url", "description", "name", "id", "prompt"}

// headline is the one argument of a call that says most, on one row.
func headline(tool string, input json.RawMessage) string {
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	if v := short(in[sayings[tool]]); v != "" {
		return v
	}
	for _, k := range common {
		if v := short(in[k]); v != "" {
			return v
		}
	}
	keys := make([]string, 0, len(in))
	for k := range in {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if v := short(in[k]); v != "" {
			return v
		}
	}
	return ""
}

func short(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || string(raw) == "null" {
		return ""
	}
	v := string(raw)
	if raw[0] == '"' {
		v = str(raw)
	}
	v = strings.Join(strings.Fields(clean(v)), " ")
	if len(v) > 300 {
		v = strings.ToValidUTF8(v[:300], "") + "…"
	}
	return v
}
