package claude

import (
	"bytes"
	"strconv"
	"strings"
	"time"

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
