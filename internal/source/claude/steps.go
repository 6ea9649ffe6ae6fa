package claude

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"offstage/task"
)

// Steps reads the transcript of a sub-agent as steps (spec 2 O4): its text as
// paragraphs, a call as one line, its result folded under it. It implements
// task.Decoder and holds no state.
type Steps struct {
	// Open shows results whole (to 10,000 lines each) instead of three lines and
	// a fold.
	Open bool
}

// resultLines is how many lines of a result stand before the fold.
const resultLines = 3

// maxErrorLines bounds an error, which stands open; maxOpenLines a result that
// was opened.
const (
	maxErrorLines = 200
	maxOpenLines  = 10_000
)

// Decode makes the rows of one record; none for what is no step.
func (s Steps) Decode(line []byte, at int64) []task.Line {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var r record
	if !walk(line, r.take) || r.typ == "" {
		return number([]task.Line{{Text: "A record that cannot be read", Tone: task.Quiet}}, at, len(line), time.Time{})
	}
	var rows []task.Line
	switch r.typ {
	case "assistant":
		rows = assistantRows(r)
	case "user":
		rows = s.userRows(r)
	default:
		if quietTypes[r.typ] {
			return nil
		}
		rows = []task.Line{{Text: "A record of a kind that is not known here: " + clean(r.typ), Tone: task.Quiet}}
	}
	return number(rows, at, len(line), r.at)
}

// quietTypes are records that are no steps: system and bookkeeping.
var quietTypes = map[string]bool{
	"system": true, "attachment": true, "queue-operation": true, "progress": true, "summary": true, "mode": true,
	"permission-mode": true, "file-history-snapshot": true, "file-history-delta": true, "atis-latch": true, "tools-used": true,
	"last-prompt": true, "ai-title": true, "custom-title": true, "agent-name": true, "agent-setting": true, "pr-link": true,
	"bridge-session": true, "cost-state": true, "api-request": true, "api-request-blob": true, "api-request-shape": true,
	"continued-in": true, "worktree-state": true, "agent-color": true, "tag": true,
}

// number gives the rows of one record their place and time.
func number(rows []task.Line, at int64, size int, when time.Time) []task.Line {
	for i := range rows {
		rows[i].Offset, rows[i].Part, rows[i].End = at, i, at+int64(size)+1
		rows[i].At = when
	}
	return rows
}

func assistantRows(r record) []task.Line {
	var m message
	if !lenient(r.message, &m) {
		return []task.Line{{Text: "A message that cannot be read", Tone: task.Quiet}}
	}
	var rows []task.Line
	for _, b := range m.blocks() {
		switch b.Type {
		case "text":
			tone := task.Plain
			if r.apiError {
				tone = task.Bad
			}
			rows = append(rows, paragraph(b.Text, tone)...)
		case "tool_use":
			rows = append(rows, task.Line{Text: strings.TrimSpace("▸ " + clean(b.Name) + " " + headline(b.Name, b.Input)), Tone: task.Accent})
		}
	}
	if len(rows) > 0 && m.Usage != nil && m.Usage.Output > 0 {
		rows[0].Aside = tokens(m.Usage.Output)
	}
	return rows
}

// tokens is a count in the time column: "60 tok", "1.2k tok".
func tokens(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " tok"
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k tok"
}

func (s Steps) userRows(r record) []task.Line {
	if r.meta || r.compact {
		return nil
	}
	var m message
	if !lenient(r.message, &m) {
		return []task.Line{{Text: "A message that cannot be read", Tone: task.Quiet}}
	}
	var rows []task.Line
	for _, b := range m.blocks() {
		switch b.Type {
		case "text":
			rows = append(rows, told(b.Text, r)...)
		case "tool_result":
			rows = append(rows, s.resultRows(b)...)
		}
	}
	return rows
}

// told is what the agent was told: its task, a message, a notification.
func told(text string, r record) []task.Line {
	if isNotice(text, r.origin) {
		var rows []task.Line
		for range maxBlocks {
			body, rest, ids := nextNotice(text)
			if body == "" {
				break
			}
			text = rest
			if len(ids) > 0 {
				rows = append(rows, task.Line{Text: "◇ " + firstLine(clean(firstOf(tag(body, "summary"), tag(body, "event")))), Tone: task.Quiet})
			}
		}
		return rows
	}
	if strings.HasPrefix(strings.TrimSpace(text), "<system-reminder>") {
		return nil
	}
	rows := paragraph(text, task.Quiet)
	if len(rows) > 0 {
		rows[0].Text = "» " + rows[0].Text
	}
	return rows
}

func paragraph(text string, tone task.Tone) []task.Line {
	var rows []task.Line
	for line := range strings.Lines(strings.TrimSpace(text)) {
		rows = append(rows, task.Line{Text: clean(line), Tone: tone})
	}
	return rows
}

// resultRows is a result: three lines and a fold, errors whole.
func (s Steps) resultRows(b block) []task.Line {
	text := plainText(b.Content)
	if i := strings.Index(text, "<system-reminder>"); i >= 0 && !b.IsError {
		text = text[:i]
	}
	text = strings.TrimRight(text, "\n\t ")
	if text == "" {
		return nil
	}
	limit, tone := resultLines, task.Quiet
	if s.Open {
		limit = maxOpenLines
	}
	if b.IsError {
		limit, tone = maxErrorLines, task.Bad
		text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	}
	var rows []task.Line
	folded := 0
	for line := range strings.Lines(text) {
		if len(rows) < limit {
			rows = append(rows, task.Line{Text: "  " + clean(line), Tone: tone})
		} else {
			folded++
		}
	}
	rows[len(rows)-1].Fold = folded
	return rows
}

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
