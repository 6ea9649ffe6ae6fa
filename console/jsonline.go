package console

import (
	"encoding/json"
	"strings"

	"offstage/task"
)

// A line of a JSON log is shown as "level message key=value" (B15): the level
// colours its own word only, times stand last. What is no log line (neither a
// level nor a message) is left as it is.

// field is one member of the object: its key and its value, a string without
// quotes, anything else as it is written.
type field struct{ key, value string }

// mostFields bounds what is looked at in one line.
const mostFields = 100

// jsonFields reads the members of an object that is all of a text.
func jsonFields(s string) []field {
	s = strings.TrimSpace(s)
	if len(s) < 7 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil
	}
	var out []field
	for i := 1; ; {
		i = blanks(s, i)
		if i < len(s) && s[i] == '}' && i == len(s)-1 && len(out) > 0 {
			return out
		}
		key, n, ok := jsonValue(s, i)
		if !ok || s[i] != '"' || len(out) >= mostFields {
			return nil
		}
		if i = blanks(s, i+n); i >= len(s) || s[i] != ':' {
			return nil
		}
		i = blanks(s, i+1)
		value, n, ok := jsonValue(s, i)
		if !ok {
			return nil
		}
		out = append(out, field{key, value})
		if i = blanks(s, i+n); i < len(s) && s[i] == ',' {
			i++
		} else if i != len(s)-1 {
			return nil
		}
	}
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// jsonValue reads one value at i and gives its length.
func jsonValue(s string, i int) (value string, n int, ok bool) {
	if i >= len(s) {
		return "", 0, false
	}
	if s[i] == '"' {
		end := stringEnd(s, i)
		if end < 0 {
			return "", 0, false
		}
		value = s[i+1 : end]
		if strings.IndexByte(value, '\\') >= 0 {
			var text string
			if json.Unmarshal([]byte(s[i:end+1]), &text) != nil {
				return "", 0, false
			}
			value = word(strings.ReplaceAll(text, "\n", "⏎"))
		}
		return value, end + 1 - i, true
	}
	depth := 0
	for j := i; j < len(s); j++ {
		switch s[j] {
		case '"':
			if j = stringEnd(s, j); j < 0 {
				return "", 0, false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s[i:j], j - i, j > i
			}
			depth--
		case ',', ' ', '\t':
			if depth == 0 {
				return s[i:j], j - i, j > i
			}
		}
	}
	return "", 0, false
}

// stringEnd is the place of the quote that ends the string at i, −1 for none.
func stringEnd(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return j
		}
	}
	return -1
}

// The keys that loggers use (bunyan, pino, zap, zerolog, slog, logrus, structlog,
// python-json-logger, ECS, Google Cloud).
var (
	levelKeys   = map[string]bool{"level": true, "lvl": true, "severity": true, "levelname": true, "log.level": true, "loglevel": true}
	messageKeys = map[string]bool{"msg": true, "message": true, "@message": true, "event": true}
	timeKeys    = map[string]bool{"time": true, "ts": true, "timestamp": true, "@timestamp": true, "t": true, "asctime": true}
)

// pinoLevels are the numbers of pino and bunyan.
var pinoLevels = map[string]string{"10": "trace", "20": "debug", "30": "info", "40": "warn", "50": "error", "60": "fatal"}

// summary is a log line in short, with the style of its level.
func summary(fields []field) (text string, spans []task.Span, ok bool) {
	level, message := -1, -1
	for i, f := range fields {
		if level < 0 && levelKeys[f.key] {
			level = i
		}
		if message < 0 && messageKeys[f.key] {
			message = i
		}
	}
	if level < 0 && message < 0 || len(fields) < 2 {
		return "", nil, false
	}
	var b strings.Builder
	if level >= 0 {
		name := strings.ToLower(fields[level].value)
		if s, ok := pinoLevels[name]; ok {
			name = s
		}
		b.WriteString(name)
		if st := levelStyle(name); st != (task.Style{}) && name != "" {
			spans = []task.Span{{Start: 0, End: len(name), Style: st}}
		}
	}
	if message >= 0 {
		apart(&b, "  ")
		b.WriteString(fields[message].value)
	}
	for _, late := range []bool{false, true} {
		for i, f := range fields {
			if i != level && i != message && timeKeys[f.key] == late {
				apart(&b, "  ")
				b.WriteString(f.key + "=" + quoted(f.value))
			}
		}
	}
	return b.String(), spans, true
}

func apart(b *strings.Builder, s string) {
	if b.Len() > 0 {
		b.WriteString(s)
	}
}

// quoted puts a value with blanks into quotes, so that it ends where it ends.
func quoted(s string) string {
	if s == "" || strings.ContainsRune(s, ' ') && s[0] != '{' && s[0] != '[' {
		if strings.Contains(s, `"`) {
			return "'" + s + "'"
		}
		return `"` + s + `"`
	}
	return s
}

func levelStyle(name string) task.Style {
	switch name {
	case "error", "err", "fatal", "panic", "critical", "crit", "alert", "emergency", "emerg":
		return task.Style{FG: task.Indexed(1), Attr: task.Bold}
	case "warn", "warning":
		return task.Style{FG: task.Indexed(3)}
	case "info", "notice":
		return task.Style{FG: task.Indexed(2)}
	case "debug", "trace", "verbose":
		return task.Style{Attr: task.Dim}
	}
	return task.Style{}
}
