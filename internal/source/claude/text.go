package claude

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"offstage/task"
)

// Versions before there was a structured result, and results of servers' tools,
// say it in their text only.
var (
	writtenTo  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)written to: (.+?\.output)`) })
	launchText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^Command [^\n]*?(?:with ID|\(ID|ID): ?([a-z0-9_]{2,40})`)
	})
	movedText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^Command (?:did not complete|exceeded|was manually)[^\n]*?(?:with ID|\(ID|ID): ?([a-z0-9_]{2,40})`)
	})
	movedMCP = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`moved to the background as task ([A-Za-z0-9_-]{2,40})`)
	})
)

// tellsText says whether a text can hold a launch or an end.
func tellsText(m []byte) bool {
	for _, mark := range []string{"Command ", "background as task", "<retrieval_status>"} {
		if bytes.Contains(m, []byte(mark)) {
			return true
		}
	}
	return false
}

// fromText reads launches and ends of versions (and tools) that have them in
// the text of the result only.
func (x *extract) fromText(text string, c toolCall, known bool, e *event) bool {
	shell := !known || c.name == "Bash" || c.name == "PowerShell"
	if m := movedMCP().FindStringSubmatch(text); m != nil && !tools[c.name] {
		e.ids, e.launch = []string{m[1]}, &launch{kind: task.MCP, title: c.name, moved: true}
		return known || strings.HasPrefix(text, "MCP tool ")
	}
	if c.name == "TaskOutput" || c.name == "BashOutput" {
		return readStatus(text, e)
	}
	if !shell || !known {
		return false
	}
	m, moved := launchText().FindStringSubmatch(text), false
	if m == nil {
		m, moved = movedText().FindStringSubmatch(text), true
	}
	if m == nil || !strings.Contains(text, "background") {
		return false
	}
	e.ids, e.launch = []string{m[1]}, &launch{kind: task.Shell, moved: moved, cwd: c.cwd}
	if p := writtenTo().FindStringSubmatch(text); p != nil {
		e.launch.path = p[1]
	}
	return true
}

// readStatus takes the state out of what TaskOutput printed.
func readStatus(text string, e *event) bool {
	id, status := tag(text, "task_id"), tag(text, "status")
	if id == "" || status == "" || status == "running" || status == "pending" {
		return false
	}
	e.kind, e.ids, e.note = read, []string{id}, &note{status: status}
	if n, err := strconv.Atoi(strings.TrimSpace(tag(text, "exit_code"))); err == nil {
		e.note.code = &n
	}
	return true
}

// typed is a command that the person typed with "!" and that went to the
// background.
func (x *extract) typed(r record, text string, off int64) {
	m := launchText().FindStringSubmatch(strings.TrimPrefix(text, "<bash-stdout>"))
	if m == nil || x.foreign(r) {
		return
	}
	l := &launch{kind: task.Shell, cwd: r.cwd, version: x.recVersion}
	if p := writtenTo().FindStringSubmatch(text); p != nil {
		l.path = p[1]
	}
	x.add(event{off: off, at: r.at, ids: []string{m[1]}, launch: l})
}
